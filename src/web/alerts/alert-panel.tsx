import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { PricedCard, UpdatedWebhook, Webhook, WebhookDelivery } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/webhooks.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { agoText, dateTimeText, moneyText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { alertPrice } from './alert-cards.ts'
import { alertState, conditionText, printingText } from './alert-text.ts'
import { EditAlert } from './edit-alert.tsx'
import { TestResult } from './test-result.tsx'

type AlertPanelProps = {
  alert: Webhook
  /** Undefined until it is loaded. */
  card: PricedCard | undefined
  /** Called after each change and after a test. */
  onChanged: (alert: UpdatedWebhook) => void
  onDeleted: () => void
  /** Links to other pages. */
  children?: ReactNode
}

/** Shows an alert with its status and actions. */
export function AlertPanel({ alert, card, onChanged, onDeleted, children }: AlertPanelProps) {
  const [shown, setShown] = useState<'edit' | 'delete'>()
  const [tested, setTested] = useState<WebhookDelivery>()
  const path = { webhook_id: alert.id }
  const isRunning = alert.status === 'active' || alert.status_reason === 'tier'
  const toggle = useAction(async () => {
    const body = { paused: isRunning }
    onChanged((await api.patch('/v1/webhooks/{webhook_id}', { path, body })).data)
  })
  const test = useAction(async () => {
    setTested(undefined)
    setTested((await api.post('/v1/webhooks/{webhook_id}/test', { path })).data)
    onChanged(alert)
  })
  const remove = useAction(async () => {
    await api.delete('/v1/webhooks/{webhook_id}', { path })
    setShown(undefined)
    onDeleted()
  })
  const name = alert.card_name ?? texts.cardOfId(alert.card_id)

  return (
    <article className="panel alert" aria-label={name}>
      <CardImage src={card && cardImageUrl(card)} face={card ?? { name }} size="small" />
      <AlertSummary alert={alert} card={card} name={name} />
      <div className="row alert-actions">
        <Button action={test}>{test.isRunning ? texts.sending : texts.sendTest}</Button>
        {children}
        <Button action={toggle}>{isRunning ? texts.pause : texts.resume}</Button>
        <Button
          aria-expanded={shown === 'edit'}
          onClick={() => setShown(shown === 'edit' ? undefined : 'edit')}
        >
          {texts.edit}
        </Button>
        <Button
          className="quiet danger apart"
          onClick={() => {
            remove.clearError()
            setShown('delete')
          }}
        >
          {texts.deleteLabel}
        </Button>
      </div>
      <div className="alert-more">
        <FormError error={test.error ?? toggle.error} />
        <TestResult tested={tested} />
        {shown === 'edit' && (
          <EditAlert alert={alert} onChanged={onChanged} onClose={() => setShown(undefined)} />
        )}
        {shown === 'delete' && (
          <ConfirmDialog
            title={texts.deleteThisAlert}
            confirmLabel={texts.deleteAlert}
            action={remove}
            onClose={() => setShown(undefined)}
          >
            <p>{texts.noMoreAlertsFor(<b>{name}</b>)}</p>
          </ConfirmDialog>
        )}
      </div>
    </article>
  )
}

type AlertSummaryProps = { alert: Webhook; card: PricedCard | undefined; name: string }

function AlertSummary({ alert, card, name }: AlertSummaryProps) {
  const state = alertState(alert)
  return (
    <div className="alert-summary">
      <div className="alert-head">
        <h2>
          <Link href={`/cards/${alert.card_id}`}>{name}</Link>
        </h2>
        <span className={`tag ${state.tone}`} role="status">
          {state.name}
        </span>
      </div>
      <p>
        {texts.alertsAt(<b>{conditionText(alert)}</b>)}
        {card !== undefined && (
          <span className="soft">
            {` · ${texts.now(moneyText(alertPrice(card.prices, alert.printing), alert.currency))}`}
          </span>
        )}
      </p>
      <p className="small soft">
        {[card?.set_name, printingText(alert.printing)].filter(Boolean).join(' · ')}
      </p>
      <p className="small soft">{texts.webhook(<code>{alert.url}</code>)}</p>
      <p className="small soft">
        {alert.last_alert_at === null
          ? texts.noAlertsInTheLast30
          : texts.lastAlert(agoText(alert.last_alert_at))}
      </p>
      {state.why !== undefined && <p className="small">{state.why}</p>}
      {alert.previous_secret_until !== null && (
        <p className="small">
          {texts.previousSecretAlsoWorks(dateTimeText(alert.previous_secret_until))}
        </p>
      )}
    </div>
  )
}
