import type { ReactNode } from 'react'
import type { CollectionSummary } from '#client/endpoints.ts'
import * as texts from '#texts/collections/items.ts'
import { useGames } from '../catalog/queries.ts'
import { SearchIcon } from '../components/icons.tsx'
import { GameSelect } from '../components/select.tsx'
import { useDebounce, useDraft } from '../hooks/use-draft.ts'
import { FilterPanel } from '../search/filter-panel.tsx'
import { LabeledSelect } from './item-form.tsx'
import { CONDITION_NAMES } from './item-text.ts'
import { ITEM_ORDERS, type ItemParams } from './queries.ts'

type FiltersProps = {
  params: ItemParams
  summary: CollectionSummary | undefined
  /** Changes parameters of the URL; an empty text removes one. */
  onChange: (changes: Record<string, string>) => void
  /** Button beside the order. */
  children?: ReactNode
}

/** Finds and orders the items of a collection. The choices are those that its last valuation has met. */
export function ItemFilters({ params, summary, onChange, children }: FiltersProps) {
  const games = useGames()
  const held = new Set(summary?.games.map(({ game }) => game))
  const { game, set_id, condition, printing, place, sort } = params
  const sets = summary?.sets.filter((one) => game === undefined || game === one.game) ?? []
  const names = (all: readonly string[] = []) => all.map((name) => [name, name] as const)
  const chosen = [game, set_id, condition, printing, place].filter((one) => one !== undefined)
  return (
    <>
      <ItemSearch q={params.q ?? ''} onSearch={(q) => onChange({ q })} />
      <div className="row item-controls">
        <FilterPanel set={chosen.length} className="row item-filters">
          <GameSelect
            label={texts.game}
            all={texts.allGames}
            games={games.data?.data.filter(({ slug }) => held.has(slug)) ?? []}
            value={game}
            onChange={(slug) => onChange({ game: slug, set: '' })}
          />
          <LabeledSelect
            label={texts.set}
            all={texts.allSets}
            options={sets.map((one) => [String(one.set_id), one.set_name] as const)}
            value={set_id === undefined ? '' : String(set_id)}
            onChange={(set) => onChange({ set })}
          />
          <LabeledSelect
            label={texts.condition}
            all={texts.allConditions}
            options={CONDITION_NAMES}
            value={condition}
            onChange={(value) => onChange({ condition: value })}
          />
          <LabeledSelect
            label={texts.printing}
            all={texts.allPrintings}
            options={names(summary?.printings)}
            value={printing}
            onChange={(value) => onChange({ printing: value })}
          />
          <LabeledSelect
            label={texts.place}
            all={texts.allPlaces}
            options={names(summary?.places)}
            value={place}
            onChange={(value) => onChange({ place: value })}
          />
        </FilterPanel>
        <LabeledSelect
          label={texts.order}
          options={ITEM_ORDERS}
          value={sort}
          onChange={(value) => onChange({ sort: value })}
        />
        {children}
      </div>
    </>
  )
}

/** Searches by name, set and number after typing stops. */
function ItemSearch({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [draft, setDraft] = useDraft(q)
  const debounce = useDebounce()
  const search = (text: string) => {
    debounce()
    if (text.trim() !== q) onSearch(text.trim())
  }
  return (
    <search>
      <form
        className="search-form item-search"
        onSubmit={(event) => {
          event.preventDefault()
          search(draft)
        }}
      >
        <SearchIcon />
        <input
          type="search"
          className="input"
          aria-label={texts.searchThisCollection}
          placeholder={texts.searchThisCollection}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={100}
          value={draft}
          onChange={({ target }) => {
            setDraft(target.value)
            debounce(() => search(target.value))
          }}
        />
      </form>
    </search>
  )
}
