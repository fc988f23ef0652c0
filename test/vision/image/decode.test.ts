import { describe, expect, test } from 'bun:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { decode, type RgbImage } from '#vision/image/decode.ts'
import { draw, drawCard, encodePng, seededRandom } from '../../support/photos/drawn-pictures.ts'

/** 6,000 would take half a minute. */
const MUTATIONS = Number(process.env.CARDSTOCK_MUTATIONS ?? 600)

/** Red, green, blue and white quarters in landscape, so that every rotation changes the picture. */
const QUARTERS = draw(96, 64, (x, y) =>
  y < 32 ? (x < 48 ? [255, 0, 0] : [0, 255, 0]) : x < 48 ? [0, 0, 255] : [255, 255, 255],
)

const pixel = ({ width, height, data }: RgbImage, x: number, y: number) => {
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 3
  return [...data.subarray(at, at + 3)]
}

async function refusal(image: Uint8Array): Promise<string> {
  const error = await decode(image).then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(ServiceError)
  if (!(error instanceof ServiceError)) return ''
  expect(error.code).toBe('INVALID_IMAGE')
  return error.message
}

/** Encodes a card as JPEG with a thumbnail in its metadata, whose end is not that of the photo. */
async function photo(progressive: boolean): Promise<Buffer> {
  const card = encodePng(drawCard(240, 336, 5))
  const thumbnail = await card.clone().resize(24).jpeg().toBuffer()
  const image = await card.jpeg({ progressive }).toBuffer()
  const segment = Buffer.concat([Buffer.from([0xff, 0xec, 0, 0]), thumbnail])
  segment.writeUInt16BE(thumbnail.length + 2, 2)
  return Buffer.concat([image.subarray(0, 2), segment, image.subarray(2)])
}

