import { describe, expect, test } from 'bun:test'
import { PHOTO_KINDS } from '#rules/photos/photo-reading.ts'
import {
  chooseSubject,
  type Detection,
  type DetectionGrid,
  decodeGrid,
  detectCards,
  detectInTiles,
  intersectionOverUnion,
  suppressOverlaps,
} from '#vision/detect/detect-cards.ts'
import {
  fitFrame,
  letterbox,
  rotateSquare,
  type Size,
  unrotatePoint,
} from '#vision/image/letterbox.ts'
import { buildPyramid, type Point, type Quad } from '#vision/image/rectify.ts'
import type { Network } from '#vision/runtime/model.ts'
import { cornersOf, draw, maxCornerDistance } from '../../support/photos/drawn-pictures.ts'

const CELLS = 40

const SQUARE = { width: 320, height: 320 }

/** A grid in which nothing is hot. */
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

/** What a perfect detector says of a card: a hot hill at its middle, offsets all round it. */
function put(detectionGrid: DetectionGrid, quad: Quad, kind: number, height = 2): void {
  const middle = {
    x: quad.reduce((sum, { x }) => sum + x / 4, 0),
    y: quad.reduce((sum, { y }) => sum + y / 4, 0),
  }
  for (let row = 0; row < detectionGrid.rows; row++) {
    for (let column = 0; column < detectionGrid.columns; column++) {
      const at = row * detectionGrid.columns + column
      const [x, y] = [(column + 0.5) * 8, (row + 0.5) * 8]
      const away = Math.hypot(x - middle.x, y - middle.y) / 8
      if (away > 4) continue
      detectionGrid.heat[at * 4 + kind] = height - 2 * away
      for (const [index, corner] of quad.entries()) {
        detectionGrid.quad[at * 8 + 2 * index] = (corner.x - x) / 64
        detectionGrid.quad[at * 8 + 2 * index + 1] = (corner.y - y) / 64
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

const found = (quad: Quad, score = 0.9): Detection => ({ kind: 'raw', score, quad })

describe('a peak of the heat', () => {
  test.each([0, 45, 90, 135, 180, 225, 270, 315])('is a card turned by %i degrees', (degrees) => {
    const detectionGrid = emptyGrid()
    const card = cardAt(143, 171, 120, degrees)
    put(detectionGrid, card, 0)
    const [detection, ...others] = decodeGrid(detectionGrid)
    expect(others).toEqual([])
    expect(maxCornerDistance(detection?.quad ?? [], card)).toBeLessThan(0.001)
    expect(detection?.score).toBeGreaterThan(0.7)
  })

  test.each([0, 1, 2, 3])('has the kind whose map it is in: %i', (kind) => {
    const grid = emptyGrid()
    put(grid, cardAt(100, 100, 90), kind)
    expect(decodeGrid(grid).map((detection) => detection.kind)).toEqual([grid.kinds[kind] ?? 'raw'])
  })

  test('at the edge of the photo counts as one in its middle', () => {
    const grid = emptyGrid()
    put(grid, cardAt(3, 3, 90), 0)
    expect(decodeGrid(grid)).toHaveLength(1)
  })

  test('too cool, or with corners that bound no card, is nothing', () => {
    const grid = emptyGrid()
    put(grid, cardAt(100, 100, 90), 0, -1)
    expect(decodeGrid(grid)).toEqual([])
    const [a, b, c, d] = cardAt(100, 100, 90)
    put(grid, [a, d, c, b], 0, 3)
    expect(decodeGrid(grid)).toEqual([])
  })

  test('two equal neighbours are one peak', () => {
    const grid = emptyGrid()
    // The middle lies between two cells.
    put(grid, cardAt(96, 100, 90), 0)
    expect(decodeGrid(grid)).toHaveLength(1)
  })
})

describe('cards that overlap', () => {
  test('are as much one as they share', () => {
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
    // A square and the same turned by 45 degrees share a regular octagon.
    const turn = (degrees: number) =>
      [45, 135, 225, 315].map((angle) => ({
        x: Math.cos(((angle + degrees) * Math.PI) / 180),
        y: Math.sin(((angle + degrees) * Math.PI) / 180),
      })) as unknown as Quad
    const octagon = 4 * (Math.SQRT2 - 1)
    expect(intersectionOverUnion(turn(0), turn(45))).toBeCloseTo(octagon / (4 - octagon))
  })

  test('are kept as the surer of the two', () => {
    const kept = suppressOverlaps([
      found(cardAt(100, 100, 80), 0.5),
      found(cardAt(104, 100, 80), 0.9),
      found(cardAt(300, 100, 80), 0.4),
    ])
    expect(kept.map(({ score }) => score)).toEqual([0.9, 0.4])
  })

  test('a slab, where the card in it is seen more surely', () => {
    const as = (kind: 'raw' | 'graded slab', score: number, left = 100) => ({
      ...found(cardAt(left, 100, 80), score),
      kind,
    })
    const kept = suppressOverlaps([
      as('graded slab', 0.3, 104),
      as('raw', 0.9),
      as('raw', 0.5, 400),
    ])
    expect(kept.map(({ kind, score }) => [kind, score])).toEqual([
      ['graded slab', 0.9],
      ['raw', 0.5],
    ])
  })
})

describe('of several things', () => {
  const photo = { width: 1000, height: 800 }

  test('the one that is much larger is read, and smaller ones are no items', () => {
    const large = found(cardAt(250, 300, 500))
    const cards = [found(cardAt(700, 300, 250)), large, found(cardAt(900, 700, 60))]
    expect(chooseSubject(cards, photo)).toEqual({ chosen: large, items: 1 })
  })

  test('a back beside a face is its other side', () => {
    const face = found(cardAt(300, 400, 300))
    const back = { ...found(cardAt(700, 400, 310)), kind: 'back' as const }
    expect(chooseSubject([back, face], photo)).toEqual({ chosen: face, items: 1 })
    expect(chooseSubject([back], photo)).toEqual({ chosen: back, items: 1 })
  })

  test('of about equal ones, the one in the middle is read', () => {
    const central = found(cardAt(520, 390, 240))
    const cards = [found(cardAt(120, 200, 260)), central, found(cardAt(850, 500, 250))]
    expect(chooseSubject(cards, photo)).toEqual({ chosen: central, items: 3 })
  })

  test('none is chosen of none', () => {
    expect(chooseSubject([], photo)).toEqual({ chosen: undefined, items: 0 })
  })
})

describe('a photo in a square', () => {
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
  ])('the frame for %j is no larger than it must be', (window: Size, frame: Size) => {
    expect(fitFrame(window, 320, 32)).toEqual(frame)
  })

  test('shrinks to the mean of what each pixel covers', () => {
    const stripes = draw(960, 960, (x) => (Math.floor(x) % 3 === 0 ? [240, 240, 240] : [0, 0, 0]))
    const window = { left: 0, top: 0, width: 960, height: 960 }
    const { pixels } = letterbox(buildPyramid(stripes), window, SQUARE)
    const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length
    expect(mean).toBeCloseTo(80, 0)
  })

  test('corners come back in pixels of the photo, from the whole and from a tile', () => {
    const photo = draw(1600, 1200, () => [10, 20, 30])
    const card = cardAt(400, 300, 500, 20)
    /** Sees the card in whatever part of the photo it is shown first; nothing after that. */
    const seeing = (left: number, top: number, scale: number): Network => {
      let isFirst = true
      const shown = card.map(({ x, y }) => ({ x: (x - left) * scale, y: (y - top) * scale }))
      return {
        name: 'detector',
        input: [320, 320, 3],
        setting: (name) => ({ stride: 8, unit: 64, kinds: PHOTO_KINDS })[name],
        run(_input, { height } = SQUARE) {
          const detectionGrid = emptyGrid(height / 8)
          if (isFirst) put(detectionGrid, shown as unknown as Quad, 0)
          isFirst = false
          return { heat: detectionGrid.heat, quad: detectionGrid.quad }
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

  test.each([0, 1, 2, 3])('a square that is turned %i times is turned back', (turns) => {
    const pixels = Uint8Array.from({ length: 4 * 4 * 3 }, (_, index) => index)
    const turned = rotateSquare(pixels, 4, turns)
    expect(rotateSquare(turned, 4, (4 - turns) % 4)).toEqual(pixels)
    // The top left pixel goes clockwise from corner to corner.
    const corner = [0, 3, 15, 12][turns] ?? 0
    expect([...turned.subarray(corner * 3, corner * 3 + 3)]).toEqual([0, 1, 2])
    const [x, y] = [(corner % 4) + 0.5, Math.floor(corner / 4) + 0.5]
    expect(unrotatePoint({ x, y }, 4, turns)).toEqual({ x: 0.5, y: 0.5 })
  })
})
