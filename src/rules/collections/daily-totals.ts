import type { HistoryPoint } from '../pricing/packed-history.ts'

/** Changes of totals from day to day, in cents. Index 0 is `firstDay`, and each entry applies from its day on. */
export type DailyChanges = { firstDay: number; value: Float64Array; cost: Float64Array }

/** Copies with the same price, held from a day on. */
export type HeldCopies = { start: number; quantity: number; price_paid: number | null }

/** Totals of a day in cents. */
export type DailyTotal = { day: number; value: number; cost: number }

/** Maximum number of days in the totals; earlier purchases count from the first of these days. */
export const TOTAL_DAYS_MAX = 3_653

/** Returns changes of 0 for the days until `today`. */
export function noDailyChanges(firstDay: number, today: number): DailyChanges {
  const days = today - firstDay + 1
  return { firstDay, value: new Float64Array(days), cost: new Float64Array(days) }
}

/**
 * Adds copies of one price to daily changes. Their value on a day is their quantity times the newest price up to that
 * day, or 0 while no price is known.
 *
 * @param points history of the price, ascending by day
 */
export function addDailyChanges(
  changes: DailyChanges,
  points: readonly Pick<HistoryPoint, 'day' | 'market_price'>[],
  copies: readonly HeldCopies[],
): void {
  const { firstDay, value, cost } = changes
  const lastDay = firstDay + value.length - 1
  const indexOf = (day: number) => Math.max(0, day - firstDay)
  const held = copies.toSorted((a, b) => a.start - b.start)
  for (const { start, quantity, price_paid } of held) {
    if (start <= lastDay) add(cost, indexOf(start), quantity * (price_paid ?? 0))
  }
  let [quantity, price, total] = [0, 0, 0]
  for (let [point, copy] = [0, 0]; point < points.length || copy < held.length; ) {
    const day = Math.min(points[point]?.day ?? lastDay + 1, held[copy]?.start ?? lastDay + 1)
    if (day > lastDay) return
    for (; points[point]?.day === day; point++) price = points[point]?.market_price ?? 0
    for (; held[copy]?.start === day; copy++) quantity += held[copy]?.quantity ?? 0
    add(value, indexOf(day), quantity * price - total)
    total = quantity * price
  }
}

function add(changes: Float64Array, index: number, by: number): void {
  changes[index] = (changes[index] ?? 0) + by
}

/** Sums changes to totals, from the first day on which copies were worth or cost something. */
export function sumDailyChanges({ firstDay, value, cost }: DailyChanges): DailyTotal[] {
  const totals: DailyTotal[] = []
  let [worth, paid] = [0, 0]
  for (const [index, change] of value.entries()) {
    worth += change
    paid += cost[index] ?? 0
    const isEmpty = totals.length === 0 && worth === 0 && paid === 0
    if (!isEmpty) totals.push({ day: firstDay + index, value: worth, cost: paid })
  }
  return totals
}