describe('an image is decoded', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('upright, for EXIF orientation %i', async (orientation) => {
    // Stored as by a rotated camera.
    const undo: Record<number, (image: Sharp) => Sharp> = {
      1: (image) => image,
      2: (image) => image.flop(),
      3: (image) => image.rotate(180),
      4: (image) => image.flip(),
      5: (image) => image.rotate(270).flop(),
      6: (image) => image.rotate(270),
      7: (image) => image.rotate(90).flop(),
      8: (image) => image.rotate(90),
    }
    const stored = await undo[orientation]?.(encodePng(QUARTERS)).png().toBuffer()
    const image = await sharp(stored).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
    const picture = await decode(image)
    expect([picture.width, picture.height]).toEqual([96, 64])
    expect(picture.original).toEqual({ width: 96, height: 64 })
    const corners = [pixel(picture, 0.2, 0.2), pixel(picture, 0.8, 0.2), pixel(picture, 0.2, 0.8)]
    for (const [index, corner] of corners.entries()) {
      expect(corner.indexOf(Math.max(...corner))).toBe(index)
    }
  })

  test.each([
    ['CMYK', () => encodePng(QUARTERS).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()],
    [
      'progressive JPEG',
      () => encodePng(QUARTERS).jpeg({ quality: 95, progressive: true }).toBuffer(),
    ],
    ['16 bit', () => encodePng(QUARTERS).toColourspace('rgb16').png().toBuffer()],
    ['a palette', () => encodePng(QUARTERS).png({ palette: true }).toBuffer()],
    ['WebP', () => encodePng(QUARTERS).webp({ quality: 95 }).toBuffer()],
  ] as const)('in its colors, from %s', async (_, make) => {
    const picture = await decode(await make())
    expect(picture.data).toHaveLength(96 * 64 * 3)
    const [red = 0, green = 0, blue = 0] = pixel(picture, 0.2, 0.2)
    expect(red).toBeGreaterThan(180)
    expect(Math.max(green, blue)).toBeLessThan(90)
  })

  test('to at most 2,000 pixels, with its size before', async () => {
    const picture = await decode(
      await encodePng(draw(2600, 1300, () => [9, 9, 9]))
        .jpeg()
        .toBuffer(),
    )
    expect([picture.width, picture.height]).toEqual([2000, 1000])
    expect(picture.original).toEqual({ width: 2600, height: 1300 })
  })

  test('to RGB, from gray', async () => {
    const picture = await decode(await encodePng(QUARTERS).grayscale().jpeg().toBuffer())
    const [red, green, blue] = pixel(picture, 0.2, 0.2)
    expect(picture.data).toHaveLength(96 * 64 * 3)
    expect([red, red]).toEqual([green, blue])
  })

  test('on white, if transparent', async () => {
    const clear = { width: 64, height: 64, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } }
    const image = await sharp({ create: { ...clear, channels: 4 } })
      .png()
      .toBuffer()
    const picture = await decode(image)
    expect(pixel(picture, 0.5, 0.5)).toEqual([255, 255, 255])
  })

  test('by its first frame, if animated', async () => {
    const frames = await Promise.all(
      ['#f00', '#00f'].map((background) =>
        sharp({ create: { width: 64, height: 64, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const image = await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer()
    expect((await sharp(image).metadata()).pages).toBe(2)
    const picture = await decode(image)
    expect([picture.width, picture.height]).toEqual([64, 64])
    expect(pixel(picture, 0.5, 0.5)).toEqual([255, 0, 0])
  })

  test('without its texts, which may have gigabytes', async () => {
    const image = await encodePng(QUARTERS).png().toBuffer()
    const text = chunk(
      'zTXt',
      Buffer.concat([Buffer.from('text\0\0'), deflateSync(Buffer.alloc(7e6, 65))]),
    )
    // After the signature and the header.
    const texts = [image.subarray(0, 33), ...Array(100).fill(text), image.subarray(33)]
    // Peak memory in KiB: the decoder frees its memory at the end.
    const before = process.resourceUsage().maxRSS
    expect((await decode(Buffer.concat(texts))).data).toEqual((await decode(image)).data)
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(200_000)
  })

  test.each([false, true])(
    'if it lacks only its end marker, as a progressive JPEG: %p',
    async (progressive) => {
      const image = await photo(progressive)
      expect(await decode(image.subarray(0, -2))).toEqual(await decode(image))
    },
  )

  test('to at most 2,000 pixels, never enlarged', async () => {
    const large = { width: 4000, height: 3000, channels: 3, background: '#369' } as const
    const picture = await decode(await sharp({ create: large }).jpeg().toBuffer())
    expect([picture.width, picture.height]).toEqual([2000, 1500])
    expect((await decode(await encodePng(QUARTERS).png().toBuffer())).width).toBe(96)
  })
})

describe('an image is rejected', () => {
  const jpeg = () => encodePng(QUARTERS).jpeg().toBuffer()

  test.each([
    ['a GIF', () => encodePng(QUARTERS).gif().toBuffer()],
    ['a TIFF', () => encodePng(QUARTERS).tiff().toBuffer()],
    [
      'an SVG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'),
    ],
    ['text', async () => Buffer.from('not a picture')],
    ['an AVIF', () => encodePng(QUARTERS).avif().toBuffer()],
    ['a JPEG of three bytes', async () => Buffer.from([0xff, 0xd8, 0xff])],
  ] as const)('%s', async (_, make) => {
    expect(await refusal(await make())).toMatch(/JPEG, PNG or WebP/)
  })

  test('if empty', async () => {
    expect(await refusal(new Uint8Array())).toMatch(/empty/)
  })

  test('if truncated', async () => {
    const image = await jpeg()
    expect(await refusal(image.subarray(0, image.length >> 1))).toMatch(/damaged or incomplete/)
  })

  test('if it declares 60,000 by 60,000 pixels', async () => {
    expect(await refusal(png(60_000, 60_000, Buffer.alloc(99)))).toMatch(/64 megapixels/)
  })

  test('if it has 400 megapixels in 400 KB', async () => {
    const bomb = png(20_000, 20_000, Buffer.alloc(20_000 * 20_001))
    expect(bomb.length).toBeLessThan(420_000)
    const before = process.cpuUsage()
    expect(await refusal(bomb)).toMatch(/64 megapixels/)
    const { user, system } = process.cpuUsage(before)
    // Microseconds of all threads.
    expect(user + system).toBeLessThan(1_000_000)
  })

  test('if it declares 62 megapixels, before any of them is decoded', async () => {
    expect(await refusal(png(7_900, 7_900, Buffer.alloc(99)))).toMatch(/24 megapixels/)
  })

  const flat = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#369' } })

  test('if more than 24 megapixels would be decoded in full', async () => {
    const large = flat(4900, 5000)
    const webp = await large.clone().webp({ lossless: true, effort: 0 }).toBuffer()
    expect(await refusal(webp)).toMatch(/24 mega/)
    const progressive = await large.clone().jpeg({ progressive: true }).toBuffer()
    const cut = progressive.subarray(0, progressive.length * 0.98)
    expect(await refusal(cut)).toMatch(/24 megapixels.*baseline JPEG of at most 64/)
    // A baseline JPEG is shrunk while it is read.
    const { width, height } = await decode(await large.clone().jpeg().toBuffer())
    expect([width, height]).toEqual([1960, 2000])
  })

  test('if its colors or scans make its pixels too expensive', async () => {
    const deep = flat(3600, 3600).ensureAlpha().toColourspace('rgb16')
    expect(await refusal(await deep.png({ compressionLevel: 1 }).toBuffer())).toMatch(
      /9 megapixels/,
    )
    const cmyk = flat(2000, 2000).toColourspace('cmyk')
    expect(await refusal(await cmyk.jpeg().toBuffer())).toMatch(/at most 3 megapixels.*RGB/)
    const jpeg = await flat(4600, 4600).jpeg({ progressive: true }).toBuffer()
    await decode(jpeg)
    const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
    const scans = Buffer.concat([jpeg.subarray(0, -2), ...Array(90).fill(scan)])
    expect(await refusal(scans)).toMatch(/2\.4 megapixels/)
  })

  test('if more than its end marker is missing', async () => {
    for (const progressive of [false, true]) {
      const image = await photo(progressive)
      for (const cut of [3, 6, 40, 1_000]) {
        expect(await refusal(image.subarray(0, -cut))).toMatch(/damaged or incomplete/)
      }
    }
  })

  test('by its pixels only after its header, which costs the reader no time', async () => {
    const photo = await flat(400, 400).jpeg().toBuffer()
    const damaged = decode(photo.subarray(0, photo.length - 20))
    await expect(damaged).rejects.toBeInstanceOf(DamagedPhoto)
    const large = decode(await flat(5000, 5000).webp({ effort: 0 }).toBuffer())
    await expect(large).rejects.not.toBeInstanceOf(DamagedPhoto)
  })

  test('if it is too small or too narrow to show a card', async () => {
    const of = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#369' } })
        .png()
        .toBuffer()
    expect(await refusal(await of(31, 400))).toMatch(/larger one/)
    expect(await refusal(await of(9000, 40))).toMatch(/narrow strip/)
  })

  test(`or decoded, without a crash, for ${MUTATIONS} corrupted images`, async () => {
    const next = seededRandom(11)
    const card = encodePng(drawCard(240, 336, 5))
    const originals = await Promise.all([
      card.clone().jpeg().toBuffer(),
      card.clone().jpeg({ progressive: true }).toBuffer(),
      card.clone().png().toBuffer(),
      card.clone().webp().toBuffer(),
      card.clone().webp({ lossless: true }).toBuffer(),
    ])
    let [read, refused] = [0, 0]
    for (let i = 0; i < MUTATIONS; i++) {
      const image = spoilt(originals[i % originals.length] ?? Buffer.alloc(0), next)
      try {
        const { width, height, data } = await decode(image)
        expect(data.length).toBe(width * height * 3)
        read++
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        refused++
      }
    }
    console.log(`    ${MUTATIONS} spoilt pictures: ${read} read, ${refused} refused`)
    expect(read).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  }, 300_000)
})

/** Changes, removes or repeats some bytes. */
function spoilt(image: Buffer, next: () => number): Buffer {
  const copy = Buffer.from(image)
  const faults = 1 + Math.floor(next() * 4)
  for (let i = 0; i < faults; i++) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256)
  const at = Math.floor(next() * copy.length)
  const length = Math.floor(next() * 40)
  const change = next()
  if (change < 0.15) return Buffer.concat([copy.subarray(0, at), copy.subarray(at + length)])
  if (change < 0.3) return Buffer.concat([copy.subarray(0, at + length), copy.subarray(at)])
  return change < 0.4 ? copy.subarray(0, at) : copy
}

/** Creates a chunk of a PNG. */
function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Creates a gray PNG with any size in its header. */
function png(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...parts])
}
