import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  buildPyramid,
  frameToPhoto,
  invert,
  isConvex,
  mirrorQuad,
  OUTSIDE,
  type Point,
  project,
  projectQuad,
  type Quad,
  rectify,
  rotateQuad,
  signedArea,
  unitSquareTo,
} from '#vision/image/rectify.ts'
import {
  cornersOf,
  draw,
  drawCard,
  drawPhoto,
  maxCornerDistance,
} from '../../support/photos/drawn-pictures.ts'

/** A card in a photo at any position, rotation and tilt. */
const QUADS = fc
  .record({
    angle: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
    height: fc.double({ min: 40, max: 900, noNaN: true }),
    pull: fc.array(fc.double({ min: -0.15, max: 0.15, noNaN: true }), {
      minLength: 8,
      maxLength: 8,
    }),
  })
  .map(({ angle, height, pull }): Quad => {
    const corner = (index: number, x: number, y: number): Point => {
      const across = (x + (pull[2 * index] ?? 0)) * 0.716 * height
      const down = (y + (pull[2 * index + 1] ?? 0)) * height
      return {
        x: 600 + across * Math.cos(angle) - down * Math.sin(angle),
        y: 500 + across * Math.sin(angle) + down * Math.cos(angle),
      }
    }
    return [corner(0, -0.5, -0.5), corner(1, 0.5, -0.5), corner(2, 0.5, 0.5), corner(3, -0.5, 0.5)]
  })

const UNIT = cornersOf({ width: 1, height: 1 })

describe('a homography', () => {
  test('maps the unit square to the corners, and its inverse maps them back', () => {
    fc.assert(
      fc.property(QUADS, (quad) => {
        const there = unitSquareTo(quad)
        expect(maxCornerDistance(projectQuad(there, UNIT), quad)).toBeLessThan(1e-6)
        expect(maxCornerDistance(projectQuad(invert(there), quad), UNIT)).toBeLessThan(1e-9)
      }),
      { seed: 1 },
    )
  })

  test('keeps straight lines straight', () => {
    fc.assert(
      fc.property(QUADS, fc.double({ min: 0, max: 1, noNaN: true }), (quad, t) => {
        const there = unitSquareTo(quad)
        const line = [0, 0.5, 1].map((x) => project(there, { x, y: t * x }))
        expect(Math.abs(signedArea(line))).toBeLessThan(1e-5 * signedArea(quad))
      }),
      { seed: 2 },
    )
  })

  test('adds the margin of the frame', () => {
    fc.assert(
      fc.property(QUADS, (quad) => {
        const frame = { width: 144, height: 192, margin: 0.18 }
        const [x, y] = [(0.18 / 1.36) * 144, (0.18 / 1.36) * 192]
        const card = [
          { x, y },
          { x: 144 - x, y },
          { x: 144 - x, y: 192 - y },
          { x, y: 192 - y },
        ]
        const there = frameToPhoto(quad, frame)
        expect(
          maxCornerDistance(
            card.map((corner) => project(there, corner)),
            quad,
          ),
        ).toBeLessThan(1e-6)
      }),
      { seed: 3 },
    )
  })
})

describe('a rectified card', () => {
  const mean = (one: Uint8Array, other: Uint8Array) =>
    one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length

  test('equals the card, for any quad', () => {
    const card = drawCard(252, 352, 3)
    const frame = { width: 126, height: 176, margin: 0 }
    const wanted = rectify(buildPyramid(card), cornersOf(card), frame)
    fc.assert(
      fc.property(QUADS, (quad) => {
        fc.pre(signedArea(quad) > 150 * 210)
        const photo = drawPhoto(card, invert(unitSquareTo(quad)), { width: 1200, height: 1000 })
        fc.pre(quad.every(({ x, y }) => x > 0 && y > 0 && x < 1200 && y < 1000))
        // Drawn without antialiasing: edges differ by up to a pixel.
        expect(mean(rectify(buildPyramid(photo), quad, frame), wanted)).toBeLessThan(9)
      }),
      { numRuns: 4, seed: 4 },
    )
  })

  test('equals the card, from the mirrored quad of a mirrored photo', () => {
    const card = drawCard(252, 352, 3)
    const [width, frame] = [252, { width: 126, height: 176, margin: 0 }]
    const mirrored = draw(width, 352, (x, y) => {
      const at = (Math.floor(y) * width + (width - 1 - Math.floor(x))) * 3
      return [card.data[at] ?? 0, card.data[at + 1] ?? 0, card.data[at + 2] ?? 0]
    })
    const wanted = rectify(buildPyramid(card), cornersOf(card), frame)
    const pixels = rectify(buildPyramid(mirrored), mirrorQuad(cornersOf(mirrored)), frame)
    expect(pixels).toEqual(wanted)
  })

  test('is averaged if the photo has a much higher resolution', () => {
    const stripes = draw(1600, 1600, (x, y) => ((x ^ y) & 1 ? [255, 255, 255] : [0, 0, 0]))
    const pixels = rectify(buildPyramid(stripes), cornersOf(stripes), {
      width: 100,
      height: 100,
      margin: 0,
    })
    for (const value of pixels) expect(Math.abs(value - 128)).toBeLessThan(3)
  })

  test('is gray outside the photo', () => {
    const photo = draw(100, 100, () => [255, 0, 0])
    const pixels = rectify(buildPyramid(photo), cornersOf(photo), {
      width: 50,
      height: 50,
      margin: 0.5,
    })
    expect([...pixels.subarray(0, 3)]).toEqual([OUTSIDE, OUTSIDE, OUTSIDE])
    expect([...pixels.subarray((25 * 50 + 25) * 3, (25 * 50 + 25) * 3 + 3)]).toEqual([255, 0, 0])
  })

  test('has the same position on every level, also with odd sides', () => {
    const ramp = draw(1001, 1403, (x, y) => [x / 4, y / 6, 0])
    for (const width of [700, 350, 175, 88, 44]) {
      const height = 2 * width
      const pixels = rectify(buildPyramid(ramp), cornersOf(ramp), { width, height, margin: 0 })
      const at = ((height >> 1) * width + (width >> 1)) * 3
      const middle = (length: number, side: number) => (((side >> 1) + 0.5) * length) / side
      // Drawn in integer steps, rounded down.
      expect(Math.abs((pixels[at] ?? 0) + 0.5 - middle(1001, width) / 4)).toBeLessThan(2)
      expect(Math.abs((pixels[at + 1] ?? 0) + 0.5 - middle(1403, height) / 6)).toBeLessThan(2)
    }
  })
})

test('a quad is valid only if it is convex and clockwise', () => {
  const [a, b, c, d] = cornersOf({ width: 10, height: 14 })
  expect(isConvex([a, b, c, d])).toBe(true)
  expect(isConvex(rotateQuad([a, b, c, d], 3))).toBe(true)
  expect(isConvex([a, d, c, b])).toBe(false)
  expect(isConvex([a, c, b, d])).toBe(false)
  expect(isConvex([a, b, { x: 2, y: 2 }, d])).toBe(false)
  expect(isConvex([a, b, b, a])).toBe(false)
  expect(isConvex([a, b, { x: Number.NaN, y: 1 }, d])).toBe(false)
})
