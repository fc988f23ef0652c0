import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  ALERT_CONDITIONS,
  type AlertCondition,
  meetsCondition,
  nextTransition,
} from '#rules/alerts/alert-condition.ts'

const watch = { condition: 'above' as AlertCondition, threshold: 500, revision: 1, is_active: true }

test.each([
  ['above', 499, false],
  ['above', 500, true],
  ['above', 501, true],
  ['below', 499, true],
  ['below', 500, true],
  ['below', 501, false],
] as const)('%s 500 is met by %i: %p', (condition, price, expected) => {
  expect(meetsCondition(price, condition, 500)).toBe(expected)
})

describe('a watch', () => {
  test.each([
    ['tells when its condition is met', {}, 500, undefined, 'tell'],
    ['tells once', {}, 900, 1, 'nothing'],
    ['is armed again when its condition is not met', {}, 499, 1, 'arm'],
    ['that is armed stays so', {}, 499, undefined, 'nothing'],
    ['says nothing of a price that is unknown', {}, null, undefined, 'nothing'],
    ['is not armed by a price that is unknown', {}, null, 1, 'nothing'],
    ['tells of another condition than it has told of', { revision: 2 }, 500, 1, 'tell'],
    ['tells nothing while it rests', { is_active: false }, 500, undefined, 'nothing'],
    ['is armed while it rests', { is_active: false }, 499, 1, 'arm'],
  ] as const)('%s', (_, change, price, toldRevision, turn) => {
    expect(nextTransition({ ...watch, ...change }, price, toldRevision)).toBe(turn)
  })
})

type Step = { price: number | null; is_active: boolean }

/** What is kept of a watch between publications, as the catalog keeps it. */
function walk(alertCondition: AlertCondition, steps: readonly Step[]): number[] {
  const tellings: number[] = []
  let toldRevision: number | undefined
  for (const [place, { price, is_active }] of steps.entries()) {
    const turn = nextTransition(
      { ...watch, condition: alertCondition, is_active },
      price,
      toldRevision,
    )
    if (turn === 'tell') {
      tellings.push(place)
      toldRevision = watch.revision
    }
    if (turn === 'arm') toldRevision = undefined
  }
  return tellings
}

const price = fc.option(fc.integer({ min: 495, max: 505 }), { freq: 5 })
const isMetAt = (alertCondition: AlertCondition, value: number) =>
  alertCondition === 'above' ? value >= watch.threshold : value <= watch.threshold

test('over any walk of prices it tells exactly once for each time that its condition comes true', () => {
  let crossings = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...ALERT_CONDITIONS),
      fc.array(price, { maxLength: 200, size: 'max' }),
      (condition, prices) => {
        const known = prices.flatMap((value, place) => (value === null ? [] : [{ value, place }]))
        const expected = known
          .filter(({ value }, n) => {
            const before = known[n - 1]
            const wasMet = before !== undefined && isMetAt(condition, before.value)
            return isMetAt(condition, value) && !wasMet
          })
          .map(({ place }) => place)
        crossings += expected.length
        expect(
          walk(
            condition,
            prices.map((value) => ({ price: value, is_active: true })),
          ),
        ).toEqual(expected)
      },
    ),
    { numRuns: 500 },
  )
  expect(crossings).toBeGreaterThan(1_000)
})

test('a watch that rests now and then tells at most once while its condition holds, at the first chance', () => {
  const step = fc.record({ price, is_active: fc.boolean() })
  fc.assert(
    fc.property(
      fc.constantFrom(...ALERT_CONDITIONS),
      fc.array(step, { maxLength: 200, size: 'max' }),
      (condition, steps) => {
        // Stretches in which no price says that the condition does not hold.
        const stretches: number[][] = [[]]
        for (const [place, { price: value, is_active }] of steps.entries()) {
          if (value === null) continue
          if (!isMetAt(condition, value)) stretches.push([])
          else if (is_active) stretches.at(-1)?.push(place)
        }
        expect(walk(condition, steps)).toEqual(stretches.flatMap((places) => places.slice(0, 1)))
      },
    ),
    { numRuns: 500 },
  )
})
