import { api } from '../api.ts'
import { useQuery } from '../hooks/use-query.ts'
import { inCurrency } from '../pricing/currency.ts'

export function useCard(id: number) {
  return useQuery(`card ${id}`, (signal) => api.get('/v1/cards/{id}', { path: { id }, signal }))
}

/** Fetches the current prices of a card in a currency; undefined waits. Views share one request. */
export function usePrices(id: number | undefined, currency: string) {
  const key = id === undefined ? undefined : `prices of ${id} ${currency}`
  return useQuery(key, async (signal) => {
    const { data } = await inCurrency(currency, (query) =>
      api.get('/v1/cards/{id}/prices', {
        path: { id: id ?? 0 },
        query: { ...query, include: 'confidence' },
        signal,
      }),
    )
    return [data].flat()
  })
}
