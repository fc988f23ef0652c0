import { useId, useState } from 'react'
import * as texts from '#texts/collections/imports.ts'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { count, moneyText } from '../../format.ts'
import { hidden } from '../../texts/rich-text.ts'
import { CONDITION_NAMES, copiesText, LANGUAGE_NAMES } from '../item-text.ts'
import type { ImportEntry } from './import-queries.ts'
import type { DraftChange } from './use-draft-changes.ts'

/** Members of a row that its owner can change, in the format of the API. */
export type CopiesChange = Omit<NonNullable<DraftChange['rows']>[number], 'id'>

type CopiesProps = { row: ImportEntry; onChange: (changed: CopiesChange) => Promise<void> }

/** Printing and value of the copies of a row. Quantity, condition and language are folded. */
export function Copies({ row, onChange }: CopiesProps) {
  const { printing, printings, quantity, market_price, value } = row
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="import-copies">
      {printings.length > 1 ? (
        <Select
          aria-label={texts.printingOfRow(count(row.row))}
          options={printings.map((one) => [
            one.printing,
            `${one.printing} ${moneyText(one.market_price)}`,
          ])}
          value={printing ?? ''}
          onChange={(chosen) => void onChange({ printing: chosen })}
        />
      ) : (
        <span className="small">{printing}</span>
      )}
      <span className="import-value">
        <strong>{moneyText(value)}</strong>
        {quantity > 1 && (
          <span className="small soft">
            {count(quantity)} × {moneyText(market_price)}
          </span>
        )}
      </span>
      <details
        className="import-details"
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="small">
          {texts.changeCopies({
            quantity: count(quantity),
            copies: copiesText({ ...row, printing: null }),
            row: count(row.row),
            hidden,
          })}
        </summary>
        {isOpen && <CopyFields row={row} onChange={onChange} />}
      </details>
    </div>
  )
}

/** Fields that are saved one by one, as the choice of the printing is. */
function CopyFields({ row: { quantity, condition, language }, onChange }: CopiesProps) {
  const ids = useId()
  return (
    <div className="import-copy-fields">
      <QuantityField quantity={quantity} onChange={onChange} />
      <div className="field">
        <label htmlFor={`${ids}-condition`}>{texts.condition}</label>
        <Select
          id={`${ids}-condition`}
          options={CONDITION_NAMES}
          value={condition}
          // The options are values of the API.
          onChange={(chosen) => void onChange({ condition: chosen as ImportEntry['condition'] })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${ids}-language`}>{texts.language}</label>
        <Select
          id={`${ids}-language`}
          all={texts.unknown}
          options={LANGUAGE_NAMES}
          value={language ?? ''}
          // The options are values of the API.
          onChange={(chosen) => void onChange({ language: (chosen || null) as Language })}
        />
      </div>
    </div>
  )
}

type Language = NonNullable<CopiesChange['language']> | null

type QuantityFieldProps = Pick<ImportEntry, 'quantity'> & Pick<CopiesProps, 'onChange'>

/** Saves the quantity with Enter, or when the field is left. */
function QuantityField({ quantity, onChange }: QuantityFieldProps) {
  const [shown, setShown] = useState(quantity)
  const [typed, setTyped] = useState(String(quantity))
  const [sent, setSent] = useState(quantity)
  const [error, setError] = useState<string>()
  // It was saved, and more may have been typed since; or another tab has changed it.
  if (shown !== quantity) {
    setShown(quantity)
    if (sent !== quantity) setTyped(String(quantity))
  }
  const save = () => {
    const chosen = Number(typed)
    const isValid = /^\s*\d+\s*$/.test(typed) && chosen >= 1 && chosen <= QUANTITY_MAX
    setError(isValid ? undefined : texts.enterANumber(count(QUANTITY_MAX)))
    if (!isValid || chosen === quantity) return
    setSent(chosen)
    void onChange({ quantity: chosen })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field
        label={texts.quantity}
        name="quantity"
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={error}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={save}
      />
    </form>
  )
}

/** Maximum of the API. */
const QUANTITY_MAX = 100_000
