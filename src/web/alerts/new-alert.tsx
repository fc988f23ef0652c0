import { useState } from 'react'
import { Link } from 'wouter'
import type { CreatedWebhook, Price } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { BusyButton } from '../components/busy-button.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { usd } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { useQuery } from '../hooks/use-query.ts'
import { alertPrice } from './alert-cards.ts'
import {
  ALERTS_GUIDE,
  alertFieldErrors,
  formLevelError,
  INVALID_AMOUNT,
  parseDollars,
} from './alert-text.ts'
import { CardSearch } from './card-search.tsx'

type NewAlertProps = {
  /** What is to be watched; undefined: it is still to be chosen. */
  cardId: number | undefined
  onChoose: (cardId: number | undefined) => void
  onCreated: (watch: CreatedWebhook) => void
  onCancel: () => void
}

/** Asks what is to be told, and where. What was typed outlives the choice of another card. */
export function NewAlert({ cardId, onChoose, onCreated, onCancel }: NewAlertProps) {
  const [wish, setWish] = useState<AlertDraft>(EMPTY_DRAFT)
  const [isAsked, setAsked] = useState(false)
  const deed = useAction(async (card_id: number, threshold: number) => {
    const { url, condition, printing } = wish
    const body = { url, card_id, condition, threshold, ...(printing !== '' && { printing }) }
    onCreated((await api.post('/v1/webhooks', { body })).data)
  })
  const threshold = parseDollars(wish.threshold)
  const faults = alertFieldErrors(deed.error)
  const change = (part: Partial<AlertDraft>) => {
    deed.clearError()
    setWish((before) => ({ ...before, ...part }))
  }

  return (
    <section className="panel new-alert" aria-labelledby="new-alert">
      <h2 id="new-alert">New alert</h2>
      {cardId === undefined ? (
        <div className="stack">
          <CardSearch onChoose={onChoose} />
          <div className="row">
            <button type="button" className="button quiet" onClick={onCancel}>
              Cancel
            </button>
          </div>
        </div>
      ) : (
        <ChosenCard key={cardId} id={cardId} onOther={() => onChoose(undefined)}>
          {(prices) => (
            <form
              noValidate
              className="wish"
              onSubmit={(event) => {
                event.preventDefault()
                setAsked(true)
                if (threshold !== undefined) void deed.start(cardId, threshold)
              }}
            >
              <div className="field">
                <span className="field-label">Tell me when the price is</span>
                <SegmentedControl
                  label="Tell me when the price is"
                  options={CONDITIONS}
                  value={wish.condition}
                  onChange={(condition) => change({ condition })}
                />
              </div>
              <Field
                label="Price in US dollars"
                name="threshold"
                inputMode="decimal"
                autoComplete="off"
                placeholder="12.50"
                value={wish.threshold}
                onChange={({ target }) => change({ threshold: target.value })}
                hint={hintOf(prices, wish)}
                error={isAsked && threshold === undefined ? INVALID_AMOUNT : faults.threshold}
              />
              <PrintingField
                prices={prices}
                value={wish.printing}
                fault={faults.printing}
                onChange={(printing) => change({ printing })}
              />
              <Field
                label="Where messages are posted to"
                name="url"
                type="url"
                placeholder="https://shop.example/alerts"
                value={wish.url}
                onChange={({ target }) => change({ url: target.value })}
                hint={<AddressHint />}
                error={faults.url}
              />
              <FormError error={formLevelError(deed.error)} />
              <div className="row">
                <BusyButton type="submit" className="main" isBusy={deed.isRunning}>
                  Make the alert
                </BusyButton>
                <button type="button" className="button quiet" onClick={onCancel}>
                  Cancel
                </button>
              </div>
            </form>
          )}
        </ChosenCard>
      )}
    </section>
  )
}

/** As it is typed. */
type AlertDraft = { url: string; threshold: string; condition: 'above' | 'below'; printing: string }

const EMPTY_DRAFT: AlertDraft = { url: '', threshold: '', condition: 'below', printing: '' }

const CONDITIONS = [
  ['below', 'at or below'],
  ['above', 'at or above'],
] as const

type ChosenCardProps = {
  id: number
  onOther: () => void
  children: (prices: readonly Price[]) => React.ReactNode
}

/** The card that was chosen, beside what is asked about it. */
function ChosenCard({ id, onOther, children }: ChosenCardProps) {
  const card = useQuery(`card ${id}`, (signal) =>
    api.get('/v1/cards/{id}', { path: { id }, signal }),
  )
  const prices = useQuery(`prices ${id}`, (signal) =>
    api.get('/v1/cards/{id}/prices', { path: { id }, signal }),
  )
  const told = card.data?.data
  if (card.state === 'failed') {
    return (
      <div className="stack">
        <ErrorMessage error={card.error} again={card.again} />
        <OtherCard onOther={onOther} />
      </div>
    )
  }
  return (
    <div className="chosen">
      <div className="chosen-card">
        {told === undefined ? (
          <span className="art bone" />
        ) : (
          <CardImage src={cardImageUrl(told)} name={told.name} size="small" eager />
        )}
        <div className="stack tight">
          {told === undefined ? (
            <Skeleton />
          ) : (
            <div>
              <h3>
                <Link href={`/cards/${id}`}>{told.name}</Link>
              </h3>
              <p className="small soft">
                {[told.set_name, told.number].filter(Boolean).join(' · ')}
              </p>
            </div>
          )}
          <OtherCard onOther={onOther} />
        </div>
      </div>
      {children([prices.data?.data ?? []].flat())}
    </div>
  )
}

function OtherCard({ onOther }: { onOther: () => void }) {
  return (
    <div>
      <button type="button" className="button" onClick={onOther}>
        Another card
      </button>
    </div>
  )
}

type PrintingFieldProps = {
  prices: readonly Price[]
  value: string
  fault: string | undefined
  onChange: (printing: string) => void
}

function PrintingField({ prices, value, fault, onChange }: PrintingFieldProps) {
  return (
    <div className="field">
      <label htmlFor="printing">Printing</label>
      <select
        id="printing"
        className="input"
        value={value}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={fault === undefined ? undefined : 'printing-told'}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">The dearest one</option>
        {prices.map(({ printing, market_price }) => (
          <option key={printing} value={printing}>
            {printing}, now {usd(market_price)}
          </option>
        ))}
      </select>
      {fault !== undefined && (
        <p id="printing-told" className="field-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

function AddressHint() {
  return (
    <>
      A program of yours that takes a <code>POST</code>.{' '}
      <a href={ALERTS_GUIDE} target="_blank" rel="noopener">
        How messages look, and how they are signed
      </a>
    </>
  )
}

/** What the price is now, and whether it fits already. */
function hintOf(prices: readonly Price[], { printing, threshold, condition }: AlertDraft): string {
  const now = alertPrice({ prices: [...prices] }, printing === '' ? null : printing)
  const wanted = parseDollars(threshold)
  if (now === null) return 'The price is not known now.'
  const isMet = wanted !== undefined && (condition === 'above' ? now >= wanted : now <= wanted)
  return `Now ${usd(now)}.${isMet ? ' That fits already: you are told after the next sync.' : ''}`
}
