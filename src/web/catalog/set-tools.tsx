import type { SetSummary } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/sets.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/form-error.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { Select } from '../components/select.tsx'
import { count } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { inCurrency } from '../pricing/currency.ts'
import { UnreliablePart } from '../pricing/market-price.tsx'
import { PriceText } from '../pricing/price-text.tsx'
import { fileNameOf, saveFile } from '../save-file.ts'
import { FilterPanel } from '../search/filter-panel.tsx'
import { SET_ORDERS, SET_TYPES, SET_VIEWS, type SetParams } from './set-params.ts'

type SetFiltersProps = {
  params: SetParams
  summary: SetSummary | undefined
  onChange: (change: Partial<SetParams>) => void
}

/** Selects the cards of a set, their order and how they are shown. */
export function SetFilters({ params, summary, onChange }: SetFiltersProps) {
  const named = (list: SetSummary['rarities'] | undefined) =>
    list?.map(({ name, cards }) => [name, `${name} (${cards})`] as const) ?? []
  return (
    <div className="row set-filters">
      <SegmentedControl
        label={texts.view}
        options={SET_VIEWS}
        value={params.view}
        onChange={(view) => onChange({ view })}
      />
      <Select
        aria-label={texts.order}
        options={SET_ORDERS}
        value={params.sort}
        // The select has only these.
        onChange={(sort) => onChange({ sort: sort as SetParams['sort'] })}
      />
      <FilterPanel
        set={[params.type, params.rarity, params.printing].filter(Boolean).length}
        className="row"
      >
        <SegmentedControl
          label={texts.type}
          options={SET_TYPES}
          value={params.type}
          onChange={(type) => onChange({ type })}
        />
        <Select
          aria-label={texts.rarity}
          all={texts.anyRarity}
          options={named(summary?.rarities)}
          value={params.rarity}
          onChange={(rarity) => onChange({ rarity })}
        />
        <Select
          aria-label={texts.printing}
          all={texts.basePrinting}
          options={named(summary?.printings)}
          value={params.printing}
          onChange={(printing) => onChange({ printing })}
        />
      </FilterPanel>
    </div>
  )
}

/** Shows the value of a set. */
export function SetValue({ summary }: { summary: SetSummary }) {
  const { value, priced, cards, low_confidence_value } = summary
  if (cards === 0) return null
  return (
    <p className="set-value">
      <strong>
        <PriceText amount={value} origin={summary} />
      </strong>{' '}
      <span className="soft">
        {priced < cards
          ? texts.forPricedCards({ priced: count(priced), cards })
          : texts.forOneOfEachCard}
        {low_confidence_value > 0 && ' · '}
        <UnreliablePart amount={low_confidence_value} origin={summary} />
      </span>
    </p>
  )
}

type SetExportProps = { id: number; name: string; currency: string }

/** Saves all cards and prices of a set. */
export function SetExport({ id, name, currency }: SetExportProps) {
  const save = useAction(async (format: 'csv' | 'json') => {
    const content = await inCurrency(currency, (choice) =>
      api.get('/v1/export/set/{id}', { path: { id }, query: { format, ...choice } }),
    )
    saveFile(`${fileNameOf(name)}.${format}`, content)
  })
  return (
    <section className="set-export" aria-label={texts.exportLabel}>
      <div className="row">
        <Button isBusy={save.isRunning} onClick={() => void save.start('csv')}>
          {texts.exportAsCsv}
        </Button>
        <Button isBusy={save.isRunning} onClick={() => void save.start('json')}>
          {texts.exportAsJson}
        </Button>
      </div>
      <FormError error={save.error} />
    </section>
  )
}
