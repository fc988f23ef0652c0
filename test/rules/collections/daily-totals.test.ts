import { expect, test } from 'bun:test'
import {
  addDailyChanges,
  type HeldCopies,
  newestChange,
  noDailyChanges,
  type PriceCourse,
  sumDailyChanges,
} from '#rules/collections/daily-totals.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'

type Point = PriceCourse['points'][number]
type Series = PriceCourse & { copies: HeldCopies[] }

/** Totals series up to a day. */
function total(series: Series[], first: number, today: number) {
  const changes = noDailyChanges(first, today)
  for (const { copies, ...course } of series) addDailyChanges(changes, course, copies)
  const totals = sumDailyChanges(changes)
  return { totals, newest: newestChange(totals, changes.pricedDay) }
}

/** Returns the price of a day and whether it was known then, by the rule in words. */
function plainPrice({ points, market_price, low_since }: PriceCourse, day: number, today: number) {
  const known = points.filter((point) => point.market_price !== null && point.day <= today)
  const last = known.findLast((point) => point.day <= day)
  const isKnown = known.length === 0 ? low_since <= day || day === today : last !== undefined
  const price = last?.market_price ?? known[0]?.market_price ?? market_price
  return { price: day === today ? market_price : price, isKnown }
}

/** Returns true if a price was known to be below $1 before its history began. */
function isLow({ points, low_since }: PriceCourse, day: number): boolean {
  const first = points.find(({ market_price }) => market_price !== null)
  return (first?.market_price ?? 200) < 200 && low_since <= day
}

/** Sums a day by itself. */
function plainSum(series: Series[], day: number, today: number) {
  const sums = { day, value: 0, carried: 0, cost: 0, moved: 0 }
  let [held, known] = [0, 0]
  for (const { copies, ...course } of series) {
    const { price, isKnown } = plainPrice(course, day, today)
    const before = plainPrice(course, day - 1, today).price
    for (const { start, quantity, cost } of copies) {
      if (start > day) continue
      sums.value += quantity * price
      sums.carried += isKnown ? 0 : quantity * price
      sums.cost += cost ?? 0
      sums.moved += start < day ? quantity * (price - before) : 0
      held += quantity * course.market_price
      known += isKnown || isLow(course, day) ? quantity * course.market_price : 0
    }
  }
  return { ...sums, isPriced: held > 0 && known >= held * 0.9 }
}

test('daily totals equal a plain sum over 1,000 random holdings, to the cent', () => {
  const random = randomFrom(SEED)
  const number = (max: number) => Math.floor(random() * max)
  const [first, today] = [20_000, 20_400]
  const series = Array.from({ length: 300 }, (): Series => {
    let day = first - 100 + number(200)
    const points = Array.from({ length: number(120) }, (): Point => {
      day += 1 + number(6)
      return {
        day,
        market_price: random() < 0.05 ? null : number(random() < 0.1 ? 300 : 1_000_000),
      }
    })
    const last = points.findLast((point) => point.market_price !== null && point.day <= today)
    const isOther = last === undefined || random() < 0.05
    const market_price = isOther ? number(1_000_000) : (last.market_price ?? 0)
    return { points, market_price, low_since: first + number(500), copies: [] }
  })
  for (let index = 0; index < 1_000; index++) {
    pick(random, series).copies.push({
      start: first + number(401),
      quantity: 1 + number(random() < 0.1 ? 100_000 : 4),
      cost: random() < 0.3 ? null : number(100_000),
    })
  }
  const sums = Array.from({ length: today - first + 1 }, (_, index) =>
    plainSum(series, first + index, today),
  )
  const start = sums.findIndex(({ isPriced }) => isPriced)
  const { totals } = total(series, first, today)
  expect(totals).toEqual(sums.slice(start).map(({ isPriced: _, ...sum }) => sum))
  expect(totals.length).toBeGreaterThan(100)
})

