import { useId, useState } from 'react'
import type { Game, SearchResult } from '#client/endpoints.ts'
import { ComboField } from '../components/combo-field.tsx'
import { Switch } from '../components/segmented-control.tsx'
import { useAsk } from '../hooks/use-query.ts'
import { PriceFilter } from './price-filter.tsx'
import { type FilterName, type Question, TYPES } from './query.ts'
import { allSetsOf } from './sets.ts'

export type FiltersProps = {
  question: Question
  onChange: (change: Partial<Question>) => void
  games: readonly Game[]
  setName: string
  /** The results on the screen: their rarities are proposed. */
  results: readonly SearchResult[]
  /** What the API refuses, and in which words. */
  refused: { name: string; message: string } | undefined
}

/** What narrows a search down. Each choice is taken at once. */
export function Filters(props: FiltersProps) {
  const { question, onChange, results } = props
  const faultOf = (name: FilterName) =>
    props.refused?.name === name ? props.refused.message : undefined
  return (
    <>
      <GameFilter {...props} />
      <SetFilter
        // Another game has other sets.
        key={question.game}
        {...props}
        fault={faultOf('set_id')}
      />
      <div className="field">
        <span className="field-label">Type</span>
        <Switch
          label="Type"
          options={TYPES}
          value={question.type}
          onChange={(type) => onChange({ type })}
        />
      </div>
      <ComboField
        label="Rarity"
        value={question.rarity}
        placeholder="Any rarity"
        proposals={(typed) => matching(raritiesOf(results), typed)}
        onPick={(rarity) => onChange({ rarity })}
        onType={(rarity) => onChange({ rarity })}
        fault={faultOf('rarity')}
      />
      <PriceFilter
        from={question.min_price}
        to={question.max_price}
        onChange={onChange}
        faults={{ min_price: faultOf('min_price'), max_price: faultOf('max_price') }}
      />
    </>
  )
}

function GameFilter({ question, onChange, games }: FiltersProps) {
  const id = useId()
  const isKnown = question.game === '' || games.some(({ slug }) => slug === question.game)
  return (
    <div className="field">
      <label htmlFor={id}>Game</label>
      <select
        id={id}
        className="input"
        value={question.game}
        onChange={(event) => onChange({ game: event.target.value })}
      >
        <option value="">All games</option>
        {games.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
        {!isKnown && <option value={question.game}>{question.game}</option>}
      </select>
    </div>
  )
}

function SetFilter({
  question,
  onChange,
  setName,
  fault,
}: FiltersProps & { fault: string | undefined }) {
  const [isOpened, setOpened] = useState(false)
  const { game } = question
  const isAsked = isOpened && game !== ''
  const sets = useAsk(isAsked ? `all sets of ${game}` : undefined, (signal) =>
    allSetsOf(game, signal),
  )
  const known = (sets.data ?? []).map(({ id, name }) => ({ key: String(id), name }))
  return (
    <ComboField
      label="Set"
      value={setName}
      placeholder={game === '' ? 'Choose a game first' : 'Any set'}
      disabled={game === '' && setName === ''}
      onOpen={() => setOpened(true)}
      proposals={(typed) => matching(known, typed)}
      onPick={(set_id) => onChange({ set_id })}
      onType={(typed) => {
        const set_id = typed === '' ? '' : matching(known, typed)[0]?.key
        if (set_id !== undefined) onChange({ set_id })
      }}
      note={
        isAsked
          ? { loading: 'Loading the sets…', ready: undefined, failed: undefined }[sets.state]
          : undefined
      }
      fault={fault ?? (sets.state === 'failed' ? sets.error.message : undefined)}
    />
  )
}

type Proposal = { key: string; name: string }

/** Those with the typed text in their names; those that begin with it first. */
function matching(all: readonly Proposal[], typed: string): readonly Proposal[] {
  const wanted = typed.toLowerCase()
  const placeOf = ({ name }: Proposal) => name.toLowerCase().indexOf(wanted)
  const fits = all.filter((one) => placeOf(one) >= 0)
  return [
    ...fits.filter((one) => placeOf(one) === 0),
    ...fits.filter((one) => placeOf(one) > 0),
  ].slice(0, PROPOSALS)
}

function raritiesOf(results: readonly SearchResult[]): Proposal[] {
  const names = new Set(results.map(({ rarity }) => rarity ?? ''))
  names.delete('')
  return [...names].sort().map((name) => ({ key: name, name }))
}

/** More than that nobody reads: who looks for one of them types on. */
const PROPOSALS = 100
