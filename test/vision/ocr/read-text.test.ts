import { describe, expect, test } from 'bun:test'
import { type LineKind, type PrintedLine, SCRIPTS } from '#rules/photos/text-line.ts'
import {
  buildPyramid,
  invert,
  project,
  type Quad,
  rotateQuad,
  type Size,
  unitSquareTo,
} from '#vision/image/rectify.ts'
import type { TextDetail } from '#vision/observation.ts'
import { kindOf, type RankedLine } from '#vision/ocr/rank-lines.ts'
import { createTextReader, readUpright } from '#vision/ocr/read-text.ts'
import type { Network } from '#vision/runtime/model.ts'
import { printedLine } from '../../support/photos/candidate-fixtures.ts'
import { draw } from '../../support/photos/drawn-pictures.ts'

/** A horizontal line, in thousandths of the picture's sides. */
type Line = { left: number; right: number; y: number; height: number; isSideways?: boolean }

const line = (y: number, height = 20, right = 350): Line => ({ left: 110, right, y, height })

/** Detects the first list of lines in the first picture, the second in the next, and so on. */
function finding(...pictures: readonly (readonly Line[])[]) {
  const shown: Size[] = []
  const network: Network = {
    name: 'text-detector',
    input: [896, 640, 1],
    setting: (name) => ({ stride: 4 })[name],
    run(_, size = { width: 640, height: 896 }) {
      shown.push(size)
      return { text: mapOf(pictures[shown.length - 1] ?? [], size) }
    },
    close() {},
  }
  return { network, shown }
}

/** Draws the output of the network: the core of a line is half as high, and a quarter of the height shorter at its ends. */
function mapOf(lines: readonly Line[], { width, height }: Size): Float32Array {
  const text = new Float32Array(width * height).fill(-9)
  for (const { isSideways = false, ...own } of lines) {
    const [long, across] = isSideways ? [height, width] : [width, height]
    const high = (own.height * across) / 1000
    const middle = (own.y * across) / 1000 - 0.08 * high
    const [left, right] = [
      (own.left * long) / 1000 + high / 4,
      (own.right * long) / 1000 - high / 4,
    ]
    for (let down = Math.round(middle - high / 4); down < Math.round(middle + high / 4); down++) {
      for (let along = Math.round(left); along < right; along++) {
        const [x, y] = isSideways ? [down, height - 1 - along] : [along, down]
        const cell = Math.floor(y / 4) * (width / 4) + Math.floor(x / 4)
        text[16 * cell + 4 * (y % 4) + (x % 4)] = 4
      }
    }
  }
  return text
}

