import { describe, expect, test } from 'bun:test'
import { LINE_KINDS, type LineKind, type PrintedLine, SCRIPTS } from '#rules/photos/text-line.ts'
import { buildPyramid, invert, project, type Quad, unitSquareTo } from '#vision/image/rectify.ts'
import { readText, readUpright } from '#vision/ocr/read-text.ts'
import type { Network } from '#vision/runtime/model.ts'
import { printedLine } from '../../support/photos/candidate-fixtures.ts'
import { draw } from '../../support/photos/drawn-pictures.ts'

const [COLUMNS, ROWS] = [112, 160]

/** A horizontal line in the rectified picture, 448 by 640 pixels. */
type Line = { left: number; right: number; y: number; height: number; kind: LineKind }

const line = (y: number, kind: LineKind = 'other', height = 12, right = 150): Line => {
  return { left: 50, right, y, height, kind }
}

/** Detects the first list of lines in the first picture, the second in the next, and so on. */
function finding(...pictures: readonly (readonly Line[])[]) {
  const shown: Float32Array[] = []
  const network: Network = {
    name: 'lines',
    input: [640, 448, 1],
    setting: (name) => ({ stride: 4, unit: 16, kinds: LINE_KINDS })[name],
    run(input) {
      shown.push(input)
      return mapsOf(pictures[shown.length - 1] ?? [])
    },
    close() {},
  }
  return { network, shown }
}

/** Draws the output of a perfect network. */
function mapsOf(lines: readonly Line[]) {
  const text = new Float32Array(ROWS * COLUMNS).fill(-6)
  const shape = new Float32Array(ROWS * COLUMNS * 2)
  const kind = new Float32Array(ROWS * COLUMNS * 3)
  for (const { left, right, y, height, kind: own } of lines) {
    for (let at = 0; at < ROWS * COLUMNS; at++) {
      const x = ((at % COLUMNS) + 0.5) * 4
      const away = y - (Math.floor(at / COLUMNS) + 0.5) * 4
      if (x < left + 0.25 * height || x > right - 0.25 * height || Math.abs(away) > 2.04) continue
      text[at] = 4
      shape.set([away / 16, Math.log(height / 16)], 2 * at)
      kind[3 * at + LINE_KINDS.indexOf(own)] = 3
    }
  }
  return { text, shape, kind }
}

/** Reads "ab" everywhere. */
function reading() {
  const shown: { input: Float32Array; width: number }[] = []
  const network: Network = {
    name: 'recognizer',
    input: [48, 480, 1],
    setting: (name) => ({ alphabet: 'ab', scripts: SCRIPTS, stride: 8, margin: 0.15 })[name],
    run(input, size) {
      const width = size?.width ?? 480
      shown.push({ input, width })
      const steps = input.length / (48 * 8)
      const text = Float32Array.from({ length: steps * 3 }, (_, at) => {
        const step = Math.floor(at / 3) % (width / 8)
        return at % 3 === Math.min(step + 1, 2) ? 9 : 0
      })
      return { text, about: new Float32Array(steps * (SCRIPTS.length + 1)).fill(1) }
    },
    close() {},
  }
  return { network, shown }
}

const photo = buildPyramid(draw(1200, 1600, () => [200, 200, 200]))
/** Twice as large as the rectified picture. */
const card: Quad = [
  { x: 100, y: 200 },
  { x: 996, y: 200 },
  { x: 996, y: 1480 },
  { x: 100, y: 1480 },
]

function read(
  lines: readonly (readonly Line[])[],
  { isSlab = false, isBrief = false, quad = card } = {},
) {
  const finder = finding(...lines)
  const reader = reading()
  const networks = { lines: finder.network, recognizer: reader.network }
  const print = readText(networks, photo, quad, { isSlab, isBrief })
  return { print, pictures: finder.shown.length, batches: reader.shown }
}

