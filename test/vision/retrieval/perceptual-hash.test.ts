import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { decode, type RgbImage } from '#vision/image/decode.ts'
import { toGray } from '#vision/image/gray.ts'
import { buildPyramid, type Quad } from '#vision/image/rectify.ts'
import { jitteredHashes, perceptualHash } from '#vision/retrieval/perceptual-hash.ts'
import {
  blurImage,
  cornersOf,
  draw,
  drawCard,
  encodePng,
  seededRandom,
} from '../../support/photos/drawn-pictures.ts'
import golden from './golden-hash.json'

const hash = (picture: RgbImage) => perceptualHash(buildPyramid(picture), cornersOf(picture))
const BITS = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte.toString(2).replaceAll('0', '').length,
)
const distance = (one: Uint8Array, other: Uint8Array) =>
  one.reduce((bits, byte, index) => bits + (BITS[byte ^ (other[index] ?? 0)] ?? 0), 0)

const card = drawCard(480, 670, 8)

describe('a hash', () => {
  test('has 1,024 bits, half of them set', () => {
    const bits = distance(hash(card), new Uint8Array(128))
    expect(hash(card)).toHaveLength(128)
    expect(Math.abs(bits - 512)).toBeLessThanOrEqual(1)
  })

  test('equals the definition of the cosine transform', () => {
    const small = drawCard(128, 128, 2)
    const gray = toGray(small.data)
    const cosine = (k: number, n: number) => Math.cos(((2 * n + 1) * k * Math.PI) / 256)
    const rows = Array.from({ length: 128 }, (_, y) =>
      Array.from({ length: 32 }, (_, k) =>
        Array.from({ length: 128 }, (_, x) => (gray[y * 128 + x] ?? 0) * cosine(k, x)).reduce(
          (sum, term) => sum + term,
        ),
      ),
    )
    const block = Array.from({ length: 1024 }, (_, index) =>
      rows.reduce((sum, row, y) => sum + (row[index % 32] ?? 0) * cosine(index >> 5, y), 0),
    )
    const median = block.slice(1).toSorted((one, other) => one - other)[511] ?? 0
    const wanted = new Uint8Array(128)
    for (const [bit, value] of block.entries()) {
      if (value > median) wanted[bit >> 3] = (wanted[bit >> 3] ?? 0) | (1 << (bit & 7))
    }
    expect(distance(hash(small), wanted)).toBeLessThanOrEqual(2)
  })

  test.each([
    ['blur', async () => blurImage(card, 3)],
    ['a poor JPEG', async () => decode(await encodePng(card).jpeg({ quality: 30 }).toBuffer())],
    ['less light', async () => decode(await encodePng(card).linear(0.5, 20).png().toBuffer())],
    ['half the size', async () => decode(await encodePng(card).resize(240, 335).png().toBuffer())],
  ] as const)('hardly changes with %s', async (_, change) => {
    expect(distance(hash(card), hash(await change()))).toBeLessThan(120)
  })

  test('equals the golden hash that the training compares with', () => {
    const picture = draw(128, 128, (middleX, middleY) => {
      const [x, y] = [Math.floor(middleX), Math.floor(middleY)]
      const red = (3 * x + Math.floor((y * y) / 7)) % 256
      return [red, Math.floor((x * y) / 5) % 256, (2 * x + 5 * y) % 256]
    })
    expect(Buffer.from(hash(picture)).toString('base64')).toBe(golden.hash)
  })

  test('differs for another card', () => {
    expect(distance(hash(card), hash(drawCard(480, 670, 9)))).toBeGreaterThan(330)
  })
})

describe('the hashes of shifted crops', () => {
  /** Corner errors of 1 % of the height. */
  const off = (quad: Quad, next: () => number): Quad => {
    const shift = () => (next() + next() + next() - 1.5) * 2 * 0.01 * 670
    const moved = quad.map(({ x, y }) => ({ x: x + shift(), y: y + shift() }))
    return [moved[0] ?? quad[0], moved[1] ?? quad[1], moved[2] ?? quad[2], moved[3] ?? quad[3]]
  }

  test('start with that of the unshifted crop', () => {
    const levels = buildPyramid(card)
    const [first = new Uint8Array(128)] = jitteredHashes(levels, cornersOf(card))
    expect(distance(first, hash(card))).toBeLessThan(60)
  })

  test('include a closer one if the corners are inaccurate', () => {
    const next = seededRandom(3)
    const levels = buildPyramid(card)
    const truth = hash(card)
    const gains = Array.from({ length: 10 }, () => {
      const distances = [...jitteredHashes(levels, off(cornersOf(card), next))].map((each) =>
        distance(each, truth),
      )
      return (distances[0] ?? 0) - Math.min(...distances)
    })
    expect(gains.every((gain) => gain >= 0)).toBe(true)
    expect(gains.reduce((sum, gain) => sum + gain) / gains.length).toBeGreaterThan(30)
  })
})

const SCANS = resolve(import.meta.dir, '../../../../shared/scans/dsk')
const hasScans = existsSync(SCANS)
if (!hasScans)
  console.log('    Scans of real cards are not at hand: their hashes are not compared.')

test.skipIf(!hasScans)('scans of different cards are far apart, of one card close', async () => {
  const files = readdirSync(SCANS).filter((_, index) => index % 9 === 0)
  const pictures = await Promise.all(files.map((file) => decode(readFileSync(join(SCANS, file)))))
  const hashes = pictures.map(hash)
  const strangers = hashes.flatMap((one, i) => hashes.slice(0, i).map((it) => distance(one, it)))
  expect(Math.min(...strangers)).toBeGreaterThan(300)
  for (const [index, picture] of pictures.entries()) {
    const soft = await blurImage(picture, 2)
    expect(distance(hash(soft), hashes[index] ?? new Uint8Array())).toBeLessThan(150)
  }
})
