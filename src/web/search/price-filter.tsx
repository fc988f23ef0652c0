import { useId, useState } from 'react'
import * as texts from '#texts/search/search.ts'
import { useDraft } from '../hooks/use-draft.ts'
import { parsePrice, type SearchParams } from './query.ts'

type PriceFilterProps = {
  currency: string
  /** Amounts as API text; empty for no limit. */
  from: string
  to: string
  onChange: (change: Partial<SearchParams>) => void
  errors: { min_price: string | undefined; max_price: string | undefined }
}

export function PriceFilter({ currency, from, to, onChange, errors }: PriceFilterProps) {
  return (
    <fieldset className="prices">
      <legend className="field-label">{texts.priceIn(currency)}</legend>
      <PriceField
        label={texts.from}
        value={from}
        error={errors.min_price}
        onCommit={(min_price) => onChange({ min_price })}
        validate={(price) => (isAbove(price, to) ? texts.enterAtMost(to) : undefined)}
      />
      <PriceField
        label={texts.to}
        value={to}
        error={errors.max_price}
        onCommit={(max_price) => onChange({ max_price })}
        validate={(price) => (isAbove(from, price) ? texts.enterAtLeast(from) : undefined)}
      />
    </fieldset>
  )
}

function isAbove(low: string, high: string): boolean {
  return low !== '' && high !== '' && Number(low) > Number(high)
}

type PriceFieldProps = {
  label: string
  value: string
  /** Error from the API. */
  error: string | undefined
  onCommit: (price: string) => void
  /** Compares the price with the other field. */
  validate: (price: string) => string | undefined
}

function PriceField({ label, value, error, onCommit, validate }: PriceFieldProps) {
  const id = useId()
  const [draft, setDraft] = useDraft(value)
  const [ownError, setOwnError] = useState<string>()
  const shownError = ownError ?? error

  function commit(): void {
    const price = parsePrice(draft)
    const problem = price === undefined ? texts.enterAPrice : validate(price)
    setOwnError(problem)
    if (price === undefined || problem !== undefined || price === value) return
    onCommit(price)
  }

  return (
    <div className="field">
      <label htmlFor={id} className="price-label">
        {label}
      </label>
      <input
        id={id}
        className="input"
        inputMode="decimal"
        autoComplete="off"
        placeholder={label === 'From' ? '0.00' : texts.any}
        value={draft}
        aria-invalid={shownError !== undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => {
          setDraft(event.target.value)
          setOwnError(undefined)
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
        }}
      />
      <p id={`${id}-error`} className="field-error" role="alert">
        {shownError}
      </p>
    </div>
  )
}
