import { useState } from 'react'
import { Link } from 'wouter'
import type { Card } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/watch-price.ts'
import { api } from '../api.ts'
import { usePrices } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { DOLLARS } from '../format.ts'
import { percentChangeText } from '../pricing/change-text.ts'
import { useCurrency } from '../pricing/currency.ts'
import { refetchAfterChange } from '../query-client.ts'
import { alertPrice } from './alert-cards.ts'
import { ConditionFields, formLevelError, PrintingField, useAlertForm } from './alert-form.tsx'
import { conditionText } from './alert-text.ts'

type WatchPriceProps = {
  card: Pick<Card, 'id' | 'name'>
  /** Initial printing; undefined for the most expensive one. */
  printing: string | undefined
  /** Initial price in US dollars. */
  target?: number | null
  onClose: () => void
}

/** Dialog that creates a price alert for a card. */
export function WatchPrice({ onClose, ...chosen }: WatchPriceProps) {
  const [created, setCreated] = useState<string>()
  return (
    <Dialog title={texts.watchThisPrice} onClose={onClose}>
      {created === undefined ? (
        <WatchForm {...chosen} onClose={onClose} onCreated={setCreated} />
      ) : (
        <>
          <p role="status">
            {texts.youGetAnAlertWhen({
              name: <b>{chosen.card.name}</b>,
              created: <b>{created}</b>,
            })}
          </p>
          <p className="soft">{texts.alertsAreInTheDashboard}</p>
          <div className="row end">
            <Link className="button" href="/alerts" onClick={onClose}>
              {texts.alertsAndChannels}
            </Link>
            <Button className="main" onClick={onClose}>
              {texts.done}
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
  const threshold = target === null || currency !== DOLLARS ? '' : amountText(target)
  const form = useAlertForm({ threshold, condition: 'below', printing }, async (body) => {
    const { data } = await api.post('/v1/alerts', { body })
    refetchAfterChange('/v1/alerts')
    onCreated(conditionText(data))
  })
  const prices = usePrices(card.id, currency).data ?? []
  const now = alertPrice(prices, form.draft.printing)
  return (
    <form
      noValidate
      className="alert-form"
      onSubmit={(event) => {
        event.preventDefault()
        form.markSubmitted()
        void form.action.start(card.id)
      }}
    >
      <p>{card.name}</p>
      <PrintingField form={form} prices={prices} />
      <ConditionFields form={form} prices={prices} />
      {now !== null && (
        // biome-ignore lint/a11y/useSemanticElements: the buttons are not fields
        <div className="row tight" role="group" aria-label={texts.changeFromThePriceNow}>
          {STEPS[form.draft.condition].map((points) => (
            <Button
              key={points}
              onClick={() => form.change({ threshold: amountText(now * (1 + points / 100)) })}
            >
              {percentChangeText(points)}
            </Button>
          ))}
        </div>
      )}
      <FormError error={formLevelError(form.action.error)} />
      <div className="row end">
        <Button className="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" className="main" isBusy={form.action.isRunning}>
          {texts.createAlert}
        </Button>
      </div>
    </form>
  )
}

/** Changes from the current price in percent. */
const STEPS = { below: [-5, -10, -20], above: [5, 10, 20] } as const

/** Formats an amount as people type it. */
function amountText(amount: number): string {
  return Math.max(0.01, amount).toFixed(2)
}
