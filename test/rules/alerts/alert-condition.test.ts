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

describe('an alert rule', () => {
  test.each([
    ['fires when its condition is met', {}, 500, undefined, 'fire'],
    ['fires once', {}, 900, 1, 'none'],
    ['is rearmed when its condition is not met', {}, 499, 1, 'rearm'],
    ['that is armed stays armed', {}, 499, undefined, 'none'],
    ['ignores an unknown price', {}, null, undefined, 'none'],
    ['is not rearmed by an unknown price', {}, null, 1, 'none'],
    ['fires for a new revision', { revision: 2 }, 500, 1, 'fire'],
    ['does not fire while paused', { is_active: false }, 500, undefined, 'none'],
    ['is rearmed while paused', { is_active: false }, 499, 1, 'rearm'],
  ] as const)('%s', (_, change, price, firedRevision, turn) => {
    expect(nextTransition({ ...watch, ...change }, price, firedRevision)).toBe(turn)
  })
})

type Step = { price: number | null; is_active: boolean }

/** State of a rule between publications, as the catalog stores it. */
function walk(condition: AlertCondition, steps: readonly Step[]): number[] {
  const alerts: number[] = []
  let firedRevision: number | undefined
  for (const [place, { price, is_active }] of steps.entries()) {
    const turn = nextTransition({ ...watch, condition: condition, is_active }, price, firedRevision)
    if (turn === 'fire') {
      alerts.push(place)
      firedRevision = watch.revision
    }
    if (turn === 'rearm') firedRevision = undefined
  }
  return alerts
}

const price = fc.option(fc.integer({ min: 495, max: 505 }), { freq: 5 })
const isMetAt = (condition: AlertCondition, value: number) =>
  condition === 'above' ? value >= watch.threshold : value <= watch.threshold

test('over any sequence of prices it fires exactly once per time its condition becomes true', () => {
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

test('a rule that is paused at times fires at most once while its condition holds, at the first opportunity', () => {
  const step = fc.record({ price, is_active: fc.boolean() })
  fc.assert(
    fc.property(
      fc.constantFrom(...ALERT_CONDITIONS),
      fc.array(step, { maxLength: 200, size: 'max' }),
      (condition, steps) => {
        // Periods in which no price contradicts the condition.
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
