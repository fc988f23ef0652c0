import { expect, test } from 'bun:test'
import {
  addDailyChanges,
  type HeldCopies,
  noDailyChanges,
  sumDailyChanges,
} from '#rules/collections/daily-totals.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'

type Point = { day: number; market_price: number | null }

/** Sums each day separately. */
function plainSum(series: { points: Point[]; copies: HeldCopies[] }[], day: number) {
  let [value, cost] = [0, 0]
  for (const { points, copies } of series) {
    const price = points.filter((point) => point.day <= day).at(-1)?.market_price ?? 0
    for (const { start, quantity, price_paid } of copies) {
      if (start > day) continue
      value += quantity * price
      cost += quantity * (price_paid ?? 0)
    }
  }
  return { day, value, cost }
}

test('daily totals equal a plain sum over 1,000 random holdings, to the cent', () => {
  const random = randomFrom(SEED)
  const number = (max: number) => Math.floor(random() * max)
  const [first, today] = [20_000, 20_400]
  const series = Array.from({ length: 300 }, () => {
    let day = first - 100 + number(200)
    const points = Array.from({ length: number(120) }, () => {
      day += 1 + number(6)
      return { day, market_price: random() < 0.05 ? null : number(1_000_000) }
    })
    return { points, copies: [] as HeldCopies[] }
  })
  for (let index = 0; index < 1_000; index++) {
    pick(random, series).copies.push({
      start: first - 50 + number(451),
      quantity: 1 + number(random() < 0.1 ? 100_000 : 4),
      price_paid: random() < 0.3 ? null : number(100_000),
    })
  }
  const changes = noDailyChanges(first, today)
  for (const { points, copies } of series) addDailyChanges(changes, points, copies)
  const totals = sumDailyChanges(changes)
  const expected = Array.from({ length: today - first + 1 }, (_, index) =>
    plainSum(series, first + index),
  )
  expect(totals).toEqual(expected.slice(-totals.length))
  for (const { value, cost } of expected.slice(0, -totals.length))
    expect([value, cost]).toEqual([0, 0])
})

test('days before the first value are omitted, and days without a change are not', () => {
  const changes = noDailyChanges(10, 15)
  addDailyChanges(
    changes,
    [{ day: 13, market_price: 5 }],
    [{ start: 12, quantity: 2, price_paid: null }],
  )
  expect(sumDailyChanges(changes)).toEqual([
    { day: 13, value: 10, cost: 0 },
    { day: 14, value: 10, cost: 0 },
    { day: 15, value: 10, cost: 0 },
  ])
  expect(sumDailyChanges(noDailyChanges(10, 15))).toEqual([])
})

test('a price that becomes unknown is worth nothing until it is known again', () => {
  const changes = noDailyChanges(1, 4)
  const points = [
    { day: 1, market_price: 7 },
    { day: 2, market_price: null },
    { day: 4, market_price: 9 },
  ]
  addDailyChanges(changes, points, [{ start: 0, quantity: 1, price_paid: 3 }])
  expect(sumDailyChanges(changes).map(({ value, cost }) => [value, cost])).toEqual([
    [7, 3],
    [0, 3],
    [0, 3],
    [9, 3],
  ])
})
