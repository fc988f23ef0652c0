import { useState } from 'react'
import { Link } from 'wouter'
import type { CreatedWebhook, Price } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { useCard, usePrices } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { Select } from '../components/select.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { DOLLARS, moneyText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { useCurrency } from '../pricing/currency.ts'
import { CardSearch } from '../search/card-search.tsx'
import { alertPrice } from './alert-cards.ts'
import {
  ALERTS_GUIDE,
  alertFieldErrors,
  formLevelError,
  invalidAmount,
  parseTypedAmount,
} from './alert-text.ts'

type NewAlertProps = {
  /** Undefined until a card is chosen. */
  cardId: number | undefined
  onChoose: (cardId: number | undefined) => void
  onCreated: (alert: CreatedWebhook) => void
  onCancel: () => void
}

/** Creates an alert in the currency of the page. Choosing another card keeps the rest of the form. */
export function NewAlert({ cardId, onChoose, onCreated, onCancel }: NewAlertProps) {
  const { currency } = useCurrency()
  const [draft, setDraft] = useState<AlertDraft>(EMPTY_DRAFT)
  const [isSubmitted, setSubmitted] = useState(false)
  const required = useRequiredFields()
  const action = useAction(async (card_id: number, threshold: number) => {
    const { url, condition, printing } = draft
    const watched = { url, card_id, condition, threshold, ...(printing !== '' && { printing }) }
    const body = { ...watched, ...(currency !== DOLLARS && { currency }) }
    onCreated((await api.post('/v1/webhooks', { body })).data)
  })
  const threshold = parseTypedAmount(draft.threshold)
  const errors = alertFieldErrors(action.error)
  const change = (part: Partial<AlertDraft>) => {
    action.clearError()
    setDraft((before) => ({ ...before, ...part }))
  }

  return (
    <section className="panel new-alert" aria-labelledby="new-alert">
      <h2 id="new-alert">New alert</h2>
      {cardId === undefined ? (
        <div className="stack">
          <CardSearch onChoose={onChoose} />
          <div className="row">
            <Button className="quiet" onClick={onCancel}>
              Cancel
            </Button>
          </div>
        </div>
      ) : (
        <ChosenCard key={cardId} id={cardId} onChangeCard={() => onChoose(undefined)}>
          {(prices) => (
            <form
              noValidate
              className="alert-form"
              onSubmit={(event) => {
                setSubmitted(true)
                required.submitTo({
                  async start() {
                    if (threshold !== undefined) await action.start(cardId, threshold)
                  },
                })(event)
              }}
            >
              <ConditionFields
                prices={prices}
                draft={draft}
                currency={currency}
                error={
                  isSubmitted && threshold === undefined
                    ? invalidAmount(currency)
                    : errors.threshold
                }
                onChange={change}
              />
              <PrintingField
                prices={prices}
                value={draft.printing}
                error={errors.printing}
                onChange={(printing) => change({ printing })}
              />
              <Field
                label="Webhook URL"
                name="url"
                type="url"
                required
                placeholder="https://shop.example/alerts"
                value={draft.url}
                onChange={({ target }) => change({ url: target.value })}
                hint={<AddressHint />}
                error={required.errorOf('url', 'Webhook URL', draft.url) ?? errors.url}
              />
              <FormError error={formLevelError(action.error)} />
              <div className="row">
                <Button type="submit" className="main" isBusy={action.isRunning}>
                  Create alert
                </Button>
                <Button className="quiet" onClick={onCancel}>
                  Cancel
                </Button>
              </div>
            </form>
          )}
        </ChosenCard>
      )}
    </section>
  )
}

/** Form values as typed. */
type AlertDraft = { url: string; threshold: string; condition: 'above' | 'below'; printing: string }

const EMPTY_DRAFT: AlertDraft = { url: '', threshold: '', condition: 'below', printing: '' }

const CONDITION_OPTIONS = [
  ['below', 'at or below'],
  ['above', 'at or above'],
] as const

type ChosenCardProps = {
  id: number
  onChangeCard: () => void
  children: (prices: readonly Price[]) => React.ReactNode
}

