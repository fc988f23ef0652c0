import { useQuery } from '@tanstack/react-query'
import { useGames } from '../catalog/queries.ts'
import { apiQuery } from '../query-client.ts'
import { canNamePlace, listNamedPlaces, type NamedPlace } from './named-places.ts'
import { isSearchable } from './shown-results.ts'

/** Sets that are looked at: the API sorts them by how well they match. */
const SETS = 10

/** Declares the query of the sets that a text may name. */
export function namedSetsQuery(text: string) {
  return apiQuery('/v1/sets', { query: { q: text, per_page: SETS } })
}

/** Returns the sets and games that a text names, the games first; undefined until the first answer. */
export function useNamedPlaces(text: string): NamedPlace[] | undefined {
  const games = useGames().data?.data ?? []
  const enabled = isSearchable(text) && canNamePlace(text)
  const sets = useQuery({ ...namedSetsQuery(text), enabled })
  if (!enabled) return []
  return sets.isPending ? undefined : listNamedPlaces(text, games, sets.data?.data ?? [])
}