/** Reads one text everywhere. */
function reading(text = 'ab') {
  const alphabet = [...new Set(text)]
  const shown: { input: Float32Array; width: number }[] = []
  const network: Network = {
    name: 'recognizer',
    input: [48, 480, 1],
    setting: (name) =>
      ({ alphabet: alphabet.join(''), scripts: SCRIPTS, stride: 8, margin: 0.15 })[name],
    run(input, size) {
      const width = size?.width ?? 480
      shown.push({ input, width })
      const steps = input.length / (48 * 8)
      const classes = alphabet.length + 1
      const logits = Float32Array.from({ length: steps * classes }, (_, at) => {
        const step = Math.floor(at / classes) % (width / 8)
        const letter = text[Math.min(step, text.length - 1)] ?? ''
        return at % classes === alphabet.indexOf(letter) + 1 ? 9 + text.length : 0
      })
      return { text: logits, about: new Float32Array(steps * (SCRIPTS.length + 1)).fill(1) }
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
  { isSlab = false, detail = 'all' as TextDetail, quad = card, text = 'ab' } = {},
) {
  const finder = finding(...lines)
  const reader = reading(text)
  const networks = { textDetector: finder.network, recognizer: reader.network }
  const print = createTextReader(networks, photo, () => quad, { isSlab })(0, detail)
  return { print, pictures: finder.shown, batches: reader.shown }
}

/** Returns the middles of lines, in thousandths of the card's height. */
const middles = (print: readonly PrintedLine[]) =>
  print.map(({ box }) => Math.round(500 * (box.top + box.bottom)))

describe('a line of a card', () => {
  test('has a box in shares of the card, and a height in pixels of the photo', () => {
    const { print, pictures } = read([[line(80, 40, 600)]])
    expect(pictures).toHaveLength(1)
    const [name, ...others] = print
    expect(others).toEqual([])
    expect(name).toMatchObject({ text: 'ab', script: 'latin' })
    expect(name?.legibility).toBeCloseTo(1 / (1 + Math.exp(-1)))
    expect(name?.confidence).toBeGreaterThan(0.95)
    expect(Math.abs((name?.heightPx ?? 0) - 0.04 * 1280)).toBeLessThan(5)
    const { left, top, right, bottom } = name?.box ?? { left: 9, top: 9, right: 9, bottom: 9 }
    expect(Math.abs(top - 0.06)).toBeLessThan(0.003)
    expect(Math.abs(bottom - 0.1)).toBeLessThan(0.003)
    expect(Math.abs(left - 0.11)).toBeLessThan(0.01)
    expect(Math.abs(right - 0.6)).toBeLessThan(0.01)
  })

  test('has class probabilities', () => {
    const { print } = read([[line(100)]])
    expect(print[0]?.ctc.alphabet).toEqual(['', 'a', 'b'])
    const { ctc, box, heightPx = 0 } = print[0] ?? {}
    // Margins: 1.3 heights high, and one height wider than the box.
    const heights = (((box?.right ?? 0) - (box?.left ?? 0)) * 896) / heightPx + 1
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
        const inside = Math.abs(at.y - 0.875) < 0.0125 && at.x > 0.11 && at.x < 0.56
        return inside ? [0, 0, 0] : [255, 255, 255]
      }),
    )
    const reader = reading()
    const { network } = finding([line(875, 25, 560)])
    const networks = { textDetector: network, recognizer: reader.network }
    const print = createTextReader(networks, levels, () => quad, { isSlab: false })(0)
    expect(print).toHaveLength(1)
    const [{ input, width } = { input: new Float32Array(), width: 0 }] = reader.shown
    const at = (x: number, y: number) => input[y * width + x] ?? Number.NaN
    const end = (print[0]?.ctc?.logProbabilities.length ?? 0) / 3
    expect(end).toBeGreaterThan(37)
    for (let x = 22; x < end * 8 - 28; x += 6) {
      expect(at(x, 1)).toBeGreaterThan(0.5)
      expect(at(x, 46)).toBeGreaterThan(0.5)
      for (const y of [13, 24, 34]) expect(at(x, y)).toBeLessThan(-0.9)
    }
    expect(at(1, 24)).toBeGreaterThan(0.5)
    expect(at(end * 8 - 8, 24)).toBeGreaterThan(0.5)
  })

  test('is missing on a card without text', () => {
    expect(read([[]])).toMatchObject({ print: [], batches: [] })
  })
})

