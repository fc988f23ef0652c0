import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../query-client.ts'

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
