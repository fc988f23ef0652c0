import { useQuery } from '@tanstack/react-query'
import { useGames } from '../catalog/queries.ts'
import { apiQuery } from '../query-client.ts'
import { listNamedPlaces, type NamedPlace } from './named-places.ts'
import { isSearchable } from './shown-results.ts'

/** Returns the sets and games that a text names, the games first. Each text costs one request of the quota. */
export function useNamedPlaces(text: string): NamedPlace[] {
  const games = useGames().data?.data ?? []
  const sets = useQuery({
    ...apiQuery('/v1/sets', { query: { q: text, per_page: SETS } }),
    enabled: isSearchable(text),
  })
  return isSearchable(text) ? listNamedPlaces(text, games, sets.data?.data ?? []) : []
}

/** Sets that are looked at: the API sorts them by how well they match. */
const SETS = 10