const one = { quantity: 1, cost: null }
const NO_LOW = { low_since: 99 }

test('the first known price is carried back to the day of purchase, and its part is stated', () => {
  const early = {
    points: [{ day: 10, market_price: 900 }],
    market_price: 900,
    ...NO_LOW,
    copies: [{ start: 10, ...one }],
  }
  const late = {
    points: [{ day: 13, market_price: 70 }],
    market_price: 70,
    ...NO_LOW,
    copies: [{ start: 11, ...one }],
  }
  const { totals } = total([early, late], 10, 14)
  expect(totals.map(({ value, carried }) => [value, carried])).toEqual([
    [900, 0],
    [970, 70],
    [970, 70],
    [970, 0],
    [970, 0],
  ])
})

test('days begin when 90 % of the value of today was priced, of the copies held then', () => {
  const priced = (day: number, market_price: number, start = 10) => ({
    points: [{ day, market_price }],
    market_price,
    ...NO_LOW,
    copies: [{ start, ...one }],
  })
  const firstDay = (...series: Series[]) => total(series, 10, 20).totals[0]?.day
  expect(firstDay(priced(12, 900), priced(15, 100))).toBe(12)
  expect(firstDay(priced(12, 899), priced(15, 101))).toBe(15)
  expect(firstDay(priced(12, 100), priced(20, 900))).toBe(20)
  // Cards that join later do not count before.
  expect(firstDay(priced(12, 100), priced(20, 900, 20))).toBe(12)
  expect(total([], 10, 20).totals).toEqual([])
})

test('cards that were never worth $1 have the price of today since the first price of their game', () => {
  const low = { points: [], market_price: 45, low_since: 12, copies: [{ start: 10, ...one }] }
  expect(total([low], 10, 14).totals.map(({ day, value }) => [day, value])).toEqual([
    [12, 45],
    [13, 45],
    [14, 45],
  ])
  const unknown = { ...low, low_since: 99 }
  expect(total([unknown], 10, 14).totals).toMatchObject([{ day: 14, value: 45, carried: 0 }])
})

test('a card that reaches $1 does not move the first day, and its first price is carried back', () => {
  const reaching = (market_price: number) => {
    const points = [{ day: 13, market_price }]
    return total([{ points, market_price, low_since: 12, copies: [{ start: 10, ...one }] }], 10, 14)
  }
  expect(reaching(199).totals.map(({ day, carried }) => [day, carried])).toEqual([
    [12, 199],
    [13, 0],
    [14, 0],
  ])
  expect(reaching(200).totals[0]).toMatchObject({ day: 13, carried: 0 })
})

test('a gap keeps the last known price, and the newest day has the current one', () => {
  const points = [
    { day: 1, market_price: 7 },
    { day: 2, market_price: null },
    { day: 4, market_price: 9 },
  ]
  const course = { points, ...NO_LOW, copies: [{ start: 1, quantity: 1, cost: 3 }] }
  const values = (market_price: number) =>
    total([{ ...course, market_price }], 1, 5).totals.map(({ value, cost }) => [value, cost])
  expect(values(9)).toEqual([
    [7, 3],
    [7, 3],
    [7, 3],
    [9, 3],
    [9, 3],
  ])
  expect(values(8).at(-1)).toEqual([8, 3])
})

test('the newest change is that of the copies held the day before', () => {
  const points = [
    { day: 1, market_price: 700 },
    { day: 3, market_price: 900 },
  ]
  const course = { points, market_price: 900, ...NO_LOW }
  const copies = [
    { start: 1, ...one },
    { start: 3, quantity: 5, cost: null },
  ]
  expect(total([{ ...course, copies }], 1, 4).newest).toEqual({ day: 3, change: 200, before: 700 })
  expect(total([{ ...course, copies: copies.slice(1) }], 3, 4).newest).toBeNull()
  expect(total([], 1, 4).newest).toBeNull()
})
