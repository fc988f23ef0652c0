import { describe, expect, test } from 'bun:test'
import { intersectionOverUnion } from '#vision/detect/overlap.ts'
import { rectifyGray } from '#vision/image/gray.ts'
import { buildPyramid } from '#vision/image/rectify.ts'
import { type CoreMap, decodeSideways, decodeText, detectText } from '#vision/ocr/detect-text.ts'
import type { Network } from '#vision/runtime/model.ts'
import {
  cornersOf,
  draw,
  type Line,
  maxCornerDistance,
  quadOf,
} from '../../support/photos/drawn-pictures.ts'

const [WIDTH, HEIGHT] = [448, 640]

type Map = CoreMap & { logits: Float32Array }

function emptyMap(): Map {
  const logits = new Float32Array(WIDTH * HEIGHT).fill(-9)
  return {
    width: WIDTH,
    height: HEIGHT,
    logits,
    logitAt: (x, y) => logits[y * WIDTH + x] ?? Number.NaN,
  }
}

/** Draws the core of a line as the network marks it: half as high, a quarter of the height shorter at both ends. */
function put(map: Map, line: Line, logit = 3): void {
  const { x, y, length, height, degrees = 0 } = line
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  for (let row = 0; row < map.height; row++) {
    for (let column = 0; column < map.width; column++) {
      const [right, down] = [column + 0.5 - x, row + 0.5 - y + 0.08 * height]
      const along = Math.abs(right * cos + down * sin)
      const across = Math.abs(down * cos - right * sin)
      if (along < length / 2 - 0.25 * height && across < 0.25 * height) {
        map.logits[row * map.width + column] = logit
      }
    }
  }
}

function decodeOne(map: CoreMap) {
  const [line, ...others] = decodeText(map)
  expect(others).toEqual([])
  if (line === undefined) throw new Error('No line was decoded.')
  return line
}

test('a pattern of thousands of dots is decoded to a few hundred lines at most', () => {
  const map = emptyMap()
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      if (x % 6 < 4 && y % 6 < 4) map.logits[y * WIDTH + x] = 3
    }
  }
  expect(decodeText(map).length).toBeLessThanOrEqual(400)
})

describe('a line', () => {
  test.each([8, 12, 16, 24, 40])('of height %i is detected at its position', (height) => {
    for (const [x, y] of [
      [200, 300],
      [203, 301],
      [199, 306],
    ] as const) {
      const map = emptyMap()
      const drawn = { x, y, length: 150, height }
      put(map, drawn)
      const { quad, score } = decodeOne(map)
      expect(maxCornerDistance(quad, quadOf(drawn))).toBeLessThan(0.15 * height + 1)
      expect(score).toBeCloseTo(1 / (1 + Math.exp(-3)))
    }
  })

  test.each([-11, -8, -4, -1, 1, 4, 8, 11])('tilted by %i degrees is one line', (degrees) => {
    for (const height of [10, 16, 24]) {
      const map = emptyMap()
      const drawn = { x: 220, y: 320, length: 300, height, degrees }
      put(map, drawn)
      expect(intersectionOverUnion(decodeOne(map).quad, quadOf(drawn))).toBeGreaterThan(0.8)
    }
  })

  test('of one digit is detected', () => {
    const map = emptyMap()
    const digit = { x: 202, y: 300, length: 24, height: 20 }
    put(map, digit)
    expect(intersectionOverUnion(decodeOne(map).quad, quadOf(digit))).toBeGreaterThan(0.6)
  })

  test('at the edge of the picture is detected', () => {
    const map = emptyMap()
    put(map, { x: 20, y: 6, length: 60, height: 14 })
    put(map, { x: 430, y: 636, length: 60, height: 14 })
    expect(decodeText(map)).toHaveLength(2)
  })

  test('needs a probability and a size', () => {
    const map = emptyMap()
    expect(decodeText(map)).toEqual([])
    put(map, { x: 200, y: 100, length: 120, height: 14 }, -0.2)
    put(map, { x: 200, y: 200, length: 4, height: 2 })
    expect(decodeText(map)).toEqual([])
  })

  test('is never sideways', () => {
    const map = emptyMap()
    put(map, { x: 200, y: 300, length: 200, height: 16, degrees: 90 })
    expect(decodeText(map)).toEqual([])
  })
})

