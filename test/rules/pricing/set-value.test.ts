import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import { chainHistories, formatSetValues, type SetTotal } from '#rules/pricing/set-value.ts'

const point = (day: number, market_price: number | null): HistoryPoint => ({
  day,
  market_price,
  low_price: null,
  avg_sales_price: null,
  sales_volume: null,
})

/** Writes a history as a price for each day from a first one on; null has no point. */
const from = (firstDay: number, prices: readonly (number | null)[]): HistoryPoint[] =>
  prices.flatMap((price, at) => (price === null ? [] : point(firstDay + at, price)))

const dollars = (value: number, priced: number): SetTotal => ({ value, priced })

/** Describes the days as `day: cents (cards)`. */
const chain = (histories: HistoryPoint[][], total: SetTotal) =>
  chainHistories(histories, total).map((one) => `${one.day}: ${one.market_price} (${one.cards})`)

describe('the value of a set by day', () => {
  test('moves as the cards do that have a price on both days, and ends in the total', () => {
    // 10 % up, then 25 % down: the total of 100 dollars has a third card without history.
    const histories = [from(1, [1_000, 1_200, 900]), from(1, [3_000, 3_200, 2_400])]
    expect(chain(histories, dollars(100, 3))).toEqual([
      '1: 12121 (2)',
      '2: 13333 (2)',
      '3: 10000 (3)',
    ])
  })

  test('is not moved by a card that joins or leaves', () => {
    const histories = [
      from(1, [500, 500, 500, 500]),
      from(3, [90_000, 90_000]),
      from(1, [800, ...Array(20).fill(null), 800]),
    ]
    expect(chain(histories, dollars(905, 2)).map((day) => day.split(' ')[1])).toEqual(
      Array(5).fill('90500'),
    )
  })

  test('bridges a gap of up to seven days with the last price', () => {
    const other = from(1, Array(12).fill(1_000))
    const back = (gap: number) => [point(1, 1_000), point(2 + gap, 1_500)]
    expect(chain([other, back(7)], dollars(25, 2)).slice(7, 9)).toEqual([
      '8: 2000 (2)',
      '9: 2500 (2)',
    ])
    expect(chain([other, back(8)], dollars(25, 2)).slice(7, 10)).toEqual([
      '8: 2500 (1)',
      '9: 2500 (1)',
      '10: 2500 (2)',
    ])
  })

  test('treats an unknown price like a missing one', () => {
    const histories = [[point(1, 1_000), point(2, null), point(3, 1_100)], from(1, [100, 100, 100])]
    expect(chain(histories, dollars(12, 2))).toEqual(['1: 1100 (2)', '2: 1100 (2)', '3: 1200 (2)'])
  })

  test('compares two days in a row of any distance', () => {
    expect(chain([[point(1, 1_000), point(120, 1_500)]], dollars(15, 1))).toEqual([
      '1: 1000 (1)',
      '120: 1500 (1)',
    ])
  })

  test('has one point if there is one price, and none without a history', () => {
    expect(chain([[point(5, 120)]], dollars(7.5, 4))).toEqual(['5: 750 (4)'])
    expect(chainHistories([[point(5, null)]], dollars(0, 0))).toEqual([])
    expect(chainHistories([], dollars(7.5, 4))).toEqual([])
  })

  test('ends in the total also if no price with a history is known any more', () => {
    const histories = [[point(1, 1_000), point(2, null)]]
    expect(chain(histories, dollars(0.2, 1))).toEqual(['1: 20 (1)', '2: 20 (1)'])
  })

  test('ends in the last known prices if none is known now', () => {
    const histories = [[point(1, 1_000), point(2, 1_100), point(3, null)]]
    expect(chain(histories, dollars(0, 0))).toEqual(['1: 1000 (1)', '2: 1100 (1)'])
  })

  test('stays where no card connects two days, with 0 cards beside it', () => {
    const histories = [from(1, [500, 550]), from(60, [700, 770])]
    expect(chain(histories, dollars(7.7, 1))).toEqual([
      '1: 636 (1)',
      '2: 700 (0)',
      '60: 700 (1)',
      '61: 770 (1)',
    ])
  })

  test('is not moved by a price that more than doubles or halves', () => {
    const calm = from(1, [1_000, 1_000, 1_000])
    expect(chain([calm, from(1, [500, 1_001, 499])], dollars(15, 2))).toEqual([
      '1: 1500 (1)',
      '2: 1500 (1)',
      '3: 1500 (2)',
    ])
    expect(chain([calm, from(1, [500, 1_000, 500])], dollars(15, 2))).toEqual([
      '1: 1500 (2)',
      '2: 2000 (2)',
      '3: 1500 (2)',
    ])
  })

  test('allows six times after more than seven days without any price', () => {
    const histories = (price: number) => [[point(1, 100), point(9, price)]]
    expect(chain(histories(600), dollars(6, 1))).toEqual(['1: 100 (1)', '9: 600 (1)'])
    expect(chain(histories(601), dollars(6.01, 1))).toEqual(['1: 601 (0)', '9: 601 (1)'])
  })
})