describe('a line of a card', () => {
  test('has a box in shares of the card, and a height in pixels of the photo', () => {
    const { print, pictures } = read([[line(160, 'name', 16, 274)]])
    expect(pictures).toBe(1)
    const [name, ...others] = print
    expect(others).toEqual([])
    expect(name).toMatchObject({ text: 'ab', kind: 'name', script: 'latin' })
    expect(name?.legibility).toBeCloseTo(1 / (1 + Math.exp(-1)))
    expect(name?.confidence).toBeGreaterThan(0.95)
    expect(name?.heightPx).toBeCloseTo(32, 1)
    expect(name?.box.top).toBeCloseTo(152 / 640, 3)
    expect(name?.box.bottom).toBeCloseTo(168 / 640, 3)
    // The ends are accurate to a cell.
    expect(Math.abs((name?.box.left ?? 9) - 50 / 448)).toBeLessThan(0.008)
    expect(Math.abs((name?.box.right ?? 9) - 274 / 448)).toBeLessThan(0.008)
  })

  test('has class probabilities', () => {
    const { print } = read([[line(100, 'name')]])
    expect(print[0]?.ctc.alphabet).toEqual(['', 'a', 'b'])
    const { ctc, box } = print[0] ?? {}
    // Margins: 1.3 heights high, and one height wider than the box.
    const heights = ((box?.right ?? 0) - (box?.left ?? 0)) * (448 / 12) + 1
    expect((ctc?.logProbabilities.length ?? 0) / 3).toBeCloseTo((heights / 1.3) * 6, -0.4)
  })

  test('is cropped at its position on a tilted card', () => {
    const quad: Quad = [
      { x: 300, y: 150 },
      { x: 1050, y: 320 },
      { x: 900, y: 1450 },
      { x: 120, y: 1250 },
    ]
    const toCard = invert(unitSquareTo(quad))
    // A black bar at the box of the line, on white.
    const levels = buildPyramid(
      draw(1200, 1600, (x, y) => {
        const at = project(toCard, { x, y })
        const inside = Math.abs(at.y * 640 - 560) < 8 && at.x * 448 > 50 && at.x * 448 < 250
        return inside ? [0, 0, 0] : [255, 255, 255]
      }),
    )
    const reader = reading()
    const { network } = finding([line(560, 'number', 16, 250)])
    const print = readText({ lines: network, recognizer: reader.network }, levels, quad, {
      isSlab: false,
    })
    expect(print).toHaveLength(1)
    const [{ input, width } = { input: new Float32Array(), width: 0 }] = reader.shown
    const at = (x: number, y: number) => input[y * width + x] ?? Number.NaN
    const end = (print[0]?.ctc?.logProbabilities.length ?? 0) / 3
    expect(end).toBeGreaterThan(37)
    for (let x = 22; x < end * 8 - 28; x += 6) {
      expect(at(x, 1)).toBeGreaterThan(0.5)
      expect(at(x, 46)).toBeGreaterThan(0.5)
      for (const y of [11, 24, 36]) expect(at(x, y)).toBeLessThan(-0.9)
    }
    expect(at(1, 24)).toBeGreaterThan(0.5)
    expect(at(end * 8 - 8, 24)).toBeGreaterThan(0.5)
  })

  test('is read once, even if two chains of cells cover all of it', () => {
    // The second half is lower. In one column, the network sees parts of both halves.
    const halves = [
      { ...line(102, 'name', 24, 154), left: 50 },
      { ...line(109.2, 'name', 24, 250), left: 146 },
      { ...line(102, 'name', 20, 156), left: 144 },
      { ...line(109.2, 'name', 20, 156), left: 144 },
    ]
    const { print } = read([halves])
    expect(print).toHaveLength(1)
    expect(print[0]?.box.left).toBeCloseTo(50 / 448, 1)
    expect(print[0]?.box.right).toBeCloseTo(250 / 448, 1)
  })

  test('is missing on a card without text', () => {
    expect(read([[]])).toEqual({ print: [], pictures: 1, batches: [] })
  })
})

describe('many lines', () => {
  const rows = Array.from({ length: 60 }, (_, row) => 8 + row * 10)

  test('are read in this order: names and numbers, header and footer, the shortest', () => {
    const few = Array.from({ length: 15 }, (_, row) => 8 + row * 44)
    const kinds = few.map((y, row) => {
      const kind = row === 6 ? 'name' : row === 9 ? 'number' : 'other'
      return line(y, kind, 8 + (row % 7) / 4, 58)
    })
    const { print } = read([kinds])
    const ranks = print.map(({ kind, box }) =>
      kind !== 'other' ? 0 : box.bottom < 0.14 || box.top > 0.82 ? 1 : 2,
    )
    expect(ranks.filter((rank) => rank === 0)).toHaveLength(2)
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other))
    for (const rank of [1, 2]) {
      const lengths = print.flatMap(({ box }, at) =>
        ranks[at] === rank ? [(box.right - box.left) / (box.bottom - box.top)] : [],
      )
      expect(lengths.length).toBeGreaterThan(2)
      expect(lengths).toEqual(lengths.toSorted((one, other) => one - other))
    }
  })

  test('begin with the widest name of the header, whatever short lines there are', () => {
    const short = rows.slice(3).map((y) => line(y, 'name', 8, 120))
    const { print } = read([[line(20, 'name', 16, 300), ...short]])
    expect(print[0]?.box.top).toBeLessThan(0.14)
    expect((print[0]?.box.right ?? 0) - (print[0]?.box.left ?? 0)).toBeGreaterThan(0.4)
  })

  test('of large words are read before rules', () => {
    const apart = Array.from({ length: 31 }, (_, row) => 8 + row * 20)
    const { print } = read([
      apart.map((y, row) => (row === 15 ? line(y, 'other', 16, 200) : line(y, 'other', 8, 58))),
    ])
    const tallest = print.toSorted((one, other) => other.heightPx - one.heightPx)[0]
    expect(tallest?.box.top).toBeCloseTo((308 - 8) / 640, 2)
  })

  test('are fewer of a card whose picture is certain: names, numbers of the footer, others', () => {
    const [name, lesser] = [line(20, 'name', 16, 200), line(130, 'name', 12, 90)]
    const [lone, footer] = [line(400, 'number', 12, 74), line(600, 'number', 12, 90)]
    const { print } = read([[line(300), lone, footer, lesser, name]], { isBrief: true })
    const order = print.map(({ kind, box }) => [kind, Math.round(box.top * 640 + 6)])
    expect(order).toEqual([
      ['name', 18],
      ['name', 130],
      ['number', 600],
      ['number', 400],
    ])
    const long = [520, 545, 570, 595, 620].map((y) => line(y, 'number', 8, 400))
    expect(read([long], { isBrief: true }).print).toHaveLength(2)
    expect(read([long]).print).toHaveLength(4)
  })

  test('are limited to forty', () => {
    // The shortest possible lines: one column each.
    const { print } = read([rows.map((y) => line(y, 'other', 6, 52))])
    expect(print.length).toBeLessThanOrEqual(40)
  })

  test('are limited by the number of columns', () => {
    const { print, batches } = read([rows.map((y) => line(y, 'other', 8, 400))])
    expect(print).toHaveLength(4)
    expect(batches.map(({ width }) => width)).toEqual([480])
  })
})

