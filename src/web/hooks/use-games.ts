import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../query-client.ts'

/** Fetches all games; views share one request. */
export function useGames() {
  return useQuery(apiQuery('/v1/games', { query: { per_page: 100 } }))
}
