import type { PriceKey } from '../pricing/price-key.ts'
import type { PriceOrigin, PriceView, RatedList } from '../pricing/price-view.ts'
import { convertKnown, listUsual } from '../pricing/viewed-prices.ts'

/** The price compared by a webhook, in hundredths of its currency, and the stored price from which it is derived. */
export type WatchedPrice<Stored> = { price: number; origin: PriceOrigin; stored: Stored }

/**
 * Finds the highest market price among a card's printings in a view. For each printing, the first list with a price
 * counts, as on the pages and in responses.
 *
 * @param printing null for all printings
 * @returns undefined if no price is known
 */
export function findWatchedPrice<Stored extends PriceKey & { market_price: number | null }>(
  { lists }: PriceView<RatedList>,
  prices: readonly Stored[],
  printing: string | null,
): WatchedPrice<Stored> | undefined {
  const offers = lists.flatMap((list) => offerPrices(prices, list))
  const found = new Map<string, WatchedPrice<Stored>>()
  for (const offer of offers) {
    const name = offer.stored.printing
    if (printing === null || printing === name) found.set(name, found.get(name) ?? offer)
  }
  return [...found.values()].sort((a, b) => b.price - a.price)[0]
}

/** Returns the known prices of a list, in the currency of its view. */
function offerPrices<Stored extends PriceKey & { market_price: number | null }>(
  prices: readonly Stored[],
  list: RatedList,
): WatchedPrice<Stored>[] {
  const { origin, rate } = list
  return listUsual(prices, list).flatMap((stored) => {
    const own = stored.market_price
    const price = origin.converted ? convertKnown(own, rate) : own
    return price === null ? [] : [{ price, origin, stored }]
  })
}
