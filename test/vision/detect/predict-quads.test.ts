import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { coveredShare, intersectionOverUnion } from '#vision/detect/overlap.ts'
import {
  completeQuad,
  completeSquarer,
  FROM_TOP,
  listCompletions,
  listFanSteps,
  listNeighborQuads,
  listStackedQuads,
  moveQuad,
  ofUpright,
  stepTo,
} from '#vision/detect/predict-quads.ts'
import { type Quad, rectangleQuad, rotateQuad } from '#vision/image/rectify.ts'
import { expectProperty } from '../../support/properties.ts'

const CARD = rectangleQuad({ left: 100, top: 100, width: 63, height: 88 })

test('a step leads from one quad to the other, in shares of its sides', async () => {
  const share = fc.double({ min: -3, max: 3, noNaN: true })
  const corner = fc.integer({ min: -9, max: 9 })
  await expectProperty(
    fc.asyncProperty(
      share,
      share,
      fc.array(corner, { minLength: 8, maxLength: 8 }),
      async (across, down, shifts) => {
        const quad = CARD.map(({ x, y }, index) => ({
          x: x + (shifts[2 * index] ?? 0),
          y: y + (shifts[2 * index + 1] ?? 0),
        })) as unknown as Quad
        const step = stepTo(quad, moveQuad(quad, { across, down }))
        const apart = Math.hypot(step.across - across, step.down - down)
        if (apart > 1e-9) throw new Error(`the step is off by ${apart}`)
      },
    ),
    { numRuns: 200 },
  )
})

test('a missing card of a page is predicted within a few percent of its place', () => {
  const page = [0, 1, 2].flatMap((row) =>
    [0, 1, 2].map((column) =>
      rectangleQuad({ left: column * 70, top: row * 95, width: 63, height: 88 }),
    ),
  )
  const middle = page[4] ?? CARD
  const others = page.filter((quad) => quad !== middle)
  const predicted = others.flatMap((quad) => listNeighborQuads(quad, others))
  const best = Math.max(...predicted.map((quad) => intersectionOverUnion(quad, middle)))
  expect(best).toBeGreaterThan(0.95)
})

test('the next card of a fan is predicted from the step of two others', () => {
  const fan = [0, 1, 2].map((index) => moveQuad(CARD, { across: 0.7 * index, down: 0.02 * index }))
  const [first = CARD, second = CARD, third = CARD] = fan
  const steps = listFanSteps([first, second])
  expect(steps).toHaveLength(1)
  const predicted = listStackedQuads(second, steps)
  const best = Math.max(...predicted.map((quad) => intersectionOverUnion(quad, third)))
  expect(best).toBeGreaterThan(0.99)
})

test('cards that lie apart are no fan', () => {
  expect(listFanSteps([CARD, moveQuad(CARD, { across: 1.02, down: 0 })])).toEqual([])
})

test('the covered share of a quad is that of its area under others', () => {
  expect(coveredShare(CARD, [moveQuad(CARD, { across: 0.4, down: 0 })])).toBeCloseTo(0.6)
  expect(coveredShare(CARD, [moveQuad(CARD, { across: 2, down: 0 })])).toBe(0)
  // A part covered by two others counts once.
  const twice = [0.4, 0.5].map((across) => moveQuad(CARD, { across, down: 0 }))
  expect(coveredShare(CARD, twice)).toBeCloseTo(0.6)
})

/** The card as found above fingers: its lower corners are on them, and lean inwards. */
const ABOVE_FINGERS: Quad = [
  { x: 100, y: 100 },
  { x: 163, y: 100 },
  { x: 163, y: 160 },
  { x: 100, y: 150 },
]

const completionsOf = (quad: Quad) =>
  listCompletions(quad).map((completion) => completeQuad(quad, completion))

test('a quad that ends at fingers is completed from each of the sides that fingers may leave visible', () => {
  for (const turns of [0, 1, 2, 3] as const) {
    const completed = completionsOf(rotateQuad(ABOVE_FINGERS, turns))
    const areCard = completed.map((quad) => intersectionOverUnion(quad, CARD) > 0.99)
    expect(areCard.filter(Boolean)).toHaveLength(1)
  }
})

test('the upper part of a card, which looks like a card on its side, is completed upright', () => {
  const upper = rectangleQuad({ left: 100, top: 100, width: 63, height: 45 })
  for (const turns of [1, 3] as const) {
    const upright = completionsOf(rotateQuad(upper, turns)).filter(
      (quad) => intersectionOverUnion(quad, CARD) > 0.99,
    )
    expect(upright.map(([corner]) => corner)).toEqual([CARD[0]])
  }
})

test('a completion is repeated once the corners are upright', () => {
  const narrow = rectangleQuad({ left: 100, top: 100, width: 40, height: 88 })
  for (const quad of [ABOVE_FINGERS, rotateQuad(ABOVE_FINGERS, 3), narrow]) {
    for (const completion of listCompletions(quad)) {
      const once = completeQuad(quad, completion)
      expect(intersectionOverUnion(once, completeQuad(once, ofUpright(completion)))).toBeCloseTo(1)
    }
  }
})

test('a quad that ends at fingers beside it is completed from its other long side', () => {
  const narrow = rectangleQuad({ left: 100, top: 100, width: 40, height: 88 })
  const completed = completionsOf(narrow).map((quad) => intersectionOverUnion(quad, CARD) > 0.99)
  expect(completed.filter(Boolean)).toHaveLength(1)
})

test('a quad that goes on along fingers is completed from its upper side', () => {
  const long = rectangleQuad({ left: 100, top: 100, width: 63, height: 120 })
  const best = completionsOf(long).map((quad) => intersectionOverUnion(quad, CARD))
  expect(Math.max(...best)).toBeGreaterThan(0.99)
})

test('sides that are guesses are completed halfway between their direction and the perpendicular one', () => {
  const bent: Quad = [
    { x: 100, y: 100 },
    { x: 163, y: 100 },
    { x: 143, y: 160 },
    { x: 80, y: 160 },
  ]
  const [, , , { x, y }] = completeSquarer(bent, FROM_TOP)
  // Half of the lean of a third.
  expect((100 - x) / (y - 100)).toBeCloseTo(Math.tan(Math.atan(1 / 3) / 2))
  expect(Math.hypot(100 - x, y - 100)).toBeCloseTo(88)
})