describe('sideways text', () => {
  test('is turned if all text of the card is sideways, which then has the name at its head', () => {
    const sideways = [line(80, 40, 600), line(940, 30, 300)].map((own) => ({
      ...own,
      isSideways: true,
    }))
    const { print } = read([sideways])
    expect(middles(print)).toEqual([80, 940].map((y) => expect.closeTo(y, -1.3)))
    expect(print[0]?.box.left).toBeCloseTo(0.11, 1)
  })

  test('is turned beside the upright number at the foot of a card that is played on its side', () => {
    const names = [line(80, 40, 600), line(300, 40, 600)].map((own) => ({
      ...own,
      isSideways: true,
    }))
    const { print } = read([[...names, line(500, 20, 200), line(950, 20, 200)]])
    expect(middles(print).toSorted((one, other) => one - other)).toEqual(
      [80, 300, 950].map((y) => expect.closeTo(y, -1.3)),
    )
    const [number] = print.filter(({ box }) => box.top > 0.9)
    expect([number?.box.left, number?.box.right].map((at) => Math.round(10 * (at ?? 9)))).toEqual([
      1, 2,
    ])
  })

  test('along the side of a card is read once, in both directions', () => {
    const spine = { ...line(80, 40, 600), isSideways: true }
    const art = { ...line(500, 60, 260), isSideways: true }
    const { print, batches } = read([[line(640, 20, 800), line(700, 20, 800), art, spine]])
    expect(print).toHaveLength(3)
    const [name] = print.filter(({ box }) => box.bottom - box.top > 0.3)
    expect(name?.kind).not.toBe('number')
    expect([name?.box.left, name?.box.top].map((at) => Math.round(10 * (at ?? 9)))).toEqual([1, 4])
    const rows = batches.reduce((sum, { input, width }) => sum + input.length / width / 48, 0)
    expect(rows).toBe(4)
  })
})

describe('short upright text', () => {
  const name = { ...line(80, 40, 600), isSideways: true }
  const costs = [300, 500].map((y) => line(y, 40, 200))
  const countUpright = (lines: readonly Line[]) =>
    read([lines]).print.filter(({ box }) => Math.abs(box.left - 0.11) < 0.02).length

  test('is read beside a name along the side of the card', () => {
    expect(countUpright([name, ...costs])).toBe(2)
    expect(countUpright([name, costs[0] ?? name])).toBe(1)
  })

  test('is read beside two sideways lines that are little longer', () => {
    const art = { ...line(900, 40, 300), isSideways: true }
    const rows = [200, 300, 400, 500, 600].map((y) => line(y, 40, 230))
    expect(countUpright([name, art, ...rows])).toBe(5)
  })
})

test('a card whose corners are narrow is read beyond them: a dark band may look like the background', () => {
  const narrow: Quad = [
    { x: 280, y: 200 },
    { x: 996, y: 200 },
    { x: 996, y: 1480 },
    { x: 280, y: 1480 },
  ]
  const { print, pictures } = read([[{ left: 20, right: 160, y: 300, height: 30 }]], {
    quad: narrow,
  })
  expect((pictures[0]?.width ?? 0) / (pictures[0]?.height ?? 1)).toBeGreaterThan(0.75)
  expect(print[0]?.box.left).toBeLessThan(-0.1)
})

describe('many lines', () => {
  const rows = Array.from({ length: 45 }, (_, row) => 20 + row * 21)

  test('are read in this order: names, footer, short ones alone, others alone, paragraphs', () => {
    const [name, subtitle] = [line(60, 50, 300), line(130, 30, 230)]
    const [number, lone] = [line(940, 20, 220), line(650, 20, 170)]
    const rules = [line(760, 20, 160), line(738, 20, 190)]
    const { print } = read([[...rules, subtitle, lone, number, name]])
    const order = [60, 940, 650, 130, 760, 738]
    expect(middles(print)).toEqual(order.map((y) => expect.closeTo(y, -1)))
  })

  test('have their name also in the middle: the largest line outside of paragraphs', () => {
    const [name, cost] = [line(480, 36, 800), line(60, 40, 180)]
    const rules = [600, 622, 644].map((y) => line(y, 20, 900))
    const { print } = read([[...rules, cost, name]])
    expect(middles(print).slice(0, 2)).toContainEqual(expect.closeTo(480, -1))
  })

  test('begin with the widest line of the header, whatever short lines there are', () => {
    const short = rows.slice(7).map((y) => line(y, 14, 300))
    const { print } = read([[line(60, 40, 900), ...short]])
    expect(print[0]?.box.top).toBeLessThan(0.14)
    expect((print[0]?.box.right ?? 0) - (print[0]?.box.left ?? 0)).toBeGreaterThan(0.6)
  })

  test('are limited by the number of columns', () => {
    const { print, batches } = read([rows.map((y) => line(y, 14, 900))])
    expect(print).toHaveLength(4 + 4)
    // Each look is recognized two of the longest lines at a time.
    expect(batches.map(({ width }) => width)).toEqual([480, 480, 480, 480])
  })

  test('are fewer if the likeliest ones have a name and a number', () => {
    const { print } = read([rows.map((y) => line(y, 14, 900))], { text: 'Tide Clerk 12/102' })
    expect(print.length).toBeLessThanOrEqual(4)
    expect(read([rows.map((y) => line(y, 14, 900))], { text: 'Tide Clerk' }).print).toHaveLength(8)
  })
})

