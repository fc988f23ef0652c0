import { useId, useState } from 'react'
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
      <legend className="field-label">Price in {currency}</legend>
      <PriceField
        label="From"
        value={from}
        error={errors.min_price}
        onCommit={(min_price) => onChange({ min_price })}
        validate={(price) => (isAbove(price, to) ? `Enter at most ${to}.` : undefined)}
      />
      <PriceField
        label="To"
        value={to}
        error={errors.max_price}
        onCommit={(max_price) => onChange({ max_price })}
        validate={(price) => (isAbove(from, price) ? `Enter at least ${from}.` : undefined)}
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
    const problem = price === undefined ? 'Enter a price such as 12 or 12.50.' : validate(price)
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
        placeholder={label === 'From' ? '0.00' : 'Any'}
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
