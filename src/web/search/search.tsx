import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api } from '../api.ts'
import { FilterIcon } from '../components/icons.tsx'
import { Page } from '../components/page.tsx'
import { useGames } from '../hooks/use-games.ts'
import { useQuery } from '../hooks/use-query.ts'
import { activeFilters, useSetName } from './active-filters.ts'
import { FilterChips } from './filter-chips.tsx'
import { Filters } from './filters.tsx'
import { focusTile } from './grid-keys.ts'
import {
  type FilterName,
  invalidField,
  isSearchable,
  parseSearch,
  type SearchParams,
  searchRequest,
  searchUrl,
  withChange,
} from './query.ts'
import { QueryField } from './query-field.tsx'
import { SearchResults } from './search-results.tsx'

/** Search as you type, with filters. All that is asked stands in the address. */
export function SearchView() {
  const question = parseSearch(useSearch())
  const isAsked = isSearchable(question.q)
  const found = useQuery(isAsked ? searchUrl(question) : undefined, (signal) =>
    api.get('/v1/search', { query: searchRequest(question), signal }),
  )
  const refused = isAsked && found.state === 'failed' ? refusalOf(found.error) : undefined
  const games = useGames().data?.data ?? []
  const setName = useSetName(question)
  const filters = activeFilters(question, games, setName)
  const change = useChange()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)

  // Who comes with nothing to look for comes to write it.
  useEffect(() => {
    if (parseSearch(location.search).q === '') field.current?.focus()
  }, [])

  return (
    <Page title="Search">
      <QueryField
        q={question.q}
        field={field}
        error={refused?.name === 'q' ? refused.message : undefined}
        onSearch={(q, replace) => change({ q }, replace)}
        onDown={() => focusTile(list.current?.querySelector<HTMLAnchorElement>('.tile a'))}
      />
      <div className="search-page">
        <FilterPanel set={filters.length}>
          <Filters
            params={question}
            onChange={change}
            games={games}
            setName={setName}
            results={(isAsked && found.data?.data) || []}
            invalid={refused}
          />
        </FilterPanel>
        <SearchResults
          params={question}
          result={isAsked ? found : undefined}
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

/** Writes another question into the address, from what stands there at that moment. */
function useChange() {
  const [, go] = useLocation()
  return (change: Partial<SearchParams>, replace = false) =>
    go(searchUrl(withChange(parseSearch(location.search), change)), { replace })
}

function cleared(names: readonly FilterName[]) {
  return names.map((name) => [name, ''] as const)
}

function refusalOf(error: Parameters<typeof invalidField>[0]) {
  const name = invalidField(error)
  return name === undefined ? undefined : { name, message: error.message }
}

/** Beside the results; on a phone above them, and closed until it is opened. */
function FilterPanel({ set, children }: { set: number; children: React.ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <aside aria-label="Filters">
      <button
        type="button"
        className="button filters-opener"
        aria-expanded={isOpen}
        aria-controls="filters"
        onClick={() => setOpen(!isOpen)}
      >
        <FilterIcon />
        Filters{set > 0 && ` (${set})`}
      </button>
      <div id="filters" className={isOpen ? 'filters open' : 'filters'}>
        {children}
      </div>
    </aside>
  )
}