describe('a card upside down', () => {
  /** A bar of which one side is darker. */
  const levels = buildPyramid(
    draw(1200, 1600, (x, y) => {
      const isBar = x > 200 && x < 700 && y > 300 && y < 340
      return isBar ? [x / 5, x / 5, x / 5] : [255, 255, 255]
    }),
  )
  const quadOf = (orientation: number) => (orientation === 0 ? card : rotateQuad(card, 2))
  // In shares of the card.
  const [left, right, top, height] = [100 / 896, 600 / 896, 100 / 1280, 40 / 1280]
  const middle = 1000 * (top + height / 2)
  const upright = { left: 1000 * left, right: 1000 * right, y: middle, height: 31 }
  const turned = {
    left: 1000 * (1 - right),
    right: 1000 * (1 - left),
    y: 1000 - middle,
    height: 31,
  }

  function readIn(orientations: readonly number[], ...maps: Line[][]) {
    const [finder, reader] = [finding(...maps), reading()]
    const networks = { textDetector: finder.network, recognizer: reader.network }
    const readText = createTextReader(networks, levels, quadOf, { isSlab: false })
    const prints = orientations.map((orientation) => readText(orientation))
    return { line: prints.at(-1)?.[0], pictures: finder.shown, crop: reader.shown.at(-1)?.input }
  }

  test('is not searched again: its lines are the same ones, turned', () => {
    const known = readIn([0, 1], [upright])
    const searched = readIn([1], [turned])
    expect([known.pictures.length, searched.pictures.length]).toEqual([1, 1])
    for (const side of ['left', 'top', 'right', 'bottom'] as const) {
      expect(known.line?.box[side]).toBeCloseTo(searched.line?.box[side] ?? -1, 1)
    }
    const [own = [], other = []] = [known.crop, searched.crop]
    expect(own.length).toBe(other.length)
    expect(own.length).toBeGreaterThan(0)
    const differences = Array.from(own, (level, at) => Math.abs(level - (other[at] ?? 9)))
    const mean = differences.reduce((sum, one) => sum + one, 0) / own.length
    // Levels are from -1 to 1; the crop that is not turned differs by more than 0.3.
    expect(mean).toBeLessThan(0.08)
  })
})

describe('a card whose picture is certain', () => {
  test('is searched in nearly half of the pixels, and on a page in a quarter', () => {
    const pixelsOf = (detail: TextDetail) =>
      read([], { detail }).pictures.reduce((sum, { width, height }) => sum + width * height, 0)
    expect(pixelsOf('certain')).toBe(0.5625 * pixelsOf('all'))
    expect(pixelsOf('brief')).toBe(pixelsOf('all') / 4)
  })

  test('needs no name: once a number is read, no further lines are', () => {
    const lines = [Array.from({ length: 45 }, (_, row) => line(20 + 21 * row, 14, 900))]
    const text = '12/102'
    expect(read(lines, { text, detail: 'certain' }).print.length).toBeLessThanOrEqual(4)
    expect(read(lines, { text }).print).toHaveLength(8)
    expect(read(lines, { text: 'Tide Clerk', detail: 'certain' }).print).toHaveLength(8)
  })

  test('is read briefly: names wherever they stand, the footer, short lines that stand alone', () => {
    const [name, middle, title] = [line(60, 40, 300), line(480, 50, 400), line(200, 30, 350)]
    const [lone, footer] = [line(650, 20, 210), line(940, 20, 240)]
    const rules = [line(750, 20, 900), line(772, 20, 900)]
    const { print } = read([[...rules, title, lone, footer, middle, name]], { detail: 'brief' })
    const order = [60, 480, 940, 650].map((y) => expect.closeTo(y, -1))
    expect(middles(print)).toEqual(order)
  })

  test('has fewer columns', () => {
    const rows = Array.from({ length: 6 }, (_, row) => line(834 + 26 * row, 20, 320))
    const [all, some] = [read([rows]), read([rows], { detail: 'brief' })]
    expect(some.print.length).toBeGreaterThan(0)
    expect(some.print.length).toBeLessThan(all.print.length)
  })

  test('in a slab has a label, too', () => {
    const label = [line(300, 60, 700)]
    const { print, pictures } = read([[], label], { isSlab: true, detail: 'brief' })
    expect(pictures).toHaveLength(2)
    expect(print.map(({ box }) => box.bottom < 0)).toEqual([true])
  })
})

