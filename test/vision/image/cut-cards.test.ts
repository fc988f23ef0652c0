import { expect, test } from 'bun:test'
import type { DetectedCard } from '#vision/detect/find-cards.ts'
import { cutCards } from '#vision/image/cut-cards.ts'
import { decode } from '#vision/image/decode.ts'
import { buildPyramid, type Quad, rectangleQuad, rectify } from '#vision/image/rectify.ts'
import { drawCard, encodePng } from '../../support/photos/drawn-pictures.ts'

const FRAME = { width: 63, height: 88, margin: 0 }

/** Mean difference of two crops, per channel. */
function difference(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length
}

const found = (quad: Quad, kind: DetectedCard['kind'] = 'raw'): DetectedCard => ({
  kind,
  quad,
  confidence: 0.99,
  covers: [],
})

test('a cut photo shows its card at its placement, also at an angle, at the edge and of a slab', async () => {
  const page = { ...drawCard(1_500, 2_000, 5), original: { width: 3_000, height: 4_000 } }
  const tilted: Quad = [
    { x: 700, y: 400 },
    { x: 1_050, y: 480 },
    { x: 950, y: 970 },
    { x: 600, y: 900 },
  ]
  const quads = [rectangleQuad({ left: 0, top: 1_100, width: 500, height: 700 }), tilted]
  const cards = [found(quads[0] ?? tilted), found(tilted, 'graded slab')]
  const cut = await cutCards(page, cards)
  expect(cut.size).toEqual({ width: 3_000, height: 4_000 })
  for (const [index, { jpeg, placement, outline }] of cut.cards.entries()) {
    const quad = quads[index] ?? tilted
    // The outline is in pixels of the photo that was sent.
    expect(outline).toEqual(asPage(quad))
    const own = rectify(buildPyramid(await decode(jpeg)), placement.outline as Quad, FRAME)
    const original = rectify(buildPyramid(page), quad, FRAME)
    expect(difference(own, original)).toBeLessThan(12)
  }
})

function asPage(quad: Quad) {
  return quad.map(({ x, y }) => ({ x: 2 * x, y: 2 * y })) as unknown as Quad
}

test('a page is decoded with at most 24 megapixels, a photo of one card with 2,000 pixels a side', async () => {
  const large = await encodePng(drawCard(300, 400, 1))
    .resize(4_800, 6_400)
    .jpeg()
    .toBuffer()
  const page = await decode(large, { pixels: 24e6 })
  expect(page.width * page.height).toBeLessThanOrEqual(24e6)
  expect(page.width * page.height).toBeGreaterThan(23.9e6)
  const photo = await decode(large)
  expect([photo.width, photo.height]).toEqual([1_500, 2_000])
})
