import { useState } from 'react'
import type { CreateAlertRequest, Price, Webhook } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/alert-form.ts'
import type { ApiError } from '../api.ts'
import { Field } from '../components/field.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { Select } from '../components/select.tsx'
import { fieldMessage } from '../field-message.ts'
import { DOLLARS, moneyText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import type { useRequiredFields } from '../hooks/use-required-fields.ts'
import { useCurrency } from '../pricing/currency.ts'
import { alertPrice } from './alert-cards.ts'
import { ALERTS_GUIDE, invalidAmount, parseTypedAmount } from './alert-text.ts'

/** Form values as typed. */
export type AlertDraft = { threshold: string; condition: 'above' | 'below'; printing: string }

export type AlertForm = ReturnType<typeof useAlertForm>

/**
 * Holds a form that creates an alert in the currency of the page.
 *
 * @param create receives the watched printing and its condition, once the price is valid
 */
export function useAlertForm(
  initial: AlertDraft,
  create: (watched: CreateAlertRequest) => Promise<void>,
) {
  const { currency } = useCurrency()
  const [draft, setDraft] = useState(initial)
  const [isSubmitted, setSubmitted] = useState(false)
  const threshold = parseTypedAmount(draft.threshold)
  const action = useAction(async (card_id: number) => {
    if (threshold === undefined) return
    const { condition, printing } = draft
    await create({
      card_id,
      condition,
      threshold,
      ...(printing !== '' && { printing }),
      ...(currency !== DOLLARS && { currency }),
    })
  })
  const isInvalid = isSubmitted && threshold === undefined
  return {
    currency,
    draft,
    action,
    errors: {
      ...alertFieldErrors(action.error),
      ...(isInvalid && { threshold: invalidAmount(currency) }),
    },
    /** Shows validation errors from now on. */
    markSubmitted: () => setSubmitted(true),
    change(part: Partial<AlertDraft>) {
      action.clearError()
      setDraft((before) => ({ ...before, ...part }))
    },
  }
}

type AlertFieldsProps = { form: AlertForm; prices: readonly Price[] }

/** Selects a printing by its name and price. */
export function PrintingField({ form: { draft, errors, change }, prices }: AlertFieldsProps) {
  const error = errors.printing
  return (
    <div className="field">
      <label htmlFor="printing">{texts.printing}</label>
      <Select
        id="printing"
        all={texts.mostExpensivePrinting}
        options={prices.map(({ printing, market_price, currency }) => [
          printing,
          texts.printingNow({ printing, marketPrice: moneyText(market_price, currency) }),
        ])}
        value={draft.printing}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : 'printing-error'}
        onChange={(printing) => change({ printing })}
      />
      {error !== undefined && (
        <p id="printing-error" className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

const CONDITION_OPTIONS = [
  ['below', texts.atOrBelow],
  ['above', texts.atOrAbove],
] as const

/** Fields of the condition of an alert, and of its price. */
export function ConditionFields({ form, prices }: AlertFieldsProps) {
  const { currency, draft, errors, change } = form
  return (
    <>
      <div className="field">
        <span className="field-label">{texts.alertMeWhenThePriceIs}</span>
        <SegmentedControl
          label={texts.alertMeWhenThePriceIs}
          options={CONDITION_OPTIONS}
          value={draft.condition}
          onChange={(condition) => change({ condition })}
        />
      </div>
      <Field
        label={texts.priceIn(currency)}
        name="threshold"
        inputMode="decimal"
        required
        autoComplete="off"
        placeholder="12.50"
        value={draft.threshold}
        onChange={({ target }) => change({ threshold: target.value })}
        hint={priceHint(prices, draft, currency)}
        error={errors.threshold}
      />
    </>
  )
}

/** Shows the current price and whether it already meets the condition. */
function priceHint(
  prices: readonly Price[],
  { printing, threshold, condition }: AlertDraft,
  currency: string,
): string {
  const now = alertPrice(prices, printing)
  const limit = parseTypedAmount(threshold)
  if (now === null) return texts.noCurrentPrice
  const isMet = limit !== undefined && (condition === 'above' ? now >= limit : now <= limit)
  return (isMet ? texts.alreadyReached : texts.priceNow)(moneyText(now, currency))
}

/** Members of a webhook as typed, beside its price. */
export type WebhookDraft = { url: string }

/** Returns the draft of a webhook, or of a new one. */
export function draftWebhook(webhook?: Webhook): WebhookDraft {
  return { url: webhook?.url ?? '' }
}

type WebhookFieldsProps = {
  draft: WebhookDraft
  onChange: (draft: WebhookDraft) => void
  required: ReturnType<typeof useRequiredFields>
  errors: AlertFieldErrors
  isNew?: boolean
}

/** Fields of a webhook beside its price. A new one explains them. */
export function WebhookFields({ draft, onChange, required, errors, isNew }: WebhookFieldsProps) {
  return (
    <Field
      label={LABELS.url}
      name="url"
      type="url"
      required
      value={draft.url}
      onChange={({ target }) => onChange({ ...draft, url: target.value })}
      {...(isNew && { placeholder: 'https://shop.example/alerts', hint: <UrlHint /> })}
      error={required.errorOf('url', LABELS.url, draft.url) ?? errors.url}
    />
  )
}

function UrlHint() {
  return (
    <>
      {texts.urlHint({
        code: (text) => <code>{text}</code>,
        link: (text) => (
          <a href={ALERTS_GUIDE} target="_blank" rel="noopener">
            {text}
          </a>
        ),
      })}
    </>
  )
}

/** Labels of the form, by the names of the API. */
const LABELS = { url: texts.webhookUrl, threshold: texts.price, printing: texts.printing } as const

export type AlertFieldErrors = Partial<Record<keyof typeof LABELS, string>>

/** Assigns an API error to its form field; empty if it belongs to none. */
export function alertFieldErrors(error: ApiError | undefined): AlertFieldErrors {
  if (error === undefined) return {}
  if (error.code === 'INVALID_WEBHOOK_URL') return { url: error.message }
  const [, field = ''] = /^"?(\w+)/.exec(error.message) ?? []
  if (error.code !== 'VALIDATION_ERROR' || !isLabeled(field)) return {}
  return { [field]: fieldMessage(error, LABELS[field]) }
}

function isLabeled(field: string): field is keyof typeof LABELS {
  return Object.hasOwn(LABELS, field)
}

/** Returns the error if no form field shows it. */
export function formLevelError(error: ApiError | undefined): ApiError | undefined {
  return Object.keys(alertFieldErrors(error)).length === 0 ? error : undefined
}