test('sideways text is decoded as it is read to the top of the picture', () => {
  const map = emptyMap()
  const drawn = { x: 200, y: 300, length: 200, height: 16, degrees: -90 }
  put(map, drawn)
  const [line, ...others] = decodeSideways(map)
  expect(others).toEqual([])
  expect(line?.isSideways).toBe(true)
  const [from, to] = line?.quad ?? []
  expect([from?.x, to?.x].map((x) => Math.round((x ?? 0) / 10))).toEqual([19, 19])
  expect([from?.y, to?.y].map((y) => Math.round((y ?? 0) / 10))).toEqual([40, 20])
  expect(decodeText(map)).toEqual([])
})

describe('two lines', () => {
  test.each([8, 12, 16])('of height %i below each other are separate', (height) => {
    for (const degrees of [-3, 0, 3]) {
      const map = emptyMap()
      const upper = { x: 220, y: 300, length: 200, height, degrees }
      put(map, upper)
      put(map, { ...upper, y: 300 + height })
      expect(decodeText(map)).toHaveLength(2)
    }
  })

  test('beside each other are separate, also with a thin bridge between their cores', () => {
    const map = emptyMap()
    put(map, { x: 100, y: 300, length: 100, height: 20 })
    put(map, { x: 220, y: 300, length: 100, height: 20 })
    for (let x = 140; x < 180; x++) map.logits[299 * WIDTH + x] = 3
    const lines = decodeText(map).toSorted((one, other) => one.quad[0].x - other.quad[0].x)
    expect(lines).toHaveLength(2)
    expect(lines[0]?.quad[1].x).toBeLessThan(170)
    expect(lines[1]?.quad[0].x).toBeGreaterThan(155)
  })

  test('of one text are one: its core is thinner at both ends', () => {
    const map = emptyMap()
    put(map, { x: 200, y: 300, length: 200, height: 20 })
    for (let x = 96; x < 304; x++) map.logits[298 * WIDTH + x] = 3
    const { quad } = decodeOne(map)
    expect(quad[0].x).toBeLessThan(96)
    expect(quad[1].x).toBeGreaterThan(304)
  })

  test('with a narrow gap are one: faint print has several cores', () => {
    const map = emptyMap()
    put(map, { x: 150, y: 300, length: 100, height: 16 })
    put(map, { x: 222, y: 300, length: 40, height: 16 })
    put(map, { x: 340, y: 300, length: 60, height: 16 })
    const rights = decodeText(map).map(({ quad }) => Math.round(quad[1].x / 10) * 10)
    expect(rights.toSorted()).toEqual([240, 370])
  })

  test('whose cores meet further down are one area', () => {
    const map = emptyMap()
    // A fork: two prongs that join on the right.
    put(map, { x: 150, y: 296, length: 100, height: 8 })
    put(map, { x: 150, y: 306, length: 100, height: 8 })
    put(map, { x: 230, y: 301, length: 80, height: 32 })
    expect(decodeText(map)).toHaveLength(1)
  })
})

describe('the network', () => {
  const picture = { width: WIDTH, height: HEIGHT, data: new Uint8Array(WIDTH * HEIGHT) }
  const saying = (outputs: Record<string, Float32Array>): Network => ({
    name: 'text-detector',
    input: [HEIGHT, WIDTH, 1],
    setting: (name) => ({ stride: 4 })[name],
    run: () => outputs,
    close() {},
  })

  test('describes squares of pixels, row by row', () => {
    const map = emptyMap()
    put(map, { x: 203, y: 301, length: 150, height: 14 })
    const cells = Float32Array.from({ length: map.logits.length }, (_, at) => {
      const [cell, inside] = [Math.floor(at / 16), at % 16]
      const x = (cell % (WIDTH / 4)) * 4 + (inside % 4)
      const y = Math.floor(cell / (WIDTH / 4)) * 4 + Math.floor(inside / 4)
      return map.logitAt(x, y)
    })
    expect(detectText(saying({ text: cells }), picture)).toEqual(decodeText(map))
  })

  test('is rejected without its map', () => {
    expect(() => detectText(saying({}), picture)).toThrow('"text"')
  })

  test('receives luma', () => {
    const photo = draw(64, 64, (x) => (x < 32 ? [200, 100, 50] : [10, 20, 30]))
    const { data } = rectifyGray(buildPyramid(photo), cornersOf(photo), 64, 64)
    expect([data[0], data[63]]).toEqual([124, 18])
  })
})
