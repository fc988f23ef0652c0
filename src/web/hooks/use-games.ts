import { api } from '../api.ts'
import { useQuery } from './use-query.ts'

/** All games, asked for once however many views show them. */
export function useGames() {
  return useQuery('games', (signal) => api.get('/v1/games', { query: { per_page: 100 }, signal }))
}
