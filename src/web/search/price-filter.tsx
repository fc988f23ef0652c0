import { useId, useState } from 'react'
import { useDraft } from '../hooks/use-draft.ts'
import { parsePrice, type SearchParams } from './query.ts'

type PriceFilterProps = {
  /** In dollars, as the API is told them; empty: no limit. */
  from: string
  to: string
  onChange: (change: Partial<SearchParams>) => void
  errors: { min_price: string | undefined; max_price: string | undefined }
}

/** From which price, and up to which, in dollars and cents. */
export function PriceFilter({ from, to, onChange, errors }: PriceFilterProps) {
  return (
    <fieldset className="prices">
      <legend className="field-label">Price in US dollars</legend>
      <PriceField
        label="From"
        value={from}
        error={errors.min_price}
        onCommit={(min_price) => onChange({ min_price })}
        validate={(price) => (isAbove(price, to) ? `This is above ${to}.` : undefined)}
      />
      <PriceField
        label="To"
        value={to}
        error={errors.max_price}
        onCommit={(max_price) => onChange({ max_price })}
        validate={(price) => (isAbove(from, price) ? `This is below ${from}.` : undefined)}
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
  /** What the API says of it. */
  error: string | undefined
  onCommit: (price: string) => void
  /** What is wrong with a price beside the other one. */
  validate: (price: string) => string | undefined
}

function PriceField({ label, value, error, onCommit, validate }: PriceFieldProps) {
  const id = useId()
  const [draft, setDraft] = useDraft(value)
  const [slip, setSlip] = useState<string>()
  const told = slip ?? error

  function take(): void {
    const price = parsePrice(draft)
    const found = price === undefined ? 'Write a price such as 12 or 12.50.' : validate(price)
    setSlip(found)
    if (price === undefined || found !== undefined || price === value) return
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
        aria-invalid={told !== undefined}
        aria-describedby={`${id}-fault`}
        onChange={(event) => {
          setDraft(event.target.value)
          setSlip(undefined)
        }}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take()
        }}
      />
      <p id={`${id}-fault`} className="field-fault" role="alert">
        {told}
      </p>
    </div>
  )
}
