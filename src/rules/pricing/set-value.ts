import { formatDate } from '../primitives/days.ts'
import { isApart, toDollars } from '../primitives/money.ts'
import type { HistoryPoint } from './packed-history.ts'
import type { PriceOrigin } from './price-view.ts'

/** Current value of a set, as in its summary: the sum of the known prices, and their number. */
export type SetTotal = { value: number; priced: number }

/** Value of the cards of a set on one day. */
export type SetValuePoint = {
  day: number
  /** Cents. */
  market_price: number
  /** Number of cards that connect the value to that of the next day; on the newest day, of cards in the sum. */
  cards: number
  /** False for the newest day, whose value is a sum. */
  chained: boolean
  /** Currency of the value in a view, with the rate of its day if it has converted prices. */
  origin?: SumOrigin
}

/** Origin of a sum, which may have several sources. */
export type SumOrigin = Omit<PriceOrigin, 'source'>

/** Days for which the last price stands in for a missing one. */
const BRIDGED_DAYS = 7

/**
 * Factor beyond which a change does not count: the card leaves and joins. Of 43,093 real changes, 5 were larger, each
 * of a card that is rarely sold.
 */
const MOVE_FACTOR_MAX = 2

/** Factor between days that are more than BRIDGED_DAYS apart. */
const LONG_MOVE_FACTOR_MAX = 6

/**
 * Chains the value of a set backwards from its current total. The change from one day to the next is that of the cards
 * with a price on both, so cards that join or leave move nothing. If no card connects two days, the value stays.
 *
 * @param histories points of each card, ascending
 * @returns the days on which any card has a price, ascending
 */
export function chainHistories(
  histories: readonly (readonly HistoryPoint[])[],
  total: SetTotal,
): SetValuePoint[] {
  const days = listDays(histories, total)
  const newest = days.at(-1)
  if (newest === undefined) return []
  const links = days.map((): Link => ({ before: 0, after: 0, cards: 0 }))
  const last: number[] = []
  for (const points of histories) {
    const prices = bridgePrices(points, days)
    addToLinks(links, prices, days)
    const price = prices.at(-1)
    if (price !== undefined) last.push(price)
  }
  // If no card has a price now, there is no total: the newest day then has the sum of its own prices.
  const isKnown = total.priced > 0
  return chainBack(links, days, {
    day: newest,
    market_price: isKnown ? Math.round(total.value * 100) : last.reduce((a, b) => a + b, 0),
    cards: isKnown ? total.priced : last.length,
    chained: false,
  })
}

/** Sums of the prices that connect a day with the next one. */
type Link = { before: number; after: number; cards: number }

/** Lists the days with a known price, and the day of the total, on which all prices with a history can be unknown. */
function listDays(histories: readonly (readonly HistoryPoint[])[], total: SetTotal): number[] {
  const days = new Set<number>()
  for (const points of histories) {
    for (const { day, market_price } of points) if (market_price !== null) days.add(day)
  }
  if (total.priced > 0) {
    const newest = histories.reduce((max, points) => Math.max(max, points.at(-1)?.day ?? 0), 0)
    if (newest > 0) days.add(newest)
  }
  return [...days].sort((a, b) => a - b)
}

/** Returns the price of a card on each day, which can be the last one before; undefined if it is too old. */
function bridgePrices(points: readonly HistoryPoint[], days: readonly number[]) {
  let last: { day: number; price: number } | undefined
  let next = 0
  return days.map((day) => {
    for (let point = points[next]; point !== undefined && point.day <= day; point = points[++next])
      if (point.market_price !== null) last = { day: point.day, price: point.market_price }
    return last !== undefined && day - last.day <= BRIDGED_DAYS ? last.price : undefined
  })
}

/** Adds the prices of a card on two days in a row, unless it moves too far. */
function addToLinks(
  links: readonly Link[],
  prices: readonly (number | undefined)[],
  days: readonly number[],
): void {
  for (const [at, link] of links.entries()) {
    const [before, after] = [prices[at], prices[at + 1]]
    if (before === undefined || after === undefined) continue
    const isFar = (days[at + 1] ?? 0) - (days[at] ?? 0) > BRIDGED_DAYS
    if (isApart(before, after, isFar ? LONG_MOVE_FACTOR_MAX : MOVE_FACTOR_MAX)) continue
    link.before += before
    link.after += after
    link.cards++
  }
}

/** Applies the changes to the value of the newest day, from each day to the one before. */
function chainBack(
  links: readonly Link[],
  days: readonly number[],
  newest: SetValuePoint,
): SetValuePoint[] {
  const values = [newest]
  let cents = newest.market_price
  for (let at = days.length - 2; at >= 0; at--) {
    const { before, after, cards } = links[at] ?? NO_LINK
    if (before > 0 && after > 0) cents *= before / after
    values.push({ day: days[at] ?? 0, market_price: Math.round(cents), cards, chained: true })
  }
  return values.reverse()
}

const NO_LINK: Link = { before: 0, after: 0, cards: 0 }

/** Formats the values for the API, from a day on. */
export function formatSetValues(points: readonly SetValuePoint[], firstDay: number) {
  return points
    .filter(({ day }) => day >= firstDay)
    .map(({ day, market_price, cards, chained, origin }) => ({
      date: formatDate(day),
      value: toDollars(market_price),
      ...origin,
      cards,
      chained,
    }))
}
