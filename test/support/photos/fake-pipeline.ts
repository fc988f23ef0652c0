import type { PictureEmbedder } from '#actions/photos/build-picture-index.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { seededRandom } from './drawn-pictures.ts'

/**
 * Creates an embedder without networks. The bytes before the first `|` determine the art; the bytes after it
 * change a few numbers and bits.
 */
export function fakePipeline(): PictureEmbedder & { seen: number; closed: boolean } {
  return {
    seen: 0,
    closed: false,
    async fingerprint(image) {
      this.seen++
      const text = Buffer.from(image).toString('latin1')
      if (text.startsWith('broken'))
        throw new ServiceError('INVALID_IMAGE', 'The image could not be decoded.')
      const [art = '', detail = ''] = text.split('|')
      return fakeFingerprint(art, detail)
    },
    close() {
      this.closed = true
    },
  }
}

/** Returns a fingerprint that depends on the art, and slightly on the detail. */
export function fakeFingerprint(art: string, detail = '') {
  const random = seededRandom(Number(Bun.hash.crc32(art)))
  const vector = Int8Array.from({ length: 128 }, () => Math.round(random() * 70 - 35))
  const hash = Uint8Array.from({ length: 128 }, () => Math.floor(random() * 256))
  if (detail === '') return { vector, hash }
  const noise = seededRandom(Number(Bun.hash.crc32(detail)))
  return {
    vector: vector.map((value) => value + Math.round(noise() * 6 - 3)),
    hash: hash.map((byte) => (noise() < 0.3 ? byte ^ 0x10 : byte)),
  }
}

/**
 * Serves pictures derived from their URL: the last two digits determine the art, and numbers ending in 5 return a
 * placeholder.
 */
export const addressImages = {
  async fetch(address: string) {
    await Bun.sleep(2)
    const [number = ''] = /\d+/.exec(address) ?? []
    const text = number.endsWith('5') ? 'no image' : `${number.slice(-2)}|${number}`
    return { status: 'fresh', bytes: Buffer.from(text), etag: `"${text}"` } as const
  },
}
