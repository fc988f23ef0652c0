import { describe, expect, test } from 'bun:test'
import { LINE_KINDS } from '#rules/photos/text-line.ts'
import { intersectionOverUnion } from '#vision/detect/overlap.ts'
import { rectifyGray } from '#vision/image/gray.ts'
import { buildPyramid } from '#vision/image/rectify.ts'
import { decodeLines, detectLines, type LineMaps } from '#vision/ocr/detect-lines.ts'
import type { Network } from '#vision/runtime/model.ts'
import {
  cornersOf,
  draw,
  type Line,
  maxCornerDistance,
  quadOf,
} from '../../support/photos/drawn-pictures.ts'
import golden from './golden-print.json'

const [NAME, NUMBER, OTHER] = [0, 1, 2]

/** Maps without lines. */
function emptyMaps(columns = 112, rows = 160): LineMaps {
  return {
    stride: 4,
    unit: 16,
    kinds: LINE_KINDS,
    columns,
    rows,
    text: new Float32Array(rows * columns).fill(-6),
    shape: new Float32Array(rows * columns * 2),
    kind: new Float32Array(rows * columns * 3),
  }
}

/** Draws the output of a perfect network: score, offset and height along the core of a line. */
function put(maps: LineMaps, line: Line, kind = OTHER, logit = 3): void {
  const { x, y, length, height, degrees = 0 } = line
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  for (let row = 0; row < maps.rows; row++) {
    for (let column = 0; column < maps.columns; column++) {
      const [right, down] = [(column + 0.5) * 4 - x, (row + 0.5) * 4 - y]
      const along = right * cos + down * sin
      const across = down * cos - right * sin
      if (Math.abs(along) >= Math.max(length / 2 - 0.25 * height, 2)) continue
      if (Math.abs(across) >= Math.max(0.2 * height, 2.04)) continue
      const at = row * maps.columns + column
      maps.text[at] = logit
      maps.shape[2 * at] = -across / cos / 16
      maps.shape[2 * at + 1] = Math.log(height / 16)
      maps.kind.set([0, 0, 0], 3 * at)
      maps.kind[3 * at + kind] = 2
    }
  }
}

describe('a line', () => {
  test.each([6, 9, 14, 22, 34])('of height %i is detected at its position', (height) => {
    for (const [x, y] of [
      [200, 300],
      [203, 301],
      [199, 306],
    ] as const) {
      const maps = emptyMaps()
      put(maps, { x, y, length: 150, height })
      const [line, ...others] = decodeLines(maps)
      expect(others).toEqual([])
      // The ends are accurate to a cell.
      expect(
        maxCornerDistance(line?.quad ?? [], quadOf({ x, y, length: 150, height })),
      ).toBeLessThan(3)
      expect(line?.score).toBeCloseTo(1 / (1 + Math.exp(-3)))
    }
  })

  test.each([-11, -8, -4, -1, 1, 4, 8, 11])('tilted by %i degrees is one line', (degrees) => {
    for (const height of [10, 16, 24]) {
      const maps = emptyMaps()
      const drawn = { x: 220, y: 320, length: 300, height, degrees }
      put(maps, drawn)
      const [line, ...others] = decodeLines(maps)
      expect(others).toEqual([])
      expect(
        intersectionOverUnion(line?.quad ?? quadOf({ ...drawn, y: 0 }), quadOf(drawn)),
      ).toBeGreaterThan(0.9)
    }
  })

  test.each([NAME, NUMBER, OTHER])('has the kind of most of its cells: %i', (kind) => {
    const maps = emptyMaps()
    put(maps, { x: 200, y: 300, length: 100, height: 14 }, kind)
    // A single cell with a high logit of another kind.
    maps.kind.set([-1, -1, -1], 3 * (75 * 112 + 50))
    maps.kind[3 * (75 * 112 + 50) + ((kind + 1) % 3)] = 9
    expect(decodeLines(maps).map((line) => line.kind)).toEqual([LINE_KINDS[kind] ?? 'other'])
  })

  test('at the edge of the picture is detected', () => {
    const maps = emptyMaps()
    put(maps, { x: 20, y: 6, length: 60, height: 14 })
    put(maps, { x: 440, y: 636, length: 60, height: 14 })
    expect(decodeLines(maps)).toHaveLength(2)
  })

  test('of one column needs a higher score', () => {
    const maps = emptyMaps()
    const digit = { x: 202, y: 300, length: 10, height: 20 }
    put(maps, digit, NUMBER, 0.5)
    expect(decodeLines(maps)).toEqual([])
    put(maps, digit, NUMBER, 2)
    const [line] = decodeLines(maps)
    expect(maxCornerDistance(line?.quad ?? [], quadOf(digit))).toBeLessThan(3)
  })

  test.each([8, 14, 24])('of height %i reaches to its weak first and last characters', (height) => {
    const maps = emptyMaps()
    const whole = { x: 200, y: 300, length: 120, height }
    put(maps, whole, NUMBER, -1.5)
    put(maps, { ...whole, length: 60 }, NUMBER, 3)
    const [line, ...others] = decodeLines(maps)
    expect(others).toEqual([])
    expect(maxCornerDistance(line?.quad ?? [], quadOf(whole))).toBeLessThan(4)
    // The score is that of the certain part.
    expect(line?.score).toBeGreaterThan(0.9)
  })

  test('does not reach across a gap, to other heights or to other middles', () => {
    for (const [x, y, height] of [
      [262, 300, 14],
      [246, 300, 30],
      [246, 311, 14],
    ] as const) {
      const maps = emptyMaps()
      put(maps, { x, y, length: 40, height }, OTHER, -1.5)
      put(maps, { x: 190, y: 300, length: 80, height: 14 })
      const [line, ...others] = decodeLines(maps)
      expect(others).toEqual([])
      expect(line?.quad[1].x).toBeLessThan(233)
    }
  })

  test('has no weak part alone', () => {
    const maps = emptyMaps()
    put(maps, { x: 200, y: 300, length: 120, height: 14 }, NUMBER, -0.1)
    expect(decodeLines(maps)).toEqual([])
  })

  test('needs a minimum score', () => {
    expect(decodeLines(emptyMaps())).toEqual([])
  })
})

