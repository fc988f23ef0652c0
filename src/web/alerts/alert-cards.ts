import type { PricedCard } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { useQuery } from '../hooks/use-query.ts'

/** The cards of watches with their prices, by id. Watches are shown without them, too. */
export function useAlertCards(ids: readonly number[]): ReadonlyMap<number, PricedCard> {
  const wanted = [...new Set(ids)].sort((one, other) => one - other)
  const asked = useQuery(wanted.length === 0 ? undefined : `cards ${wanted.join(',')}`, (signal) =>
    api.get('/v1/bulk/cards', { query: { ids: wanted }, signal }),
  )
  return new Map(asked.data?.data.map((card) => [card.id, card]))
}

/** What a watch of a card looks at: the dearest price, or that of one printing; null: not known. */
export function alertPrice({ prices }: Pick<PricedCard, 'prices'>, printing: string | null) {
  const known = prices
    .filter((price) => printing === null || price.printing === printing)
    .flatMap(({ market_price }) => (market_price === null ? [] : [market_price]))
  return known.length === 0 ? null : Math.max(...known)
}
