import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  isExhausted,
  RETRY_AFTER_MS_MAX,
  RETRY_DELAY_MS_MAX,
  retryDelayMs,
} from '#rules/alerts/retry-schedule.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Returns every delay of a message that is never delivered. */
function waits(retryAfterMs: number, random: number): number[] {
  const all: number[] = []
  for (let wait = retryDelayMs(1, retryAfterMs, random); wait !== undefined; ) {
    all.push(wait)
    wait = retryDelayMs(all.length + 1, retryAfterMs, random)
  }
  return all
}

const sum = (all: readonly number[]) => all.reduce((total, wait) => total + wait, 0)

describe('a message', () => {
  test('is attempted ten times in 75.6 hours', () => {
    const all = waits(0, 0.5)
    expect(all.map((wait) => wait / 1_000)).toEqual([
      5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])
    expect(sum(all) / HOUR).toBeCloseTo(75.6, 1)
  })

  test('varies by at most a fifth', () => {
    const middle = waits(0, 0.5)
    expect(waits(0, 0)).toEqual(middle.map((wait) => wait * 0.8))
    expect(waits(0, 1)).toEqual(middle.map((wait) => wait * 1.2))
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, random) => {
          const [wait = 0, plain = 0] = [retryDelayMs(tries, 0, random), middle[tries - 1]]
          expect(Number.isInteger(wait)).toBe(true)
          expect(Math.abs(wait - plain)).toBeLessThanOrEqual(plain * 0.2 + 0.5)
        },
      ),
    )
  })

  test('waits for the time of Retry-After, at most a day', () => {
    expect(retryDelayMs(1, 60_000, 0.5)).toBe(60_000)
    expect(retryDelayMs(1, 4_999, 0.5)).toBe(5_000)
    expect(retryDelayMs(1, 30 * DAY, 0.5)).toBe(DAY)
    expect(retryDelayMs(1, Number.POSITIVE_INFINITY, 0.5)).toBe(DAY)
    expect(retryDelayMs(9, RETRY_AFTER_MS_MAX, 0)).toBe(DAY)
  })

  test('never waits longer than the maximum delay', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, retryAfterMs, random) => {
          expect(retryDelayMs(tries, retryAfterMs, random)).toBeLessThanOrEqual(RETRY_DELAY_MS_MAX)
        },
      ),
    )
  })

  test('is exhausted after the tenth attempt, regardless of Retry-After', () => {
    expect(retryDelayMs(9, 0, 0.5)).toBe(DAY)
    expect(retryDelayMs(10, 0, 0.5)).toBeUndefined()
    expect(retryDelayMs(10, DAY, 0.5)).toBeUndefined()
    expect(retryDelayMs(11, 0, 0.5)).toBeUndefined()
  })
})

test.each([
  [20, 3 * DAY, true],
  [19, 3 * DAY, false],
  [20, 3 * DAY - 1, false],
  [19, 300 * DAY, false],
  [2_000, 3 * DAY - 1, false],
  [2_000, 300 * DAY, true],
])(
  'after %i failures within %i ms it is %p that a receiver is given up',
  (failures, ms, expected) => {
    const since = Date.UTC(2026, 7, 1)
    expect(isExhausted(failures, since, since + ms)).toBe(expected)
  },
)
