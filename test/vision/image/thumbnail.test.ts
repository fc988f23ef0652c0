import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { createThumbnails } from '#vision/image/thumbnail.ts'
import { decompressionBomb } from '../../support/photos/picture-host.ts'

/** Left half red, right half blue. */
async function drawing(width: number, height: number) {
  const half = { width: Math.floor(width / 2), height, channels: 4, background: '#f00' } as const
  const left = await sharp({ create: half }).png().toBuffer()
  const create = { width, height, channels: 4, background: '#00f' } as const
  return sharp({ create }).composite([{ input: left, left: 0, top: 0 }])
}

/** Creates one thumbnail. */
async function shrunk(image: Uint8Array, width: number): Promise<Uint8Array> {
  const [made] = await createThumbnails(image, [width])
  return made ?? new Uint8Array()
}

const factsOf = async (bytes: Uint8Array) => {
  const { format, width, height, orientation, hasAlpha, exif } = await sharp(bytes).metadata()
  return { format, width, height, orientation, hasAlpha, exif }
}

describe('a thumbnail', () => {
  test('is created for each width', async () => {
    const made = await createThumbnails(
      await (await drawing(600, 840)).jpeg().toBuffer(),
      [160, 480],
    )
    expect(
      (await Promise.all(made.map(factsOf))).map(({ width, height }) => [width, height]),
    ).toEqual([
      [160, 224],
      [480, 672],
    ])
  })

  test('is upright and has no metadata', async () => {
    const turned = await (await drawing(600, 400))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const made = await shrunk(turned, 200)
    const facts = await factsOf(made)
    expect(facts).toMatchObject({ format: 'webp', width: 200, height: 300 })
    expect([facts.orientation, facts.exif]).toEqual([undefined, undefined])
    // Rotated clockwise: left becomes top.
    const { data } = await sharp(made).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect([data[0], data.at(-1)].map((value = 0) => value > 200)).toEqual([true, true])
  })

  test('keeps transparency', async () => {
    const clear = { width: 50, height: 70, channels: 4, background: '#00000000' } as const
    const made = await shrunk(await sharp({ create: clear }).png().toBuffer(), 480)
    expect(await factsOf(made)).toMatchObject({ width: 50, height: 70, hasAlpha: true })
  })

  test('of a long strip is limited in height', async () => {
    const made = await shrunk(await (await drawing(100, 20_000)).png().toBuffer(), 160)
    expect((await factsOf(made)).height).toBe(640)
  })
})

test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
  ['nothing', () => new Uint8Array()],
  ['a page', () => new TextEncoder().encode('<!DOCTYPE html>')],
  ['a GIF', async () => (await drawing(60, 84)).gif().toBuffer()],
  ['a bomb', () => decompressionBomb(60_000)],
  [
    'more than 16 megapixels',
    async () => (await drawing(4_100, 4_100)).png({ compressionLevel: 1 }).toBuffer(),
  ],
  ['half of one', async () => (await (await drawing(600, 840)).png().toBuffer()).subarray(0, 900)],
])('%s is refused', async (_, make) => {
  await expect(createThumbnails(await make(), [160])).rejects.toMatchObject({
    code: 'INVALID_IMAGE',
  })
})

test('the event loop runs while thumbnails are created', async () => {
  const large = await (await drawing(3_900, 3_900)).webp({ effort: 0 }).toBuffer()
  let longest = 0
  let last = performance.now()
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const started = performance.now()
  await Promise.all([1, 2, 3, 4].map(() => createThumbnails(large, [160, 480])))
  const took = performance.now() - started
  clearInterval(watch)
  expect(longest).toBeLessThan(Math.max(100, took / 2))
})