describe('two lines', () => {
  test.each([8, 9, 12, 16])('of height %i that touch are separate', (height) => {
    for (const degrees of [-3, 0, 3]) {
      const maps = emptyMaps()
      const upper = { x: 220, y: 300, length: 200, height, degrees }
      const lower = { ...upper, y: 300 + height }
      put(maps, upper)
      put(maps, lower)
      const lines = decodeLines(maps).toSorted((one, other) => one.quad[0].y - other.quad[0].y)
      expect(lines).toHaveLength(2)
      for (const [index, drawn] of [upper, lower].entries()) {
        const found = lines[index]?.quad ?? quadOf({ ...drawn, y: 0 })
        expect(intersectionOverUnion(found, quadOf(drawn))).toBeGreaterThan(0.8)
      }
    }
  })

  test.each([
    [10, 1],
    [16, 2],
    [24, 3],
    [34, 5],
  ])('of height %i are parted by more than %i empty columns', (height, bridged) => {
    const linesWith = (gap: number) => {
      const maps = emptyMaps()
      put(maps, { x: 200, y: 300, length: 200, height })
      for (let row = 0; row < maps.rows; row++) {
        maps.text.fill(-6, row * maps.columns + 50, row * maps.columns + 50 + gap)
      }
      return decodeLines(maps).length
    }
    expect([0, bridged, bridged + 1].map(linesWith)).toEqual([1, 1, 2])
  })

  test.each([10, 16, 24])('of height %i are separate with half a height between them', (height) => {
    const maps = emptyMaps()
    put(maps, { x: 150, y: 300, length: 100, height })
    put(maps, { x: 250 + height / 2, y: 300, length: 100, height })
    expect(decodeLines(maps)).toHaveLength(2)
  })

  test('of very different heights are separate', () => {
    const maps = emptyMaps()
    put(maps, { x: 150, y: 300, length: 100, height: 10 })
    put(maps, { x: 252, y: 300, length: 100, height: 24 })
    expect(decodeLines(maps)).toHaveLength(2)
  })
})

describe('training and service', () => {
  const mapOf = (data: string, scale: number) =>
    Float32Array.from(new Int8Array(Buffer.from(data, 'base64')), (value) => value / scale)

  test.each(golden.maps.map((map) => [map.lines.length, map] as const))(
    'decode the same %i lines',
    (_, { rows, columns, text, shape, kind, lines }) => {
      const { scales } = golden
      const found = decodeLines({
        ...emptyMaps(columns, rows),
        text: mapOf(text, scales.text),
        shape: mapOf(shape, scales.shape),
        kind: mapOf(kind, scales.kind),
      })
      expect(found.map((line): string => line.kind)).toEqual(lines.map((line) => line.kind))
      for (const [index, line] of found.entries()) {
        const { quad = [], score = 0 } = lines[index] ?? {}
        const corners = [0, 2, 4, 6].map((at) => ({ x: quad[at] ?? 0, y: quad[at + 1] ?? 0 }))
        expect(maxCornerDistance(line.quad, corners)).toBeLessThan(0.05)
        expect(line.score).toBeCloseTo(score, 3)
      }
    },
  )
})

describe('the network', () => {
  const saying = (outputs: Record<string, Float32Array>, kinds: unknown = LINE_KINDS): Network => ({
    name: 'lines',
    input: [640, 448, 1],
    setting: (name) => ({ stride: 4, unit: 16, kinds })[name],
    run: () => outputs,
    close() {},
  })
  const picture = { width: 448, height: 640, data: new Uint8Array(448 * 640) }
  const mapsWithLine = () => {
    const maps = emptyMaps()
    put(maps, { x: 200, y: 300, length: 150, height: 14 }, NAME)
    return { text: maps.text, shape: maps.shape, kind: maps.kind }
  }

  test('provides its settings', () => {
    const [line] = detectLines(saying(mapsWithLine(), ['number', 'name', 'other']), picture)
    expect(line?.kind).toBe('number')
  })

  test('is rejected with unknown kinds or missing maps', () => {
    expect(() => detectLines(saying(mapsWithLine(), ['title']), picture)).toThrow('"title"')
    expect(() => detectLines(saying(mapsWithLine(), 'name'), picture)).toThrow(
      '"kinds" must be a list',
    )
    expect(() => detectLines(saying({ text: new Float32Array(1) }), picture)).toThrow('shape')
  })

  test('receives luma', () => {
    const photo = draw(64, 64, (x) => (x < 32 ? [200, 100, 50] : [10, 20, 30]))
    const { data } = rectifyGray(buildPyramid(photo), cornersOf(photo), 64, 64)
    expect([data[0], data[63]]).toEqual([124, 18])
  })
})