describe('a slab', () => {
  test('is searched twice, the second time only for the label', () => {
    const [onLabel, onCard] = [line(100, 'number', 16, 300), line(400, 'name', 16, 300)]
    const { print, pictures } = read([[line(50, 'name')], [onLabel, onCard]], { isSlab: true })
    expect(pictures).toBe(2)
    const [number, ...others] = print.toSorted((one, other) => one.box.top - other.box.top)
    expect(others.map(({ kind, box }) => [kind, box.top > 0])).toEqual([['name', true]])
    expect(number?.kind).toBe('number')
    expect(number?.box.top).toBeCloseTo(-0.35 + (92 / 640) * 1.166, 3)
    expect(Math.abs((number?.box.left ?? 9) - (-0.07 + (50 / 448) * 1.14))).toBeLessThan(0.01)
    expect(number?.heightPx).toBeCloseTo(16 * 2 * 1.166, 0)
  })

  test('is searched only if the card is in one', () => {
    expect(read([[], [line(100)]]).pictures).toBe(1)
  })

  test('at a steep angle has no label', () => {
    const askew: Quad = [
      { x: 50, y: 200 },
      { x: 1100, y: 200 },
      { x: 600, y: 1400 },
      { x: 500, y: 1400 },
    ]
    expect(read([[], [line(100)]], { isSlab: true, quad: askew })).toMatchObject({
      print: [],
      pictures: 1,
    })
  })
})

describe('the orientation of the text', () => {
  /** A card with these confident texts, one per orientation. */
  function cardWith(...texts: string[]) {
    const requested: number[] = []
    const print = (orientation: number, isBrief = false): PrintedLine[] => {
      requested.push(orientation)
      if (isBrief) return []
      return [printedLine(texts[orientation] ?? '')]
    }
    return { card: { orientations: texts.length, readText: print }, requested }
  }
  const found = (cosine: number, requested: number, distance = 400) => ({
    hits: [
      { card_id: 2, cosine, queryIndex: 0 },
      { card_id: 1, cosine, queryIndex: requested },
    ].slice(cosine > 0.9 ? 1 : 0),
    neighbors: [{ card_id: 1, cosine, distance }],
  })
  const textOf = (lines: readonly PrintedLine[]) => lines.map(({ text }) => text).join()

  test('is that of the best hit, if certain', () => {
    const { card, requested } = cardWith('upside down', 'upright text')
    expect(textOf(readUpright(card, found(0.95, 1)))).toBe('upright text')
    expect(requested).toEqual([1])
  })

  test('is that of the card that the hash finds, if the vector is not certain', () => {
    const { card, requested } = cardWith('upside down', 'upright text')
    expect(textOf(readUpright(card, found(0.7, 1, 250)))).toBe('upright text')
    expect(requested).toEqual([1])
  })

  test('is never read briefly if it is not certain', () => {
    const { card } = cardWith('a long line of text', 'x')
    expect(readUpright(card, found(0.95, 1), true)).toEqual([])
    expect(textOf(readUpright(card, found(0.5, 1), true))).toBe('a long line of text')
  })

  test.each([
    ['the first, if it has enough text', 'a long line of text', 'x', [0]],
    ['the other, if it has more text', 'x', 'a long line of text', [0, 1]],
    ['the first, if both are equal', 'x', 'y', [0, 1]],
  ])('is %s', (_, first, second, ways) => {
    const { card, requested } = cardWith(first, second)
    const text = readUpright(card, found(0.5, 1))
    expect(textOf(text)).toBe(first.length >= second.length ? first : second)
    expect(requested).toEqual(ways)
  })

  test('is undefined for a back', () => {
    expect(readUpright(cardWith().card, { hits: [], neighbors: [] })).toEqual([])
  })
})