/** Shows the chosen card beside the form. */
function ChosenCard({ id, onChangeCard, children }: ChosenCardProps) {
  const result = useCard(id)
  const { currency } = useCurrency()
  const prices = usePrices(id, currency)
  const card = result.data?.data
  if (result.isError) {
    return (
      <div className="stack">
        <QueryError query={result} />
        <ChangeCardButton onChangeCard={onChangeCard} />
      </div>
    )
  }
  return (
    <div className="chosen">
      <div className="chosen-card">
        {card === undefined ? (
          <span className="art skeleton" />
        ) : (
          <CardImage src={cardImageUrl(card)} name={card.name} size="small" />
        )}
        <div className="stack tight">
          {card === undefined ? (
            <Skeleton />
          ) : (
            <div>
              <h3>
                <Link href={`/cards/${id}`}>{card.name}</Link>
              </h3>
              <p className="small soft">
                {[card.set_name, card.number].filter(Boolean).join(' · ')}
              </p>
            </div>
          )}
          <ChangeCardButton onChangeCard={onChangeCard} />
        </div>
      </div>
      {children(prices.data ?? [])}
    </div>
  )
}

function ChangeCardButton({ onChangeCard }: { onChangeCard: () => void }) {
  return (
    <div>
      <Button onClick={onChangeCard}>Change card</Button>
    </div>
  )
}

type PrintingFieldProps = {
  prices: readonly Price[]
  value: string
  error: string | undefined
  onChange: (printing: string) => void
}

/** Selects a printing by its name and price. */
export function PrintingField({ prices, value, error, onChange }: PrintingFieldProps) {
  return (
    <div className="field">
      <label htmlFor="printing">Printing</label>
      <Select
        id="printing"
        all="Most expensive printing"
        options={prices.map(({ printing, market_price, currency }) => [
          printing,
          `${printing}, now ${moneyText(market_price, currency)}`,
        ])}
        value={value}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : 'printing-error'}
        onChange={onChange}
      />
      {error !== undefined && (
        <p id="printing-error" className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

function AddressHint() {
  return (
    <>
      Cardstock sends a <code>POST</code> request to this URL.{' '}
      <a href={ALERTS_GUIDE} target="_blank" rel="noopener">
        Payload and signature
      </a>
    </>
  )
}

type ConditionFieldsProps = {
  prices: readonly Price[]
  draft: WatchedDraft
  currency: string
  /** Error of the price. */
  error: string | undefined
  onChange: (part: Partial<Pick<WatchedDraft, 'condition' | 'threshold'>>) => void
}

/** Fields of the condition of an alert, and of its price. */
export function ConditionFields({
  prices,
  draft,
  currency,
  error,
  onChange,
}: ConditionFieldsProps) {
  return (
    <>
      <div className="field">
        <span className="field-label">Alert me when the price is</span>
        <SegmentedControl
          label="Alert me when the price is"
          options={CONDITION_OPTIONS}
          value={draft.condition}
          onChange={(condition) => onChange({ condition })}
        />
      </div>
      <Field
        label={`Price in ${currency}`}
        name="threshold"
        inputMode="decimal"
        required
        autoComplete="off"
        placeholder="12.50"
        value={draft.threshold}
        onChange={({ target }) => onChange({ threshold: target.value })}
        hint={priceHint(prices, draft, currency)}
        error={error}
      />
    </>
  )
}

type WatchedDraft = Pick<AlertDraft, 'printing' | 'threshold' | 'condition'>

/** Shows the current price and whether it already meets the condition. */
function priceHint(
  prices: readonly Price[],
  { printing, threshold, condition }: WatchedDraft,
  currency: string,
): string {
  const now = alertPrice({ prices: [...prices] }, printing === '' ? null : printing)
  const limit = parseTypedAmount(threshold)
  if (now === null) return 'No current price.'
  const isMet = limit !== undefined && (condition === 'above' ? now >= limit : now <= limit)
  return `Now ${moneyText(now, currency)}.${isMet ? ' Already reached: you get an alert after the next sync.' : ''}`
}
