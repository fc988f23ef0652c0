import { api } from '../api.ts'
import { useQuery } from './use-query.ts'

/** Fetches all games; views share one request. */
export function useGames() {
  return useQuery('games', (signal) => api.get('/v1/games', { query: { per_page: 100 }, signal }))
}
