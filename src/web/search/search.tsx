import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import * as texts from '#texts/search/search.ts'
import { useGames } from '../catalog/queries.ts'
import { Page } from '../components/page.tsx'
import { fieldMessage } from '../field-message.ts'
import { useCurrency } from '../pricing/currency.ts'
import { apiQuery } from '../query-client.ts'
import { activeFilters, FilterChips, useSetName } from './filter-chips.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { Filters } from './filters.tsx'
import { focusTile } from './grid-keys.ts'
import {
  type FilterName,
  invalidField,
  parseSearch,
  type SearchParams,
  searchRequest,
  searchUrl,
  withChange,
  withCurrency,
} from './query.ts'
import { QueryField } from './query-field.tsx'
import { SearchResults } from './search-results.tsx'
import { isSearchable } from './shown-results.ts'

/** Search as you type, with filters. The URL holds all parameters. */
export function SearchView() {
  const params = parseSearch(useSearch())
  const { currency } = useCurrency()
  const canSearch = isSearchable(params.q)
  const result = useQuery({
    ...apiQuery('/v1/search', { query: { ...searchRequest(params), currency } }),
    enabled: canSearch,
  })
  const invalid = canSearch && result.isError ? invalidInput(result.error) : undefined
  const games = useGames().data?.data ?? []
  const setName = useSetName(params)
  const filters = activeFilters(params, { games, setName, currency })
  const change = useChange(currency)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)

  // Focus the field if the search is empty.
  useEffect(() => {
    if (parseSearch(location.search).q === '') field.current?.focus()
  }, [])

  return (
    <Page title={texts.search}>
      <QueryField
        q={params.q}
        field={field}
        error={invalid?.name === 'q' ? invalid.message : undefined}
        onSearch={(q, replace) => change({ q }, replace)}
        onDown={() => focusTile(list.current?.querySelector<HTMLAnchorElement>('.tile a'))}
      />
      <div className="search-page">
        <FilterPanel set={filters.length}>
          <Filters
            params={params}
            onChange={change}
            games={games}
            setName={setName}
            currency={currency}
            results={(canSearch && result.data?.data) || []}
            invalid={invalid}
          />
        </FilterPanel>
        <SearchResults
          params={params}
          result={canSearch ? result : undefined}
          games={games}
          chips={
            <FilterChips
              filters={filters}
              onClear={(names) => change(Object.fromEntries(cleared(names)))}
            />
          }
          list={list}
          onChange={change}
          onLeave={() => {
            field.current?.focus()
            scrollTo({ top: 0 })
          }}
        />
      </div>
    </Page>
  )
}

/** Returns a function that changes the current URL. */
function useChange(currency: string) {
  const [, go] = useLocation()
  return (change: Partial<SearchParams>, replace = false) =>
    go(searchUrl(withCurrency(withChange(parseSearch(location.search), change), currency)), {
      replace,
    })
}

function cleared(names: readonly FilterName[]) {
  return names.map((name) => [name, ''] as const)
}

function invalidInput(error: Parameters<typeof invalidField>[0]) {
  const field = invalidField(error)
  if (field === undefined) return undefined
  return { name: field.name, message: fieldMessage(error, field.label) }
}
