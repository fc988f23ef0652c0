import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import { formatSetValues, sumHistories } from '#rules/pricing/set-value.ts'

const point = (day: number, market_price: number | null): HistoryPoint => ({
  day,
  market_price,
  low_price: null,
  avg_sales_price: null,
  sales_volume: null,
})

const histories = fc.array(
  fc
    .uniqueArray(fc.record({ day: fc.nat(20), price: fc.option(fc.nat(500)) }), {
      selector: ({ day }) => day,
    })
    .map((points) =>
      points.toSorted((a, b) => a.day - b.day).map(({ day, price }) => point(day, price)),
    ),
  { maxLength: 8 },
)

test('each day has the last known price of each card', () => {
  fc.assert(
    fc.property(histories, (all) => {
      const days = [...new Set(all.flatMap((points) => points.map(({ day }) => day)))]
      const expected = days
        .sort((a, b) => a - b)
        .map((day) => {
          const known = all.flatMap(
            (points) =>
              points.findLast((one) => one.day <= day && one.market_price !== null)?.market_price ??
              [],
          )
          return { day, market_price: known.reduce((a, b) => a + b, 0), cards: known.length }
        })
      expect(sumHistories(all)).toEqual(expected)
    }),
  )
})

test('days before the first price, and before the first day of a range, are omitted', () => {
  const values = sumHistories([[point(3, null), point(4, 250), point(6, null)], [point(5, 100)]])
  expect(formatSetValues(values, 5)).toEqual([
    { date: '1970-01-06', value: 3.5, cards: 2 },
    { date: '1970-01-07', value: 3.5, cards: 2 },
  ])
  expect(formatSetValues(values, 0)[0]).toEqual({ date: '1970-01-05', value: 2.5, cards: 1 })
})
