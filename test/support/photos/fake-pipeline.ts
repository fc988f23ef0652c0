import type { PictureEmbedder } from '#actions/photos/build-picture-index.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/**
 * An eye that needs no networks: pictures whose bytes begin alike look alike. What stands before the
 * first `|` is the art, what stands behind it changes a few numbers and bits.
 */
export function fakePipeline(): PictureEmbedder & { seen: number; closed: boolean } {
  return {
    seen: 0,
    closed: false,
    async fingerprint(image) {
      this.seen++
      const text = Buffer.from(image).toString('latin1')
      if (text.startsWith('broken')) throw new ServiceError('INVALID_IMAGE', 'This is no picture.')
      const [art = '', detail = ''] = text.split('|')
      return fakeFingerprint(art, detail)
    },
    close() {
      this.closed = true
    },
  }
}

/** The same for the same words; for another detail a little different. */
export function fakeFingerprint(art: string, detail = '') {
  const random = randomFrom(Number(Bun.hash.crc32(art)))
  const vector = Int8Array.from({ length: 128 }, () => Math.round(random() * 70 - 35))
  const hash = Uint8Array.from({ length: 128 }, () => Math.floor(random() * 256))
  if (detail === '') return { vector, hash }
  const noise = randomFrom(Number(Bun.hash.crc32(detail)))
  return {
    vector: vector.map((value) => value + Math.round(noise() * 6 - 3)),
    hash: hash.map((byte) => (noise() < 0.3 ? byte ^ 0x10 : byte)),
  }
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Pictures that are made of their own addresses: numbers that end alike make the same art, and those
 * that end in a 5 have one stand-in.
 */
export const addressImages = {
  async fetch(address: string) {
    await Bun.sleep(2)
    const [number = ''] = /\d+/.exec(address) ?? []
    const text = number.endsWith('5') ? 'no image' : `${number.slice(-2)}|${number}`
    return { status: 'fresh', bytes: Buffer.from(text), etag: `"${text}"` } as const
  },
}
