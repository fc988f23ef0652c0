import { describe, expect, test } from 'bun:test'
import { type LocatedCard, locateElsewhere } from '#vision/detect/locate-card.ts'
import { intersectionOverUnion } from '#vision/detect/overlap.ts'
import { buildPyramid, rectangleQuad } from '#vision/image/rectify.ts'
import type { Network } from '#vision/runtime/model.ts'
import { draw } from '../../support/photos/drawn-pictures.ts'

const SIDE = 320
const QUAD = rectangleQuad({ left: 60, top: 40, width: 126, height: 176 })

function networkOf(name: string, input: Network['input'], run: Network['run']): Network {
  const settings = { stride: 8, unit: 64, margin: 0.25, kinds: ['raw'] }
  return { name, input, setting: (key) => settings[key as keyof typeof settings], run, close() {} }
}

const cells = (SIDE / 8) ** 2
const detector = networkOf('detector', [SIDE, SIDE, 3], () => ({
  heat: new Float32Array(cells).fill(-9),
  quad: new Float32Array(cells * 8),
}))
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

/** Lists other places of a card if the detector proposes none, and counts the refined places. */
function lookElsewhere({ quad = QUAD, confidence = 0.98, isSure = false }) {
  let passes = 0
  const refiner = networkOf('refiner', [4 * ROWS, 4 * COLUMNS, 3], () => {
    passes++
    const corners = new Float32Array(ROWS * COLUMNS * 4)
    if (isSure) {
      for (const [corner, [row, column]] of CORNERS.entries()) {
        corners[(row * COLUMNS + column) * 4 + corner] = 30
      }
    }
    return { corners }
  })
  const card: LocatedCard = {
    detection: { kind: 'raw' },
    refined: { quad, confidence },
    items: 1,
    coarse: quad,
  }
  const photo = buildPyramid(draw(SIDE, SIDE, () => [90, 90, 90]))
  const networks = { detector, refiner, pageRefiner: refiner, textDetector }
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
