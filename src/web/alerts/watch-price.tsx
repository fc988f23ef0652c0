import { useState } from 'react'
import { Link } from 'wouter'
import type { Card } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { usePrices } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { DOLLARS, percentChangeText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { useCurrency } from '../pricing/currency.ts'
import { refetchAfterChange } from '../query-client.ts'
import { alertPrice } from './alert-cards.ts'
import {
  alertFieldErrors,
  conditionText,
  formLevelError,
  invalidAmount,
  parseTypedAmount,
} from './alert-text.ts'
import { ConditionFields, PrintingField } from './new-alert.tsx'

type WatchPriceProps = {
  card: Pick<Card, 'id' | 'name'>
  /** Printing that is chosen at first; undefined for the most expensive one. */
  printing: string | undefined
  /** Price in US dollars that is entered at first. */
  target?: number | null
  onClose: () => void
}

/** Dialog that creates a price alert for a card. */
export function WatchPrice({ onClose, ...chosen }: WatchPriceProps) {
  const [created, setCreated] = useState<string>()
  return (
    <Dialog title="Watch this price" onClose={onClose}>
      {created === undefined ? (
        <WatchForm {...chosen} onClose={onClose} onCreated={setCreated} />
      ) : (
        <>
          <p role="status">
            You get an alert when <b>{chosen.card.name}</b> is at <b>{created}</b>.
          </p>
          <p className="soft">
            Alerts are in the dashboard, at the bell, and on each of your channels.
          </p>
          <div className="row end">
            <Link className="button" href="/alerts" onClick={onClose}>
              Alerts and channels
            </Link>
            <Button className="main" onClick={onClose}>
              Done
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

type WatchFormProps = WatchPriceProps & { onCreated: (condition: string) => void }

function WatchForm({ card, printing = '', target = null, onClose, onCreated }: WatchFormProps) {
  const { currency } = useCurrency()
  const [draft, setDraft] = useState<WatchDraft>({
    threshold: target === null || currency !== DOLLARS ? '' : amountText(target),
    condition: 'below',
    printing,
  })
  const [isSubmitted, setSubmitted] = useState(false)
  const prices = usePrices(card.id, currency).data ?? []
  const threshold = parseTypedAmount(draft.threshold)
  const action = useAction(async () => {
    setSubmitted(true)
    if (threshold === undefined) return
    const { condition, printing } = draft
    const body = {
      card_id: card.id,
      condition,
      threshold,
      ...(printing !== '' && { printing }),
      ...(currency !== DOLLARS && { currency }),
    }
    const { data } = await api.post('/v1/alerts', { body })
    refetchAfterChange('/v1/alerts')
    onCreated(conditionText({ ...data, condition }))
  })
  const errors = alertFieldErrors(action.error)
  const change = (part: Partial<WatchDraft>) => {
    action.clearError()
    setDraft((before) => ({ ...before, ...part }))
  }
  const now = alertPrice({ prices: [...prices] }, draft.printing === '' ? null : draft.printing)
  return (
    <form
      noValidate
      className="alert-form"
      onSubmit={(event) => {
        event.preventDefault()
        void action.start()
      }}
    >
      <p>{card.name}</p>
      <PrintingField
        prices={prices}
        value={draft.printing}
        error={errors.printing}
        onChange={(printing) => change({ printing })}
      />
      <ConditionFields
        prices={prices}
        draft={draft}
        currency={currency}
        error={isSubmitted && threshold === undefined ? invalidAmount(currency) : errors.threshold}
        onChange={change}
      />
      {now !== null && (
        // biome-ignore lint/a11y/useSemanticElements: the buttons are no fields
        <div className="row tight" role="group" aria-label="Change from the price now">
          {STEPS[draft.condition].map((points) => (
            <Button
              key={points}
              onClick={() => change({ threshold: amountText(now * (1 + points / 100)) })}
            >
              {percentChangeText(points)}
            </Button>
          ))}
        </div>
      )}
      <FormError error={formLevelError(action.error)} />
      <div className="row end">
        <Button className="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" className="main" isBusy={action.isRunning}>
          Create alert
        </Button>
      </div>
    </form>
  )
}

/** Form values as typed. */
type WatchDraft = { threshold: string; condition: 'above' | 'below'; printing: string }

/** Changes from the current price in percent. */
const STEPS = { below: [-5, -10, -20], above: [5, 10, 20] } as const

/** Formats an amount as people type it. */
function amountText(amount: number): string {
  return Math.max(0.01, amount).toFixed(2)
}
