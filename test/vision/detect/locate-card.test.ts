import { describe, expect, test } from 'bun:test'
import { type LocatedCard, locateElsewhere } from '#vision/detect/locate-card.ts'
import { buildPyramid, rectangleQuad } from '#vision/image/rectify.ts'
import type { Network } from '#vision/runtime/model.ts'
import { draw } from '../../support/photos/drawn-pictures.ts'

const SIDE = 320
const QUAD = rectangleQuad({ left: 60, top: 40, width: 126, height: 176 })

function networkOf(name: string, input: Network['input'], run: Network['run']): Network {
  const settings = { stride: 8, unit: 64, margin: 0.18, kinds: ['raw'] }
  return { name, input, setting: (key) => settings[key as keyof typeof settings], run, close() {} }
}

/** Lists other places of a card with a confidence, if the detector proposes none, and counts the refined places. */
function lookElsewhere(confidence: number) {
  let passes = 0
  const cells = (SIDE / 8) ** 2
  const detector = networkOf('detector', [SIDE, SIDE, 3], () => ({
    heat: new Float32Array(cells).fill(-9),
    quad: new Float32Array(cells * 8),
  }))
  const refiner = networkOf('refiner', [192, 144, 3], () => {
    passes++
    return { corners: new Float32Array(48 * 36 * 4) }
  })
  const card: LocatedCard = {
    detection: { kind: 'raw' },
    refined: { quad: QUAD, confidence },
    items: 1,
    coarse: QUAD,
  }
  const photo = buildPyramid(draw(SIDE, SIDE, () => [90, 90, 90]))
  const places = [...locateElsewhere({ detector, refiner, pageRefiner: refiner }, photo, card)]
  return { passes, places }
}

describe('a card whose corners are hidden', () => {
  test('is completed from each of its sides if some corners are visible', () => {
    expect(lookElsewhere(0.5).passes).toBeGreaterThan(lookElsewhere(0).passes)
  })

  test('is refined once if no corner is visible, because nothing can be completed', () => {
    const { passes, places } = lookElsewhere(0)
    // A place takes two passes or, while its corners move, up to four.
    expect(passes).toBeLessThanOrEqual(4)
    expect(places.length).toBeLessThanOrEqual(1)
  })
})
