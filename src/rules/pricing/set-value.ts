import { formatDate } from '../primitives/days.ts'
import { toDollars } from '../primitives/money.ts'
import type { HistoryPoint } from './packed-history.ts'
import type { PriceOrigin } from './price-view.ts'

/** Value of the cards of a set on one day, in cents. */
export type SetValuePoint = {
  day: number
  market_price: number
  /** Number of cards that had a price by then. */
  cards: number
  /** Currency of the value in a view, with the rate of its day if it has converted prices. */
  origin?: SumOrigin
}

/** Origin of a sum, which may have several sources. */
export type SumOrigin = Omit<PriceOrigin, 'source'>

/**
 * Sums the prices of cards by day. Each card counts from its first known price on, with the last known one, so that a
 * missing price causes no dip.
 *
 * @param histories points of each card, ascending
 * @returns the days on which any card has a point, ascending
 */
export function sumHistories(histories: Iterable<readonly HistoryPoint[]>): SetValuePoint[] {
  // Differences by day, so that each point is processed once.
  const changes = new Map<number, { cents: number; cards: number }>()
  for (const points of histories) {
    let last: number | undefined
    for (const { day, market_price } of points) {
      const change = changes.get(day) ?? { cents: 0, cards: 0 }
      changes.set(day, change)
      if (market_price === null) continue
      change.cents += market_price - (last ?? 0)
      change.cards += last === undefined ? 1 : 0
      last = market_price
    }
  }
  let [market_price, cards] = [0, 0]
  return [...changes]
    .sort(([a], [b]) => a - b)
    .map(([day, change]) => {
      market_price += change.cents
      cards += change.cards
      return { day, market_price, cards }
    })
}

/** Formats the values for the API, from a day on. */
export function formatSetValues(points: readonly SetValuePoint[], firstDay: number) {
  return points
    .filter(({ day, cards }) => day >= firstDay && cards > 0)
    .map(({ day, market_price, cards, origin }) => ({
      date: formatDate(day),
      value: toDollars(market_price) ?? 0,
      ...origin,
      cards,
    }))
}
