import { describe, expect, test } from 'bun:test'
import { type LocatedCard, locateElsewhere } from '#vision/detect/locate-card.ts'
import { intersectionOverUnion } from '#vision/detect/overlap.ts'
import { buildPyramid, type Quad, rectangleQuad } from '#vision/image/rectify.ts'
import type { Network } from '#vision/runtime/model.ts'
import { draw } from '../../support/photos/drawn-pictures.ts'

const SIDE = 320
const QUAD = rectangleQuad({ left: 60, top: 40, width: 126, height: 176 })

function networkOf(name: string, input: Network['input'], run: Network['run']): Network {
  const settings = { stride: 8, unit: 64, margin: 0.25, kinds: ['raw', 'back'] }
  return { name, input, setting: (key) => settings[key as keyof typeof settings], run, close() {} }
}

type Proposal = { kind: 'raw' | 'back'; logit: number; quad: Quad }

/** Proposes these places in the upright photo only, each in a cell of its own. */
function proposing(...proposals: Proposal[]): Network {
  let isUpright = true
  return networkOf('detector', [SIDE, SIDE, 3], () => {
    const columns = SIDE / 8
    const heat = new Float32Array(columns ** 2 * 2).fill(-9)
    const quads = new Float32Array(columns ** 2 * 8)
    for (const [index, { kind, logit, quad }] of isUpright ? proposals.entries() : []) {
      const [row, column] = [10, 10 + 4 * index]
      heat[(row * columns + column) * 2 + (kind === 'raw' ? 0 : 1)] = logit
      const offsets = quad.flatMap(({ x, y }) => [x - 8 * (column + 0.5), y - 8 * (row + 0.5)])
      quads.set(
        offsets.map((offset) => offset / 64),
        (row * columns + column) * 8,
      )
    }
    isUpright = false
    return { heat, quad: quads }
  })
}
/** Finds no text. */
const textDetector = networkOf('text-detector', [SIDE, SIDE, 1], (_input, size) => ({
  text: new Float32Array((size?.width ?? SIDE) * (size?.height ?? SIDE)).fill(-9),
}))
const [ROWS, COLUMNS] = [51, 39]
/** Cells of the corners in the frame of a refiner: the margin is a sixth of it. */
const CORNERS = [
  [8, 6],
  [8, 32],
  [42, 32],
  [42, 6],
] as const

/** Sees the corners of each place where they are, as clearly as the logit of their cells. */
function seeingCorners(logit: number, onPass = () => {}): Network {
  return networkOf('refiner', [4 * ROWS, 4 * COLUMNS, 3], () => {
    onPass()
    const corners = new Float32Array(ROWS * COLUMNS * 4)
    for (const [corner, [row, column]] of CORNERS.entries()) {
      corners[(row * COLUMNS + column) * 4 + corner] = logit
    }
    return { corners }
  })
}
const [BLIND, FAINT, SURE] = [0, 1, 30]

/** Lists other places of a card if the detector proposes none, and counts the refined places. */
function lookElsewhere({ quad = QUAD, confidence = 0.98, isSure = false }) {
  let passes = 0
  const refiner = seeingCorners(isSure ? SURE : BLIND, () => passes++)
  const card: LocatedCard = {
    detection: { kind: 'raw' },
    refined: { quad, confidence },
    items: 1,
    coarse: quad,
  }
  const photo = buildPyramid(draw(SIDE, SIDE, () => [90, 90, 90]))
  const networks = { detector: proposing(), refiner, pageRefiner: refiner, textDetector }
  return { places: [...locateElsewhere(networks, photo, card)], passes }
}

describe('a card whose corners are hidden', () => {
  test('is completed from each of its sides if some corners are visible', () => {
    const [visible, hidden] = [lookElsewhere({ confidence: 0.5 }), lookElsewhere({ confidence: 0 })]
    expect(visible.passes).toBeGreaterThan(hidden.passes)
  })

  test('is refined once if no corner is visible, because nothing can be completed', () => {
    const { passes, places } = lookElsewhere({ confidence: 0 })
    // A place takes two passes or, while its corners move, up to four.
    expect(passes).toBeLessThanOrEqual(4)
    expect(places.length).toBeLessThanOrEqual(1)
  })
})

