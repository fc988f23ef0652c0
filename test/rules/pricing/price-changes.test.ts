import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type HistoryPoint, packPoints } from '#rules/pricing/packed-history.ts'
import {
  changePercent,
  findBasePrices,
  missingBaseDays,
  PERIODS,
  type Period,
} from '#rules/pricing/price-changes.ts'

const TODAY = 20_000

const price = fc.integer({ min: 1, max: 1_000_000 })

function at(age: number, market_price: number | null): HistoryPoint {
  return {
    day: TODAY - age,
    market_price,
    low_price: null,
    avg_sales_price: null,
    sales_volume: null,
  }
}

describe('the base of a change', () => {
  test.each([
    ['24h', 1],
    ['7d', 7],
    ['30d', 30],
  ] as const)(
    'of %s is the point of exactly that many days ago, if there is one',
    (period, days) => {
      const points = Array.from({ length: 70 }, (_, index) => at(69 - index, 1_000 + index))
      expect(findBasePrices(packPoints(points), TODAY)[period]).toBe(1_000 + 69 - days)
    },
  )

  test.each([
    ['24h', 1, 1],
    ['7d', 7, 9],
    ['30d', 30, 35],
  ] as const)(
    'of %s is a price of %i to %i days ago, and of no other day',
    (period, first, last) => {
      for (let age = 0; age <= 70; age++) {
        const base = findBasePrices(packPoints([at(age, 500)]), TODAY)[period]
        expect([age, base]).toEqual([age, age >= first && age <= last ? 500 : null])
      }
    },
  )

  test('is the last price of these days', () => {
    const points = fc
      .uniqueArray(fc.integer({ min: -3, max: 80 }), { maxLength: 40 })
      .chain((ages) =>
        fc.tuple(
          ...ages
            .toSorted((a, b) => b - a)
            .map((age) => fc.option(price, { nil: null }).map((cents) => at(age, cents))),
        ),
      )
    fc.assert(
      fc.property(points, (series) => {
        const bases = findBasePrices(packPoints(series), TODAY)
        const oldest = { '24h': 1, '7d': 9, '30d': 35 }
        for (const [period, days] of Object.entries(PERIODS)) {
          const fitting = series.filter(({ day, market_price }) => {
            const age = TODAY - day
            return age >= days && age <= oldest[period as Period] && market_price !== null
          })
          const expected = fitting.at(-1)?.market_price ?? null
          expect(bases[period as Period]).toBe(expected) // a key of PERIODS
        }
      }),
      { numRuns: 500 },
    )
  })

  test("is not today's price", () => {
    expect(findBasePrices(packPoints([at(0, 500)]), TODAY)).toEqual({
      '24h': null,
      '7d': null,
      '30d': null,
    })
  })

  test('is unknown if every point is too old', () => {
    const bases = findBasePrices(packPoints([at(36, 500), at(10, 400), at(2, 300)]), TODAY)
    expect(bases).toEqual({ '24h': null, '7d': null, '30d': null })
  })
})

describe('base prices from newer points', () => {
  test('stay, and older points fill in the missing ones', () => {
    const known = { '24h': 100, '7d': null, '30d': null }
    const older = packPoints([at(30, 300), at(7, 200), at(1, 999)])
    expect(findBasePrices(older, TODAY, known)).toEqual({
      '24h': 100,
      '7d': 200,
      '30d': 300,
    })
  })

  test.each([
    [{ '24h': 1, '7d': 1, '30d': 1 }, undefined],
    [
      { '24h': 1, '7d': 1, '30d': null },
      { first: TODAY - 35, last: TODAY - 30 },
    ],
    [
      { '24h': 1, '7d': null, '30d': 1 },
      { first: TODAY - 9, last: TODAY - 7 },
    ],
    [
      { '24h': null, '7d': 1, '30d': 1 },
      { first: TODAY - 1, last: TODAY - 1 },
    ],
    [
      { '24h': null, '7d': null, '30d': null },
      { first: TODAY - 35, last: TODAY - 1 },
    ],
  ])('%j leave the days %j to search', (bases, days) => {
    expect(missingBaseDays(bases, TODAY)).toEqual(days)
  })
})

describe('a change in percent', () => {
  test.each([
    [11_550, 10_000, 15.5],
    [5_000, 10_000, -50],
    [10_000, 10_000, 0],
    [1, 3, -66.67],
    [400, 3, 13_233.33],
  ])('from the base of %i to %i is %f', (now, base, percent) => {
    expect(changePercent(now, base)).toBe(percent)
  })

  test.each([
    [null, 100],
    [100, null],
    [null, null],
    [100, 0],
  ])('of %p and %p is unknown', (now, base) => {
    expect(changePercent(now, base)).toBeNull()
  })

  test('has at most two decimals and the sign of the difference', () => {
    fc.assert(
      fc.property(price, price, (now, base) => {
        const change = changePercent(now, base)
        expect(change).not.toBeNull()
        if (change === null) return
        expect(Math.abs(change * 100 - Math.round(change * 100))).toBeLessThan(1e-3)
        expect(change).toBeCloseTo(((now - base) / base) * 100, 1)
        if (Math.abs(now - base) / base > 0.0001)
          expect(Math.sign(change)).toBe(Math.sign(now - base))
      }),
    )
  })
})
