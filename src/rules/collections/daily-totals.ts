import type { HistoryPoint } from '../pricing/packed-history.ts'
import type { Costs, ForeignCost } from './collection-money.ts'

/** Totals of a day in cents. */
export type DailyTotal = {
  day: number
  value: number
  /** Part of the value whose price was not known yet: the first known price is carried back. */
  carried: number
  cost: number
  /** Change of the prices since the day before, of the copies held then. */
  moved: number
} & Pick<Costs, 'foreign'>

/** Days until the newest one, for which copies are added up. */
export type DailyChanges = {
  firstDay: number
  /** Newest day of any price; 0 without histories. */
  pricedDay: number
  /** Changes of each measure from day to day. Index 0 is `firstDay`, and each entry applies from its day on. */
  by: Record<Measure, Float64Array>
  /** Changes of what was paid in other currencies, and of its cost in US cents. */
  foreign: Map<string, Record<keyof ForeignCost, Float64Array>>
}

/** `held` and `known` are at today's prices: of all copies of a day, and of those whose price was known by then. */
type Measure = 'value' | 'carried' | 'cost' | 'moved' | 'held' | 'known'

/** Copies with the same price, held from a day on. */
export type HeldCopies = {
  start: number
  quantity: number
  /** In US cents, for all copies. */
  cost: number | null
  /** Paid for all copies in another currency than US dollars; undefined if none. */
  foreign?: { cents: number; currency: string } | undefined
}

/** A price over time: its history, and what it is now. */
export type PriceCourse = {
  /** Points in ascending order; a missing or unknown price leaves the one before. */
  points: readonly Pick<HistoryPoint, 'day' | 'market_price'>[]
  market_price: number
  /** Day from which on a price below $1, which has no history, counts as known. */
  low_since: number
}

/** Maximum number of days in the totals; earlier purchases count from the first of these days. */
export const TOTAL_DAYS_MAX = 3_653

/** First price of a history below which the price was known before, but too low to be recorded. */
const LOW_CENTS_MAX = 200

/** Tenths of today's value that must have been priced on the first day of the totals. */
const PRICED_TENTHS = 9

/** Returns changes of 0 for the days until `today`. */
export function noDailyChanges(firstDay: number, today: number): DailyChanges {
  const none = () => new Float64Array(today - firstDay + 1)
  const by = {
    value: none(),
    carried: none(),
    cost: none(),
    moved: none(),
    held: none(),
    known: none(),
  }
  return { firstDay, pricedDay: 0, by, foreign: new Map() }
}

/**
 * Adds copies of one price to daily changes. Their value on a day is their quantity times the newest known price up to
 * that day, and before the first one, times that. On the newest day, it is the current price.
 */
export function addDailyChanges(
  changes: DailyChanges,
  course: PriceCourse,
  copies: readonly HeldCopies[],
): void {
  const { firstDay, by } = changes
  const today = firstDay + by.value.length - 1
  const add = (measure: Measure, day: number, amount: number) => {
    const index = Math.max(0, day - firstDay)
    by[measure][index] = (by[measure][index] ?? 0) + amount
  }
  const prices = listPrices(course, today)
  const [{ day: knownSince, price: first }] = prices
  // A history that begins this low has begun because the price reached $1.
  const pricedSince = first < LOW_CENTS_MAX ? Math.min(knownSince, course.low_since) : knownSince
  const held = copies.toSorted((a, b) => a.start - b.start)
  for (const one of held) {
    const { start, quantity, cost } = one
    add('cost', start, cost ?? 0)
    addForeignCost(changes, one)
    add('held', start, quantity * course.market_price)
    add('known', Math.max(start, pricedSince), quantity * course.market_price)
    if (start >= knownSince) continue
    add('carried', start, quantity * first)
    add('carried', knownSince, -quantity * first)
  }
  let [copiesHeld, price, next] = [0, first, 0]
  const follow = (until: number) => {
    for (let to = prices[next]; to !== undefined && to.day <= until; to = prices[++next]) {
      const moved = copiesHeld * (to.price - price)
      add('value', to.day, moved)
      add('moved', to.day, moved)
      price = to.price
    }
  }
  for (const { start, quantity } of held) {
    follow(start)
    add('value', start, quantity * price)
    copiesHeld += quantity
  }
  follow(today)
  const newest = course.points.length === 0 ? 0 : (prices.at(-1)?.day ?? 0)
  changes.pricedDay = Math.max(changes.pricedDay, newest)
}

/** Adds what copies have cost in another currency. */
function addForeignCost(
  { firstDay, by, foreign }: DailyChanges,
  { start, cost, foreign: paid }: HeldCopies,
): void {
  if (cost === null || paid === undefined) return
  const none = () => new Float64Array(by.value.length)
  const known = foreign.get(paid.currency) ?? { paid: none(), cost: none() }
  foreign.set(paid.currency, known)
  const index = Math.max(0, start - firstDay)
  known.paid[index] = (known.paid[index] ?? 0) + paid.cents
  known.cost[index] = (known.cost[index] ?? 0) + cost
}

type PriceOfDay = { day: number; price: number }

/** Lists the known prices up to today, of which the last one is the current price. */
function listPrices(
  { points, market_price, low_since }: PriceCourse,
  today: number,
): [PriceOfDay, ...PriceOfDay[]] {
  const prices: PriceOfDay[] = []
  for (const { day, market_price: price } of points) {
    if (price !== null && day <= today) prices.push({ day, price })
  }
  const [first, ...later] = prices
  if (first === undefined) return [{ day: Math.min(low_since, today), price: market_price }]
  const last = later.at(-1) ?? first
  if (last.price !== market_price) later.push({ day: today, price: market_price })
  return [first, ...later]
}

/** Sums changes to totals, from the first day on which most of today's value of the copies held then was priced. */
export function sumDailyChanges({
  firstDay,
  by,
  foreign,
}: Omit<DailyChanges, 'pricedDay'>): DailyTotal[] {
  const totals: DailyTotal[] = []
  const now = { value: 0, carried: 0, cost: 0, held: 0, known: 0 }
  const costs: Record<string, ForeignCost> = {}
  for (let index = 0; index < by.value.length; index++) {
    for (const measure of SUMMED) now[measure] += by[measure][index] ?? 0
    for (const [currency, { paid, cost }] of foreign) {
      const before = costs[currency] ?? { paid: 0, cost: 0 }
      const sum = { paid: before.paid + (paid[index] ?? 0), cost: before.cost + (cost[index] ?? 0) }
      costs[currency] = sum
    }
    const { held, known, ...sums } = now
    if (totals.length === 0 && (held === 0 || known * 10 < held * PRICED_TENTHS)) continue
    const total = { day: firstDay + index, ...sums, moved: by.moved[index] ?? 0 }
    totals.push(foreign.size === 0 ? total : { ...total, foreign: { ...costs } })
  }
  return totals
}

const SUMMED = ['value', 'carried', 'cost', 'held', 'known'] as const

/** Change of a value from one day to the next, in cents. */
export type DayChange = { day: number; change: number; before: number }

/** Returns the change on the day of the newest prices; null if the totals have no day before it. */
export function newestChange(totals: readonly DailyTotal[], pricedDay: number): DayChange | null {
  const at = totals.findIndex(({ day }) => day === pricedDay)
  const [before, total] = [totals[at - 1], totals[at]]
  if (before === undefined || total === undefined) return null
  return { day: pricedDay, change: total.moved, before: before.value }
}
