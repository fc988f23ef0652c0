import { describe, expect, test } from 'bun:test'
import { PHOTO_KINDS } from '#rules/photos/photo-reading.ts'
import {
  chooseSubject,
  type Detection,
  type DetectionGrid,
  decodeGrid,
  detectCards,
  detectInTiles,
  type Subject,
  suppressOverlaps,
} from '#vision/detect/detect-cards.ts'
import { intersectionOverUnion } from '#vision/detect/overlap.ts'
import { fitFrame, letterbox, rotateSquare, unrotatePoint } from '#vision/image/letterbox.ts'
import { buildPyramid, type Point, type Quad, type Size } from '#vision/image/rectify.ts'
import type { Network } from '#vision/runtime/model.ts'
import { cornersOf, draw, maxCornerDistance } from '../../support/photos/drawn-pictures.ts'

const CELLS = 40

const SQUARE = { width: 320, height: 320 }

/** A grid without detections. */
function emptyGrid(rows = CELLS): DetectionGrid {
  return {
    stride: 8,
    unit: 64,
    columns: CELLS,
    rows,
    kinds: ['raw', 'back', 'graded slab', 'sealed'],
    heat: new Float32Array(rows * CELLS * 4).fill(-9),
    quad: new Float32Array(rows * CELLS * 8),
  }
}

/** Draws the output of a perfect detector: heat at the center of a card, offsets around it. */
function put(grid: DetectionGrid, quad: Quad, kind: number, height = 2): void {
  const middle = {
    x: quad.reduce((sum, { x }) => sum + x / 4, 0),
    y: quad.reduce((sum, { y }) => sum + y / 4, 0),
  }
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      const at = row * grid.columns + column
      const [x, y] = [(column + 0.5) * 8, (row + 0.5) * 8]
      const away = Math.hypot(x - middle.x, y - middle.y) / 8
      if (away > 4) continue
      grid.heat[at * 4 + kind] = height - 2 * away
      for (const [index, corner] of quad.entries()) {
        grid.quad[at * 8 + 2 * index] = (corner.x - x) / 64
        grid.quad[at * 8 + 2 * index + 1] = (corner.y - y) / 64
      }
    }
  }
}

function cardAt(x: number, y: number, height: number, degrees = 0): Quad {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const corner = (across: number, down: number): Point => ({
    x: x + height * (0.716 * across * cos - down * sin),
    y: y + height * (0.716 * across * sin + down * cos),
  })
  return [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)]
}

const found = (quad: Quad, score = 0.9): Subject => ({ kind: 'raw', score, quad })
const under = (quad: Quad, score = 0.9): Detection => ({ kind: 'covered', score, quad })

describe('a heat peak', () => {
  test.each([0, 45, 90, 135, 180, 225, 270, 315])('is a card rotated by %i degrees', (degrees) => {
    const grid = emptyGrid()
    const card = cardAt(143, 171, 120, degrees)
    put(grid, card, 0)
    const [detection, ...others] = decodeGrid(grid)
    expect(others).toEqual([])
    expect(maxCornerDistance(detection?.quad ?? [], card)).toBeLessThan(0.001)
    expect(detection?.score).toBeGreaterThan(0.7)
  })

  test.each([0, 1, 2, 3])('has the kind of its map: %i', (kind) => {
    const grid = emptyGrid()
    put(grid, cardAt(100, 100, 90), kind)
    expect(decodeGrid(grid).map((detection) => detection.kind)).toEqual([grid.kinds[kind] ?? 'raw'])
  })

  test('at the edge of the photo is detected', () => {
    const grid = emptyGrid()
    put(grid, cardAt(3, 3, 90), 0)
    expect(decodeGrid(grid)).toHaveLength(1)
  })

  test('with a low score or invalid corners is ignored', () => {
    const grid = emptyGrid()
    put(grid, cardAt(100, 100, 90), 0, -1)
    expect(decodeGrid(grid)).toEqual([])
    const [a, b, c, d] = cardAt(100, 100, 90)
    put(grid, [a, d, c, b], 0, 3)
    expect(decodeGrid(grid)).toEqual([])
  })

  test('of a covered card needs a higher score than others', () => {
    const grid = { ...emptyGrid(), kinds: ['raw', 'back', 'graded slab', 'covered'] as const }
    put(grid, cardAt(101, 101, 90), 3, -0.6)
    expect(decodeGrid(grid)).toEqual([])
    put(grid, cardAt(101, 101, 90), 3, 0)
    expect(decodeGrid(grid).map(({ kind }) => kind)).toEqual(['covered'])
  })

  test('with an equal neighbor is one detection', () => {
    const grid = emptyGrid()
    // The center is between two cells.
    put(grid, cardAt(96, 100, 90), 0)
    expect(decodeGrid(grid)).toHaveLength(1)
  })
})

