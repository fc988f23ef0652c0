import { useQuery } from '@tanstack/react-query'
import type { CardSet } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { DOLLARS } from '../numbers.ts'
import { inCurrency } from '../pricing/currency.ts'
import { apiQuery, defineQuery, fetchAllPages } from '../query-client.ts'

/** Fetches all games; views share one request. */
export function useGames() {
  return useQuery(apiQuery('/v1/games', { query: { per_page: 100 } }))
}

export function useCard(id: number) {
  return useQuery(apiQuery('/v1/cards/{id}', { path: { id } }))
}

/** Fetches the current prices of a card in a currency; with undefined, the query waits. Views share one request. */
export function usePrices(id: number | undefined, currency: string) {
  const query = { currency, include: 'confidence' }
  return useQuery({
    ...apiQuery('/v1/cards/{id}/prices', { path: { id: id ?? 0 }, query }),
    select: ({ data }) => [data].flat(),
    enabled: id !== undefined,
    // Prices of another card or currency would mislead.
    placeholderData: () => undefined,
  })
}

/** Declares the query of all sets of a game, newest first, with their values in a currency. */
export function allSetsQuery(slug: string, currency = DOLLARS) {
  // These requests cost no quota.
  return defineQuery(
    ['/v1/games/{slug}/sets', slug, currency],
    (signal): Promise<CardSet[]> =>
      inCurrency(currency, async (choice) => {
        const { data } = await fetchAllPages((paging) =>
          api.get('/v1/games/{slug}/sets', {
            path: { slug },
            query: { ...choice, ...paging },
            signal,
          }),
        )
        return data
      }),
  )
}