describe('a card whose corners the refiner for pages is sure of', () => {
  test('is looked for at no other place', () => {
    expect(lookElsewhere({ isSure: true }).places).toEqual([])
  })

  test('is completed all the same if it has not the shape of a card', () => {
    const upper = rectangleQuad({ left: 60, top: 40, width: 126, height: 130 })
    const { places } = lookElsewhere({ quad: upper, isSure: true })
    const whole = rectangleQuad({ left: 60, top: 40, width: 126, height: 176 })
    const fits = places.map(({ refined }) => intersectionOverUnion(refined.quad, whole))
    expect(Math.max(0, ...fits)).toBeGreaterThan(0.9)
  })
})

describe('a photo in which no card was found', () => {
  /** Lists the places of a photo with this text and these proposals. */
  function placesOf({
    text = textDetector,
    proposals = [] as Proposal[],
    clear = SURE,
    height = SIDE,
  }) {
    const refiner = seeingCorners(clear)
    const networks = { refiner, pageRefiner: refiner, textDetector: text }
    const photo = buildPyramid(draw(SIDE, height, () => [90, 90, 90]))
    const places = locateElsewhere(
      { ...networks, detector: proposing(...proposals) },
      photo,
      undefined,
    )
    return [...places].map(({ detection, refined }) => ({ ...detection, quad: refined.quad }))
  }

  /** Height of the photo with text, whose picture for the detector has other proportions. */
  const TALL = 480
  /** Place of the card around the two lines that {@link lined} marks: its name and its footer. */
  const card = rectangleQuad({ left: 65, top: 100, width: 189, height: 264 })
  const lined = networkOf(
    'text-detector',
    [SIDE, SIDE, 1],
    (_input, size = { width: 0, height: 0 }) => {
      const text = new Float32Array(size.width * size.height).fill(-9)
      const [across, down] = [size.width / SIDE, size.height / TALL]
      for (const [left, top, right, bottom] of [
        [80, 117, 238, 122],
        [80, 344, 150, 348],
      ] as const) {
        for (let y = Math.round(top * down); y < bottom * down; y++) {
          const row = y * size.width
          text.fill(9, row + Math.round(left * across), row + Math.round(right * across))
        }
      }
      // A cell has the logits of a square, as those of the network.
      const cells = new Float32Array(text.length)
      const columns = size.width / 8
      for (const [at, logit] of text.entries()) {
        const [x, y] = [at % size.width, Math.trunc(at / size.width)]
        const cell = Math.trunc(y / 8) * columns + Math.trunc(x / 8)
        cells[cell * 64 + (y % 8) * 8 + (x % 8)] = logit
      }
      return { text: cells }
    },
  )

  test('may show one around its text', () => {
    const [place] = placesOf({ text: lined, height: TALL })
    expect(place?.kind).toBe('raw')
    expect(place === undefined ? 0 : intersectionOverUnion(place.quad, card)).toBeGreaterThan(0.9)
  })

  test('shows none around a text without corners, such as a list', () => {
    expect(placesOf({ text: lined, clear: FAINT, height: TALL })).toEqual([])
  })

  const beside = (right: number) =>
    rectangleQuad({ left: 60 + right, top: 40, width: 126, height: 176 })
  const fits = (places: ReturnType<typeof placesOf>, quad: Quad) =>
    places.filter((place) => intersectionOverUnion(place.quad, quad) > 0.97)

  test('shows a face where another rotation or cell shows a back more clearly', () => {
    const proposals: Proposal[] = [
      { kind: 'back', logit: 3, quad: QUAD },
      { kind: 'raw', logit: 1, quad: QUAD },
    ]
    expect(fits(placesOf({ proposals }), QUAD).map(({ kind }) => kind)).toEqual(['raw'])
  })

  test('is looked at beside the best place, even if a place between them is the same as both', () => {
    const proposals = [0, 12, 24].map((right, index) => ({
      kind: 'raw' as const,
      logit: 3 - index,
      quad: beside(right),
    }))
    const places = placesOf({ proposals })
    expect([0, 12, 24].map((right) => fits(places, beside(right)).length)).toEqual([1, 0, 1])
  })
})
