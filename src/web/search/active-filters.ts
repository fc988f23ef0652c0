import type { Game } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { usd } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { FILTERS, type FilterName, type SearchParams } from './query.ts'

/** The chosen set's name; empty where none is chosen, or none has that id. */
export function useSetName({ set_id }: SearchParams): string {
  const id = Number(set_id)
  const asked = useQuery(set_id === '' ? undefined : `set ${id}`, (signal) =>
    api.get('/v1/sets/{id}', { path: { id }, signal }),
  )
  return asked.data?.data.id === id ? asked.data.data.name : ''
}

/** The filters that are set, each as people call it. */
export function activeFilters(
  searchParams: SearchParams,
  games: readonly Game[],
  setName: string,
): { name: FilterName; text: string }[] {
  const textOf: Record<FilterName, (value: string) => string> = {
    game: (slug) => games.find((game) => game.slug === slug)?.name ?? slug,
    set_id: (id) => setName || `Set ${id}`,
    type: (type) => type,
    rarity: (rarity) => rarity,
    min_price: (dollars) => `From ${usd(Number(dollars))}`,
    max_price: (dollars) => `Up to ${usd(Number(dollars))}`,
  }
  return FILTERS.filter((name) => searchParams[name] !== '').map((name) => ({
    name,
    text: textOf[name](searchParams[name]),
  }))
}
