import type { Deps } from '#deps.ts'
import {
  addDailyChanges,
  type DailyTotal,
  type HeldCopies,
  newestChange,
  noDailyChanges,
  sumDailyChanges,
  TOTAL_DAYS_MAX,
} from '#rules/collections/daily-totals.ts'
import { firstDayHeld } from '#rules/collections/holding.ts'
import type { HistoryFacts } from '#rules/collections/summarize.ts'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import { convertKnown } from '#rules/pricing/viewed-prices.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { nextTurn } from '../cooperative-loop.ts'
import type { PricedItem } from './value-items.ts'

/** Copies by the series of their price. */
export type CopiesBySeries = Map<number, SeriesCopies>

type SeriesCopies = {
  held: HeldCopies[]
  currency: string
  market_price: number
  low_since: number
}

/** Adds the copies of an item, with their cost in US cents, to those with the same price. Without a known price, they are in no total. */
export function addCopies(
  copies: CopiesBySeries,
  { item, price, prices_since, cost }: PricedItem & { cost: number | null },
  today: number,
): void {
  if (price?.market_price == null) return
  const { quantity, acquired_on, created_at, price_paid, paid_currency } = item
  const start = firstDayHeld({ acquired_on, created_on: dayOf(new Date(created_at)) }, today)
  const { series, currency, market_price } = price
  const low_since = prices_since ?? today
  const known = copies.get(series) ?? { held: [], currency, market_price, low_since }
  const isForeign = price_paid !== null && paid_currency !== MIRROR_KIND.currency
  const foreign = isForeign ? { cents: quantity * price_paid, currency: paid_currency } : undefined
  known.held.push({ start, quantity, cost, foreign })
  copies.set(series, known)
}

/** Totals all copies by day, from the history of each price. */
export async function totalDays(
  { catalog }: Pick<Deps, 'catalog'>,
  copies: CopiesBySeries,
  today: number,
): Promise<{ days: DailyTotal[]; history: HistoryFacts }> {
  let held_since: number | null = null
  for (const { held } of copies.values()) {
    for (const { start } of held) held_since = Math.min(held_since ?? start, start)
  }
  const first = Math.max(held_since ?? today, today - TOTAL_DAYS_MAX + 1)
  const changes = noDailyChanges(first, today)
  let untracked_value = 0
  let read = 0
  for (const [series, { held, currency, ...price }] of copies) {
    const points = readPoints({ catalog }, series, currency)
    addDailyChanges(changes, { points, ...price }, held)
    if (points.length === 0) {
      for (const { quantity } of held) untracked_value += quantity * price.market_price
    }
    if (++read % SERIES_A_TURN === 0) await nextTurn()
  }
  const days = sumDailyChanges(changes)
  const newest_change = newestChange(days, changes.pricedDay)
  return { days, history: { held_since, untracked_value, newest_change } }
}

/** Reads the history of a price, and converts each day with its rate. */
function readPoints(
  { catalog }: Pick<Deps, 'catalog'>,
  series: number,
  currency: string,
): Pick<HistoryPoint, 'day' | 'market_price'>[] {
  const points = catalog.history.getPoints(series, 0)
  const { currency: to } = MIRROR_KIND
  if (currency === to) return points
  return points.map(({ day, market_price }) => {
    const rate = catalog.sources.rates.find({ from: currency, to, day })
    return { day, market_price: convertKnown(market_price, rate) }
  })
}

/** Reading a history takes some tens of microseconds. */
const SERIES_A_TURN = 20