describe('overlapping cards', () => {
  test('have an intersection over union', () => {
    const square = cornersOf({ width: 10, height: 10 })
    const beside = square.map(({ x, y }) => ({ x: x + 5, y }))
    expect(intersectionOverUnion(square, square)).toBeCloseTo(1)
    expect(
      intersectionOverUnion(square, [
        beside[0],
        beside[1],
        beside[2],
        beside[3],
      ] as unknown as Quad),
    ).toBeCloseTo(1 / 3)
    expect(intersectionOverUnion(cardAt(0, 0, 50), cardAt(200, 0, 50))).toBe(0)
    // The intersection of a square with itself rotated by 45 degrees is a regular octagon.
    const turn = (degrees: number) =>
      [45, 135, 225, 315].map((angle) => ({
        x: Math.cos(((angle + degrees) * Math.PI) / 180),
        y: Math.sin(((angle + degrees) * Math.PI) / 180),
      })) as unknown as Quad
    const octagon = 4 * (Math.SQRT2 - 1)
    expect(intersectionOverUnion(turn(0), turn(45))).toBeCloseTo(octagon / (4 - octagon))
  })

  test('keep the one with the higher score', () => {
    const kept = suppressOverlaps([
      found(cardAt(100, 100, 80), 0.5),
      found(cardAt(104, 100, 80), 0.9),
      found(cardAt(300, 100, 80), 0.4),
    ])
    expect(kept.map(({ score }) => score)).toEqual([0.9, 0.4])
  })

  test('keep a card and its cover, and one of two glimpses of a card', () => {
    const kept = suppressOverlaps([
      found(cardAt(100, 100, 80), 0.9),
      under(cardAt(104, 100, 80), 0.7),
      under(cardAt(108, 100, 80), 0.6),
    ])
    expect(kept.map(({ kind, score }) => [kind, score])).toEqual([
      ['raw', 0.9],
      ['covered', 0.7],
    ])
  })

  test('are a slab only if it has the highest score', () => {
    const as = (kind: 'raw' | 'graded slab', score: number, left = 100) => ({
      ...found(cardAt(left, 100, 80), score),
      kind,
    })
    const kept = suppressOverlaps([
      as('graded slab', 0.85, 104),
      as('raw', 0.9),
      as('raw', 0.4, 400),
      as('graded slab', 0.5, 404),
    ])
    expect(kept.map(({ kind, score }) => [kind, score])).toEqual([
      ['raw', 0.9],
      ['graded slab', 0.5],
    ])
  })
})

describe('several items', () => {
  const photo = { width: 1000, height: 800 }

  test('count only if their size is similar to the largest', () => {
    const large = found(cardAt(250, 300, 500))
    const cards = [found(cardAt(700, 300, 250)), large, found(cardAt(900, 700, 60))]
    expect(chooseSubject(cards, photo)).toEqual({ chosen: large, items: 1 })
  })

  test('ignore backs beside faces', () => {
    const face = found(cardAt(300, 400, 300))
    const back = { ...found(cardAt(700, 400, 310)), kind: 'back' as const }
    expect(chooseSubject([back, face], photo)).toEqual({ chosen: face, items: 1 })
    expect(chooseSubject([back], photo)).toEqual({ chosen: back, items: 1 })
  })

  test('of similar size select the central one', () => {
    const central = found(cardAt(520, 390, 240))
    const cards = [found(cardAt(120, 200, 260)), central, found(cardAt(850, 500, 250))]
    expect(chooseSubject(cards, photo)).toEqual({ chosen: central, items: 3 })
  })

  test('include a covered card that touches the subject, not one elsewhere or a small one', () => {
    const top = found(cardAt(500, 400, 400))
    const covered = under(cardAt(500, 330, 400))
    expect(chooseSubject([top, covered], photo)).toEqual({ chosen: top, items: 2 })
    expect(chooseSubject([covered, top], photo).items).toBe(2)
    const others = [under(cardAt(90, 100, 400)), under(cardAt(500, 330, 150))]
    expect(chooseSubject([top, ...others], photo)).toEqual({ chosen: top, items: 1 })
    expect(chooseSubject([covered], photo)).toEqual({ chosen: undefined, items: 0 })
  })

  test('do not include a frame within the subject', () => {
    const card = found(cardAt(500, 400, 400))
    for (const part of [under(cardAt(500, 380, 300)), found(cardAt(510, 400, 330))]) {
      expect(chooseSubject([card, part], photo)).toEqual({ chosen: card, items: 1 })
    }
  })

  test('are optional', () => {
    expect(chooseSubject([], photo)).toEqual({ chosen: undefined, items: 0 })
  })
})

