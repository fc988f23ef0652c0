import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Game } from '#client/endpoints.ts'
import * as texts from '#texts/search/search.ts'
import { allSetsQuery } from '../catalog/queries.ts'
import { ComboField } from '../components/combo-field.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { GameSelect } from '../components/select.tsx'
import { PriceFilter } from './price-filter.tsx'
import { type FilterName, type SearchParams, TYPES } from './query.ts'
import type { ShownResult } from './shown-results.ts'

export type FiltersProps = {
  params: SearchParams
  onChange: (change: Partial<SearchParams>) => void
  games: readonly Game[]
  setName: string
  currency: string
  /** Shown results, whose rarities and printings are offered. */
  results: readonly ShownResult[]
  /** Field that the API rejected. */
  invalid: { name: string; message: string } | undefined
}

/** Search filters, applied immediately. */
export function Filters(props: FiltersProps) {
  const { params, onChange, results } = props
  const errorOf = (name: FilterName) =>
    props.invalid?.name === name ? props.invalid.message : undefined
  return (
    <>
      <GameSelect
        label={texts.game}
        all={texts.allGames}
        games={props.games}
        value={params.game}
        onChange={(game) => onChange({ game })}
      />
      <SetFilter
        // Resets the field for another game.
        key={params.game}
        {...props}
        error={errorOf('set_id')}
      />
      <div className="field">
        <span className="field-label">{texts.type}</span>
        <SegmentedControl
          label={texts.type}
          options={TYPES}
          value={params.type}
          onChange={(type) => onChange({ type })}
        />
      </div>
      <ComboField
        label={texts.rarity}
        value={params.rarity}
        placeholder={texts.anyRarity}
        suggestions={(typed) => matching(raritiesOf(results), typed)}
        onPick={(rarity) => onChange({ rarity })}
        onType={(rarity) => onChange({ rarity })}
        error={errorOf('rarity')}
      />
      <ComboField
        label={texts.printing}
        value={params.printing}
        placeholder={texts.basePrinting}
        suggestions={(typed) => matching(printingsOf(results), typed)}
        onPick={(printing) => onChange({ printing })}
        onType={(printing) => onChange({ printing })}
        error={errorOf('printing')}
      />
      <PriceFilter
        currency={props.currency}
        from={params.min_price}
        to={params.max_price}
        onChange={onChange}
        errors={{ min_price: errorOf('min_price'), max_price: errorOf('max_price') }}
      />
    </>
  )
}

function SetFilter({
  params,
  onChange,
  setName,
  error,
}: FiltersProps & { error: string | undefined }) {
  const [isOpened, setOpened] = useState(false)
  const { game } = params
  const isEnabled = isOpened && game !== ''
  const sets = useQuery({ ...allSetsQuery(game), enabled: isEnabled })
  const options = (sets.data ?? []).map(({ id, name }) => ({ key: String(id), name }))
  return (
    <ComboField
      label={texts.set}
      value={setName}
      placeholder={game === '' ? texts.chooseAGameFirst : texts.anySet}
      disabled={game === '' && setName === ''}
      onOpen={() => setOpened(true)}
      suggestions={(typed) => matching(options, typed)}
      onPick={(set_id) => onChange({ set_id })}
      onType={(typed) => {
        const set_id = typed === '' ? '' : matching(options, typed)[0]?.key
        if (set_id !== undefined) onChange({ set_id })
      }}
      note={sets.isLoading ? texts.loadingSets : undefined}
      error={error ?? sets.error?.message}
    />
  )
}

type Option = { key: string; name: string }

/** Options that contain the text; those that begin with it come first. */
function matching(all: readonly Option[], typed: string): readonly Option[] {
  const needle = typed.toLowerCase()
  const positionOf = ({ name }: Option) => name.toLowerCase().indexOf(needle)
  const matches = all.filter((one) => positionOf(one) >= 0)
  return [
    ...matches.filter((one) => positionOf(one) === 0),
    ...matches.filter((one) => positionOf(one) > 0),
  ].slice(0, OPTIONS_MAX)
}

function raritiesOf(results: readonly ShownResult[]): Option[] {
  return namedOptions(results.flatMap(({ rarity }) => rarity ?? []))
}

function printingsOf(results: readonly ShownResult[]): Option[] {
  return namedOptions(results.flatMap(({ prices }) => prices.map(({ printing }) => printing)))
}

function namedOptions(names: readonly string[]): Option[] {
  return [...new Set(names)].sort().map((name) => ({ key: name, name }))
}

/** Longer lists are not readable: typing narrows them. */
const OPTIONS_MAX = 100
