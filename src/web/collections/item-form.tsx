import { type ReactNode, useId, useState } from 'react'
import * as texts from '#texts/collections/items.ts'
import { Field } from '../components/field.tsx'
import { Select } from '../components/select.tsx'
import { DOLLARS } from '../format.ts'
import { readServiceState } from '../service-state.ts'
import { draftErrors, fieldLabel, type ItemDraft, OWNER_TEXTS } from './item-draft.ts'
import { conditionsOf, LANGUAGE_NAMES } from './item-text.ts'

/** Items of wish lists have a target price instead of a price paid. Scanned cards have neither, and no place. */
export type ItemKind = 'owned' | 'wish' | 'scanned'

type ItemFieldsProps = {
  draft: ItemDraft
  onChange: (draft: ItemDraft) => void
  printings: readonly string[]
  kind: ItemKind
  /** Undefined until it is known, and for cards that are no longer in the catalog. */
  isSealed: boolean | undefined
  /** Shown once the form was sent. */
  errors: ReturnType<typeof draftErrors>
}

type ItemFormProps = Omit<ItemFieldsProps, 'errors'> & {
  /** Called if all fields are valid. */
  onSubmit: () => void
  /** Content above the fields of the item. */
  above: ReactNode
  /** Buttons. */
  children: ReactNode
}

/** Form of an item. If it is sent with errors, shows them below their fields. */
export function ItemForm({ onSubmit, above, children, ...fields }: ItemFormProps) {
  const [errors, setErrors] = useState<ItemFieldsProps['errors']>({})
  return (
    <form
      noValidate
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const found = draftErrors(fields.draft)
        setErrors(found)
        if (Object.keys(found).length === 0) onSubmit()
      }}
    >
      {above}
      <ItemFields {...fields} errors={errors} />
      <div className="row end">{children}</div>
    </form>
  )
}

/** Fields of an item. Rarely needed fields are in a collapsed section. */
function ItemFields({ draft, onChange, printings, kind, isSealed, errors }: ItemFieldsProps) {
  const set = (name: keyof ItemDraft) => (text: string) => onChange({ ...draft, [name]: text })
  const field = (name: keyof ItemDraft) => ({
    label: fieldLabel(name),
    name,
    value: draft[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => set(name)(target.value),
    error: errors[name],
  })
  const money = { inputMode: 'decimal', hint: texts.forOneCopy } as const
  const details = (
    <>
      <LabeledSelect
        label={texts.language}
        all={texts.unknown}
        options={LANGUAGE_NAMES}
        value={draft.language}
        onChange={set('language')}
      />
      <Field {...field('grade')} maxLength={40} placeholder={texts.gradeExample} />
    </>
  )
  return (
    <>
      <div className="item-fields">
        {(printings.length > 0 || draft.printing !== '') && (
          <LabeledSelect
            label={texts.printing}
            options={printings.map((name) => [name, name] as const)}
            value={draft.printing}
            onChange={set('printing')}
          />
        )}
        <LabeledSelect
          label={texts.condition}
          options={conditionsOf({ isSealed, condition: draft.condition })}
          value={draft.condition}
          onChange={set('condition')}
        />
        <Field {...field('quantity')} inputMode="numeric" required />
        {kind === 'wish' && <Field {...field('target_price')} {...money} />}
        {kind === 'owned' && (
          <>
            <Field {...field('price_paid')} {...money} />
            <PaidCurrency value={draft.paid_currency} onChange={set('paid_currency')} />
          </>
        )}
        {kind === 'scanned' && details}
      </div>
      {kind !== 'scanned' && (
        <details className="fold">
          <summary>{texts.moreDetails}</summary>
          <div className="item-fields">
            <Field {...field('acquired_on')} type="date" min="1990-01-01" />
            {details}
            {OWNER_TEXTS.map(({ name, isWide, ...limits }) => (
              <div key={name} className={isWide && 'wide'}>
                <Field {...field(name)} {...limits} />
              </div>
            ))}
          </div>
        </details>
      )}
    </>
  )
}

type PaidCurrencyProps = { value: string; onChange: (code: string) => void }

/** Chooses the currency of a price paid. */
export function PaidCurrency({ value, onChange }: PaidCurrencyProps) {
  return (
    <LabeledSelect
      label={fieldLabel('paid_currency')}
      options={listCurrencies(value).map((code) => [code, code] as const)}
      value={value || DOLLARS}
      onChange={onChange}
    />
  )
}

/** Lists the currencies that have exchange rates, and that of the item. */
function listCurrencies(own: string): string[] {
  return [...new Set([DOLLARS, ...readServiceState().currencies, own || DOLLARS])]
}

type LabeledSelectProps = Omit<Parameters<typeof Select>[0], 'id' | 'all'> & {
  label: string
  all?: string | undefined
}

/** Select below its label. */
export function LabeledSelect({ label, all, ...props }: LabeledSelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Select {...props} {...(all !== undefined && { all })} id={id} />
    </div>
  )
}