describe('a letterboxed photo', () => {
  test.each([
    [2400, 1800, 320, 240],
    [1801, 2399, 240, 320],
    [320, 100, 320, 100],
    [200, 150, 320, 240],
  ] as const)('%i by %i fills %i by %i at the top left', (width, height, wide, tall) => {
    const photo = draw(width, height, (x, y) => [(x / width) * 200, (y / height) * 200, 7])
    const { pixels, scaleX, scaleY } = letterbox(
      buildPyramid(photo),
      { left: 0, top: 0, width, height },
      SQUARE,
    )
    expect([Math.round(width * scaleX), Math.round(height * scaleY)]).toEqual([wide, tall])
    const at = (x: number, y: number) => [
      ...pixels.subarray((y * 320 + x) * 3, (y * 320 + x) * 3 + 3),
    ]
    const [red = 0, green = 0, blue] = at(wide >> 1, tall >> 1)
    expect(Math.abs(red - 100)).toBeLessThan(2)
    expect(Math.abs(green - 100)).toBeLessThan(2)
    expect(blue).toBe(7)
    expect(at(wide - 1, tall - 1)[2]).toBe(7)
    if (tall < 320) expect(at(0, tall)).toEqual([128, 128, 128])
    if (wide < 320) expect(at(wide, 0)).toEqual([128, 128, 128])
  })

  test.each([
    [
      { width: 2000, height: 1500 },
      { width: 320, height: 256 },
    ],
    [
      { width: 1500, height: 2000 },
      { width: 256, height: 320 },
    ],
    [{ width: 1600, height: 1600 }, SQUARE],
    [
      { width: 4000, height: 30 },
      { width: 320, height: 32 },
    ],
  ])('the frame for %j has the minimum size', (window: Size, frame: Size) => {
    expect(fitFrame(window, 320, 32)).toEqual(frame)
  })

  test('averages the area of each pixel', () => {
    const stripes = draw(960, 960, (x) => (Math.floor(x) % 3 === 0 ? [240, 240, 240] : [0, 0, 0]))
    const window = { left: 0, top: 0, width: 960, height: 960 }
    const { pixels } = letterbox(buildPyramid(stripes), window, SQUARE)
    const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length
    expect(mean).toBeCloseTo(80, 0)
  })

  test('maps corners to pixels of the photo, from the whole and from a tile', () => {
    const photo = draw(1600, 1200, () => [10, 20, 30])
    const card = cardAt(400, 300, 500, 20)
    /** Detects the card in the first region only. */
    const seeing = (left: number, top: number, scale: number): Network => {
      let isFirst = true
      const shown = card.map(({ x, y }) => ({ x: (x - left) * scale, y: (y - top) * scale }))
      return {
        name: 'detector',
        input: [320, 320, 3],
        setting: (name) => ({ stride: 8, unit: 64, kinds: PHOTO_KINDS })[name],
        run(_input, { height } = SQUARE) {
          const grid = emptyGrid(height / 8)
          if (isFirst) put(grid, shown as unknown as Quad, 0)
          isFirst = false
          return { heat: grid.heat, quad: grid.quad }
        },
        close() {},
      }
    }
    const levels = buildPyramid(photo)
    const [inWhole] = detectCards(seeing(0, 0, 0.2), levels)
    expect(maxCornerDistance(inWhole?.quad ?? [], card)).toBeLessThan(0.01)
    const [inTile] = detectInTiles(seeing(0, 0, 1 / 3), levels, [])
    expect(maxCornerDistance(inTile?.quad ?? [], card)).toBeLessThan(0.01)
  })

  test.each([0, 1, 2, 3])('rotated %i times maps points back', (turns) => {
    const pixels = Uint8Array.from({ length: 4 * 4 * 3 }, (_, index) => index)
    const turned = rotateSquare(pixels, 4, turns)
    expect(rotateSquare(turned, 4, (4 - turns) % 4)).toEqual(pixels)
    // The top left pixel moves clockwise from corner to corner.
    const corner = [0, 3, 15, 12][turns] ?? 0
    expect([...turned.subarray(corner * 3, corner * 3 + 3)]).toEqual([0, 1, 2])
    const [x, y] = [(corner % 4) + 0.5, Math.floor(corner / 4) + 0.5]
    expect(unrotatePoint({ x, y }, 4, turns)).toEqual({ x: 0.5, y: 0.5 })
  })
})
