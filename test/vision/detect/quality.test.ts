import { describe, expect, test } from 'bun:test'
import {
  isCutOff,
  measureBlurPx,
  measureBrightness,
  measureGlare,
  measureQuality,
  pixelsPerMm,
} from '#vision/detect/quality.ts'
import type { RgbImage } from '#vision/image/decode.ts'
import { buildPyramid, invert, type Quad, unitSquareTo } from '#vision/image/rectify.ts'
import {
  blurImage,
  cornersOf,
  draw,
  drawCard,
  drawPhoto,
  seededRandom,
} from '../../support/photos/drawn-pictures.ts'

/** 8 pixels per millimeter. */
const SIZE = { width: 504, height: 704 }

describe('blur', () => {
  test.each([1, 1.5, 2, 3, 4])('of %d pixels is measured within 20 %', async (sigma) => {
    for (const seed of [1, 2, 3]) {
      const card = await blurImage(drawCard(SIZE.width, SIZE.height, seed), sigma)
      expect(Math.abs(measureBlurPx(card, cornersOf(card)) / sigma - 1)).toBeLessThan(0.2)
    }
  })

  test('is almost 0 for edges as sharp as pixels', () => {
    const card = drawCard(SIZE.width, SIZE.height, 1)
    expect(measureBlurPx(card, cornersOf(card))).toBeLessThan(0.35)
  })

  test('grows monotonically, on a tilted card with noise', async () => {
    const quad: Quad = [
      { x: 180, y: 90 },
      { x: 640, y: 160 },
      { x: 600, y: 830 },
      { x: 100, y: 760 },
    ]
    const photo = drawPhoto(drawCard(630, 880, 4), invert(unitSquareTo(quad)), {
      width: 800,
      height: 900,
    })
    const next = seededRandom(5)
    const widths: number[] = []
    for (const sigma of [0.8, 1.2, 1.8, 2.7, 4]) {
      widths.push(measureBlurPx(noisy(await blurImage(photo, sigma), next), quad))
    }
    expect(widths).toEqual(widths.toSorted((one, other) => one - other))
    expect(Math.abs((widths[2] ?? 0) / 1.8 - 1)).toBeLessThan(0.3)
  })

  test('is the maximum without edges', () => {
    const gray = draw(300, 420, () => [99, 99, 99])
    expect(measureBlurPx(gray, cornersOf(gray))).toBe(12)
  })

  test('is returned in millimeters of the card', async () => {
    const card = await blurImage(drawCard(SIZE.width, SIZE.height, 1), 2)
    const { blur_mm } = measureQuality(buildPyramid(card), { quad: cornersOf(card), confidence: 1 })
    expect(Math.abs(blur_mm - 0.25)).toBeLessThan(0.05)
  })

  function noisy(picture: RgbImage, next: () => number): RgbImage {
    const noise = () => (next() + next() + next() - 1.5) * 8
    return {
      ...picture,
      data: picture.data.map((value) => Math.max(0, Math.min(255, value + noise()))),
    }
  }
})

describe('glare', () => {
  test.each([0.02, 0.1, 0.3])(
    'over %d of the card is measured within two percentage points',
    (share) => {
      // An ellipse with this share of the area.
      const radius = Math.sqrt(share / Math.PI)
      const base = drawCard(SIZE.width, SIZE.height, 6)
      const card = draw(SIZE.width, SIZE.height, (x, y) => {
        const away = Math.hypot(x / SIZE.width - 0.5, y / SIZE.height - 0.4)
        const at = (Math.floor(y) * SIZE.width + Math.floor(x)) * 3
        if (away < radius) return [255, 255, 252]
        return [base.data[at] ?? 0, base.data[at + 1] ?? 0, base.data[at + 2] ?? 0]
      })
      const { glare } = measureQuality(buildPyramid(card), { quad: cornersOf(card), confidence: 1 })
      expect(Math.abs(glare - share)).toBeLessThan(0.02)
    },
  )

  test('excludes bright colors', () => {
    expect(measureGlare(new Uint8Array([255, 255, 40, 255, 120, 120, 200, 255, 200]))).toBe(0)
    expect(measureGlare(new Uint8Array([255, 255, 255, 0, 0, 0]))).toBe(0.5)
  })
})

test('brightness is the mean luma', () => {
  expect(measureBrightness(new Uint8Array([255, 255, 255, 0, 0, 0]))).toBeCloseTo(127.5)
  expect(measureBrightness(new Uint8Array([0, 255, 0]))).toBeCloseTo(0.587 * 255)
})

test('pixels per millimeter do not depend on the rotation', () => {
  for (let angle = 0; angle < 6.3; angle += 0.7) {
    const [cos, sin] = [Math.cos(angle) * 8, Math.sin(angle) * 8]
    const corner = (x: number, y: number) => ({ x: x * cos - y * sin, y: x * sin + y * cos })
    const quad: Quad = [corner(0, 0), corner(63, 0), corner(63, 88), corner(0, 88)]
    expect(pixelsPerMm(quad)).toBeCloseTo(8)
  }
})

test('a card is cut off if a corner is clearly outside the photo', () => {
  const quad = cornersOf(SIZE)
  expect(isCutOff(quad, SIZE)).toBe(false)
  expect(isCutOff(quad, { width: 500, height: 704 })).toBe(false)
  expect(isCutOff(quad, { width: 480, height: 704 })).toBe(true)
  expect(isCutOff(quad, { width: 504, height: 600 })).toBe(true)
})