describe('for any histories', () => {
  const DAYS_MAX = 40
  const days = fc.uniqueArray(fc.nat(DAYS_MAX), { minLength: 1 })
  const sorted = (some: readonly number[]) => some.toSorted((a, b) => a - b)
  /** Cards that join, miss days and leave at random. */
  const cards = (price: fc.Arbitrary<number | null>) =>
    fc.array(
      days.chain((some) =>
        fc
          .tuple(...some.map(() => price))
          .map((prices) => sorted(some).map((day, at) => point(day, prices[at] ?? null))),
      ),
      { minLength: 1, maxLength: 8 },
    )
  const anyPrice = fc.option(fc.integer({ min: 1, max: 500 }))
  const total = fc.record({ value: fc.nat(100_000).map((cents) => cents / 100), priced: fc.nat(9) })

  test('the last day is the total, and each day is unique and in order', () => {
    fc.assert(
      fc.property(cards(anyPrice), total, (all, sum) => {
        const values = chainHistories(all, sum)
        const known = all.flat().filter((one) => one.market_price !== null)
        expect(values.map(({ day }) => day)).toEqual(
          expect.arrayContaining(known.map(({ day }) => day)),
        )
        expect(values.map(({ day }) => day)).toEqual(
          sorted([...new Set(values.map(({ day }) => day))]),
        )
        expect(values.map(({ chained }) => chained)).toEqual(
          values.map((_, at) => at < values.length - 1),
        )
        if (sum.priced === 0) return
        expect(values.at(-1)).toEqual({
          day: Math.max(...all.flat().map(({ day }) => day)),
          market_price: Math.round(sum.value * 100),
          cards: sum.priced,
          chained: false,
        })
      }),
    )
  })

  test('each change is that of the cards with a price on both days', () => {
    /** Finds the price that counts on a day, as a person would in the list. */
    const priceOn = (points: HistoryPoint[], day: number) =>
      points.findLast((one) => one.market_price !== null && one.day <= day && one.day >= day - 7)
        ?.market_price ?? undefined
    fc.assert(
      fc.property(cards(anyPrice), (all) => {
        // Large enough that rounding to cents does not matter.
        const values = chainHistories(all, dollars(1_000_000_000, 1))
        for (const [at, { day, market_price, cards: counted, chained }] of values.entries()) {
          const next = values[at + 1]
          if (next === undefined) continue
          const limit = next.day - day > 7 ? 6 : 2
          const both = all.flatMap((points) => {
            const [a, b] = [priceOn(points, day), priceOn(points, next.day)]
            if (a === undefined || b === undefined || a > b * limit || b > a * limit) return []
            return { a, b }
          })
          const sum = (of: 'a' | 'b') => both.reduce((so_far, pair) => so_far + pair[of], 0)
          expect(chained).toBe(true)
          expect(counted).toBe(both.length)
          const ratio = both.length === 0 ? 1 : sum('b') / sum('a')
          expect(next.market_price / market_price).toBeCloseTo(ratio, 4)
        }
      }),
    )
  })

  test('constant prices make a level line, whenever cards join, pause and leave', () => {
    fc.assert(
      fc.property(
        cards(fc.constant(1)),
        fc.array(fc.integer({ min: 1, max: 9_999 })),
        (all, prices) => {
          const level = all.map((points, card) =>
            points.map(({ day }) => point(day, prices[card] ?? 50)),
          )
          const values = chainHistories(level, dollars(432.1, 9)).map((one) => one.market_price)
          expect(new Set(values)).toEqual(new Set([43_210]))
        },
      ),
    )
  })

  test('older prices of some cards, as an import adds them, move no later day', () => {
    fc.assert(
      fc.property(cards(anyPrice), cards(anyPrice), (all, imported) => {
        const later = all.map((points) => points.map((one) => ({ ...one, day: one.day + 60 })))
        const both = later.map((points, at) => [...(imported[at] ?? []), ...points])
        const before = chainHistories(later, dollars(100, 9))
        expect(chainHistories(both, dollars(100, 9)).slice(-before.length || undefined)).toEqual(
          before,
        )
      }),
    )
  })

  test('a price 100 times too high for a day moves no other day, and never the line', () => {
    const day = fc.integer({ min: 1, max: 28 })
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 100, max: 9_999 }), { minLength: 1 }),
        day,
        (prices, at) => {
          const level = prices.map((price) => from(1, Array(30).fill(price)))
          const wrong = level.map((points, card) =>
            card === 0
              ? points.map((one) => (one.day === at ? point(at, (prices[0] ?? 0) * 100) : one))
              : points,
          )
          const values = chainHistories(wrong, dollars(50, prices.length))
          expect(new Set(values.map(({ market_price }) => market_price))).toEqual(new Set([5_000]))
        },
      ),
    )
  })
})

test('the API has the days from a first one on, in dollars', () => {
  const values = chainHistories([from(3, [200, 250, 300])], dollars(3, 1))
  expect(formatSetValues(values, 4)).toEqual([
    { date: '1970-01-05', value: 2.5, cards: 1, chained: true },
    { date: '1970-01-06', value: 3, cards: 1, chained: false },
  ])
  expect(formatSetValues(values, 0)).toHaveLength(3)
})
