import { useQuery } from '@tanstack/react-query'
import type { CardSet } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { apiQuery, defineQuery } from '../query-client.ts'

/** Fetches all games; views share one request. */
export function useGames() {
  return useQuery(apiQuery('/v1/games', { query: { per_page: 100 } }))
}

export function useCard(id: number) {
  return useQuery(apiQuery('/v1/cards/{id}', { path: { id } }))
}

/** Fetches the current prices of a card in a currency; undefined waits. Views share one request. */
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

/** Declares the query of all sets of a game, newest first. */
export function allSetsQuery(slug: string) {
  return defineQuery(['/v1/games/{slug}/sets', slug], (signal) => fetchAllSets(slug, signal))
}

/** Fetches 100 sets per request. These requests cost no quota. */
async function fetchAllSets(slug: string, signal: AbortSignal): Promise<CardSet[]> {
  const pageAt = (page: number) =>
    api.get('/v1/games/{slug}/sets', { path: { slug }, query: { page, per_page: 100 }, signal })
  const first = await pageAt(1)
  const pages = Math.ceil(first.meta.total / first.meta.per_page)
  const others = Array.from({ length: Math.max(0, pages - 1) }, (_, index) => pageAt(index + 2))
  return [first, ...(await Promise.all(others))].flatMap(({ data }) => data)
}
