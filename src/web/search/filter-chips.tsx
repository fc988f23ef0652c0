import { useQuery } from '@tanstack/react-query'
import type { Game } from '#client/endpoints.ts'
import * as texts from '#texts/search/search.ts'
import { CrossIcon } from '../action-icons.tsx'
import { moneyText } from '../format.ts'
import { apiQuery } from '../query-client.ts'
import { FILTERS, type FilterName, type SearchParams } from './query.ts'

/** Returns the name of the chosen set; empty if unknown. */
export function useSetName({ set_id }: SearchParams): string {
  const id = Number(set_id)
  const set = useQuery({ ...apiQuery('/v1/sets/{id}', { path: { id } }), enabled: set_id !== '' })
  return set.data?.data.id === id ? set.data.data.name : ''
}

/** Lists the active filters with their labels. */
export function activeFilters(
  searchParams: SearchParams,
  { games, setName, currency }: { games: readonly Game[]; setName: string; currency: string },
): { name: FilterName; text: string }[] {
  const textOf: Record<FilterName, (value: string) => string> = {
    game: (slug) => games.find((game) => game.slug === slug)?.name ?? slug,
    set_id: (id) => setName || texts.setOfId(id),
    type: (type) => type,
    rarity: (rarity) => rarity,
    printing: (printing) => printing,
    min_price: (amount) => texts.priceFrom(moneyText(Number(amount), currency)),
    max_price: (amount) => texts.priceUpTo(moneyText(Number(amount), currency)),
  }
  return FILTERS.filter((name) => searchParams[name] !== '').map((name) => ({
    name,
    text: textOf[name](searchParams[name]),
  }))
}
type FilterChipsProps = {
  filters: readonly { name: FilterName; text: string }[]
  onClear: (names: readonly FilterName[]) => void
}

export function FilterChips({ filters, onClear }: FilterChipsProps) {
  if (filters.length === 0) return null
  return (
    <ul className="chips" aria-label={texts.activeFilters}>
      {filters.map(({ name, text }) => (
        <li key={name}>
          <button type="button" className="chip" onClick={() => onClear([name])}>
            <span className="visually-hidden">{texts.removeFilter} </span>
            {text}
            <CrossIcon />
          </button>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <button
            type="button"
            className="chip all"
            onClick={() => onClear(filters.map(({ name }) => name))}
          >
            {texts.clearAllFilters}
          </button>
        </li>
      )}
    </ul>
  )
}
