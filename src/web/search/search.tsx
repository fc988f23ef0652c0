import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api } from '../api.ts'
import { FilterIcon } from '../components/icons.tsx'
import { Page } from '../components/page.tsx'
import { useGames } from '../hooks/use-games.ts'
import { useAsk } from '../hooks/use-query.ts'
import { Chips } from './filter-chips.tsx'
import { Filters } from './filters.tsx'
import { focusTile } from './grid-keys.ts'
import {
  addressOf,
  askOf,
  changed,
  type FilterName,
  isAskable,
  type Question,
  questionOf,
  refusedBy,
} from './query.ts'
import { QuestionField } from './query-field.tsx'
import { Found } from './search-results.tsx'
import { filtersOf, useSetName } from './suggest-names.ts'

/** Search as you type, with filters. All that is asked stands in the address. */
export function SearchView() {
  const question = questionOf(useSearch())
  const isAsked = isAskable(question.q)
  const found = useAsk(isAsked ? addressOf(question) : undefined, (signal) =>
    api.get('/v1/search', { query: askOf(question), signal }),
  )
  const refused = isAsked && found.state === 'failed' ? refusalOf(found.error) : undefined
  const games = useGames().data?.data ?? []
  const setName = useSetName(question)
  const filters = filtersOf(question, games, setName)
  const change = useChange()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)

  // Who comes with nothing to look for comes to write it.
  useEffect(() => {
    if (questionOf(location.search).q === '') field.current?.focus()
  }, [])

  return (
    <Page title="Search">
      <QuestionField
        q={question.q}
        field={field}
        fault={refused?.name === 'q' ? refused.message : undefined}
        onAsk={(q, replace) => change({ q }, replace)}
        onDown={() => focusTile(list.current?.querySelector<HTMLAnchorElement>('.tile a'))}
      />
      <div className="search-page">
        <FilterPanel set={filters.length}>
          <Filters
            question={question}
            onChange={change}
            games={games}
            setName={setName}
            results={(isAsked && found.data?.data) || []}
            refused={refused}
          />
        </FilterPanel>
        <Found
          question={question}
          asked={isAsked ? found : undefined}
          games={games}
          chips={
            <Chips
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
  return (change: Partial<Question>, replace = false) =>
    go(addressOf(changed(questionOf(location.search), change)), { replace })
}

function cleared(names: readonly FilterName[]) {
  return names.map((name) => [name, ''] as const)
}

function refusalOf(error: Parameters<typeof refusedBy>[0]) {
  const name = refusedBy(error)
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
