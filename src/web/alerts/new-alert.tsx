import { useState } from 'react'
import { Link } from 'wouter'
import type { NewWatch, Price } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Act } from '../components/busy-button.tsx'
import { Fault } from '../components/error-message.tsx'
import { Field } from '../components/field.tsx'
import { Refusal } from '../components/form-error.tsx'
import { Art, cardArt } from '../components/picture.tsx'
import { Switch } from '../components/segmented-control.tsx'
import { Bone } from '../components/skeleton.tsx'
import { usd } from '../format.ts'
import { useDeed } from '../hooks/use-action.ts'
import { useAsk } from '../hooks/use-query.ts'
import { dollarsIn, fieldFaultsOf, GUIDE, NO_AMOUNT, otherFault } from './alert-text.ts'
import { CardSearch } from './card-search.tsx'
import { watchedPrice } from './cards.ts'

type NewAlertProps = {
  /** What is to be watched; undefined: it is still to be chosen. */
  cardId: number | undefined
  onChoose: (cardId: number | undefined) => void
  onMade: (watch: NewWatch) => void
  onCancel: () => void
}

/** Asks what is to be told, and where. What was typed outlives the choice of another card. */
export function NewAlert({ cardId, onChoose, onMade, onCancel }: NewAlertProps) {
  const [wish, setWish] = useState<Wish>(NO_WISH)
  const [isAsked, setAsked] = useState(false)
  const deed = useDeed(async (card_id: number, threshold: number) => {
    const { url, condition, printing } = wish
    const body = { url, card_id, condition, threshold, ...(printing !== '' && { printing }) }
    onMade((await api.post('/v1/webhooks', { body })).data)
  })
  const threshold = dollarsIn(wish.threshold)
  const faults = fieldFaultsOf(deed.error)
  const change = (part: Partial<Wish>) => {
    deed.forget()
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
                <Switch
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
                fault={isAsked && threshold === undefined ? NO_AMOUNT : faults.threshold}
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
                fault={faults.url}
              />
              <Refusal error={otherFault(deed.error)} />
              <div className="row">
                <Act type="submit" className="main" isRunning={deed.isRunning}>
                  Make the alert
                </Act>
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
type Wish = { url: string; threshold: string; condition: 'above' | 'below'; printing: string }

const NO_WISH: Wish = { url: '', threshold: '', condition: 'below', printing: '' }

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
  const card = useAsk(`card ${id}`, (signal) => api.get('/v1/cards/{id}', { path: { id }, signal }))
  const prices = useAsk(`prices ${id}`, (signal) =>
    api.get('/v1/cards/{id}/prices', { path: { id }, signal }),
  )
  const told = card.data?.data
  if (card.state === 'failed') {
    return (
      <div className="stack">
        <Fault error={card.error} again={card.again} />
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
          <Art src={cardArt(told)} name={told.name} size="small" eager />
        )}
        <div className="stack tight">
          {told === undefined ? (
            <Bone />
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
      <a href={GUIDE} target="_blank" rel="noopener">
        How messages look, and how they are signed
      </a>
    </>
  )
}

/** What the price is now, and whether it fits already. */
function hintOf(prices: readonly Price[], { printing, threshold, condition }: Wish): string {
  const now = watchedPrice({ prices: [...prices] }, printing === '' ? null : printing)
  const wanted = dollarsIn(threshold)
  if (now === null) return 'The price is not known now.'
  const isMet = wanted !== undefined && (condition === 'above' ? now >= wanted : now <= wanted)
  return `Now ${usd(now)}.${isMet ? ' That fits already: you are told after the next sync.' : ''}`
}
