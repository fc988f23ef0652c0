import { api } from '../api.ts'
import { useQuery } from '../hooks/use-query.ts'

export function useCard(id: number) {
  return useQuery(`card ${id}`, (signal) => api.get('/v1/cards/{id}', { path: { id }, signal }))
}

/** Fetches the current prices of a card; undefined waits. Views share one request. */
export function usePrices(id: number | undefined) {
  return useQuery(id === undefined ? undefined : `prices of ${id}`, async (signal) => {
    const { data } = await api.get('/v1/cards/{id}/prices', { path: { id: id ?? 0 }, signal })
    return [data].flat()
  })
}
