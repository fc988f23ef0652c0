import type { PricedCard } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { useQuery } from '../hooks/use-query.ts'

/** Fetches the cards of alerts, by id. Alerts are shown without waiting for them. */
export function useAlertCards(ids: readonly number[]): ReadonlyMap<number, PricedCard> {
  const sortedIds = [...new Set(ids)].sort((one, other) => one - other)
  const cards = useQuery(
    sortedIds.length === 0 ? undefined : `cards ${sortedIds.join(',')}`,
    (signal) => api.get('/v1/bulk/cards', { query: { ids: sortedIds }, signal }),
  )
  return new Map(cards.data?.data.map((card) => [card.id, card]))
}

/** Returns the price that an alert compares; null if unknown. */
export function alertPrice({ prices }: Pick<PricedCard, 'prices'>, printing: string | null) {
  const marketPrices = prices
    .filter((price) => printing === null || price.printing === printing)
    .flatMap(({ market_price }) => (market_price === null ? [] : [market_price]))
  return marketPrices.length === 0 ? null : Math.max(...marketPrices)
}