describe('the kind of a line', () => {
  const placed = (top: number, rank: number) => ({
    box: { left: 0.1, right: 0.4, top, bottom: top + 0.02 },
    heightPx: 20,
    score: 0.9,
    rank,
    isLesser: false,
  })

  test.each<[LineKind, string, RankedLine]>([
    ['name', 'Storm Crow', placed(0.05, 0)],
    ['other', '12/102', placed(0.05, 0)],
    ['number', '12/102', placed(0.94, 1)],
    ['number', 'R 0123', placed(0.94, 1)],
    ['other', 'Illus. A. B.', placed(0.94, 1)],
    ['number', 'LOB-001', placed(0.7, 2)],
    ['other', '280', placed(0.7, 2)],
    ['other', 'LOB-001', placed(0.6, 3)],
    ['other', 'deals 20 damage to any target', placed(0.6, 4)],
  ])('is %s for "%s"', (kind, text, line) => {
    expect(kindOf(text, line)).toBe(kind)
  })
})

describe('a slab', () => {
  test('is searched twice, the second time only for the label', () => {
    const { print, pictures } = read([[line(80)], [line(300, 60, 700), line(980, 20)]], {
      isSlab: true,
    })
    expect(pictures).toHaveLength(2)
    const [onLabel, ...others] = print.toSorted((one, other) => one.box.top - other.box.top)
    expect(others).toHaveLength(1)
    expect(Math.abs((onLabel?.box.top ?? 9) - (-0.35 + 0.27 * 0.38))).toBeLessThan(0.004)
    expect(Math.abs((onLabel?.box.left ?? 9) - (-0.07 + 0.11 * 1.14))).toBeLessThan(0.01)
    expect(Math.abs((onLabel?.heightPx ?? 0) - 0.06 * 0.38 * 1280)).toBeLessThan(4)
  })

  test('is searched only if the card is in one', () => {
    expect(read([[], [line(100)]]).pictures).toHaveLength(1)
  })

  test('at a steep angle has no label', () => {
    const askew: Quad = [
      { x: 50, y: 200 },
      { x: 1100, y: 200 },
      { x: 600, y: 1400 },
      { x: 500, y: 1400 },
    ]
    const { print, pictures } = read([[], [line(100)]], { isSlab: true, quad: askew })
    expect(print).toEqual([])
    expect(pictures).toHaveLength(1)
  })
})

describe('the orientation of the text', () => {
  /** A card with these confident texts, one per orientation. */
  function cardWith(...texts: string[]) {
    const requested: number[] = []
    const print = (orientation: number, detail?: TextDetail): PrintedLine[] => {
      requested.push(orientation)
      if (detail === 'brief') return []
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
    expect(readUpright(card, found(0.95, 1), 'brief')).toEqual([])
    expect(textOf(readUpright(card, found(0.5, 1), 'brief'))).toBe('a long line of text')
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
