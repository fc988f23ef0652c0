import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Delivery, PricedCard, UpdatedWebhook, Webhook } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { BusyButton } from '../components/busy-button.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { agoText, dateTimeText, usd } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { alertPrice } from './alert-cards.ts'
import { alertState, conditionText, printingText } from './alert-text.ts'
import { EditAlert } from './edit-alert.tsx'
import { TestResult } from './test-result.tsx'

type AlertPanelProps = {
  alert: Webhook
  /** What it looks at; undefined while that is not known. */
  card: PricedCard | undefined
  /** Called with what a change made of it, and after a test. */
  onChanged: (watch: UpdatedWebhook) => void
  onDeleted: () => void
  /** Other places that it leads to. */
  children?: ReactNode
}

/** A watch: what it waits for, how it stands, and what can be done with it. */
export function AlertPanel({ alert, card, onChanged, onDeleted, children }: AlertPanelProps) {
  const [shown, setShown] = useState<'edit' | 'delete'>()
  const [tested, setTested] = useState<Delivery>()
  const path = { webhook_id: alert.id }
  const isGoing = alert.status === 'active' || alert.status_reason === 'tier'
  const turn = useAction(async () => {
    const body = { paused: isGoing }
    onChanged((await api.patch('/v1/webhooks/{webhook_id}', { path, body })).data)
  })
  const test = useAction(async () => {
    setTested(undefined)
    setTested((await api.post('/v1/webhooks/{webhook_id}/test', { path })).data)
    onChanged(alert)
  })
  const end = useAction(async () => {
    await api.delete('/v1/webhooks/{webhook_id}', { path })
    setShown(undefined)
    onDeleted()
  })
  const name = alert.card_name ?? `Card ${alert.card_id}`

  return (
    <article className="panel watch" aria-label={name}>
      <CardImage src={card && cardImageUrl(card)} name="" size="small" />
      <AlertSummary alert={alert} card={card} name={name} />
      <div className="row watch-deeds">
        <BusyButton isBusy={test.isRunning} onClick={() => void test.start()}>
          {test.isRunning ? 'Sending…' : 'Send a test'}
        </BusyButton>
        {children}
        <BusyButton isBusy={turn.isRunning} onClick={() => void turn.start()}>
          {isGoing ? 'Pause' : 'Resume'}
        </BusyButton>
        <button
          type="button"
          className="button"
          aria-expanded={shown === 'edit'}
          onClick={() => setShown(shown === 'edit' ? undefined : 'edit')}
        >
          Edit
        </button>
        <button
          type="button"
          className="button quiet danger apart"
          onClick={() => {
            end.clearError()
            setShown('delete')
          }}
        >
          Delete
        </button>
      </div>
      <div className="watch-more">
        <FormError error={test.error ?? turn.error} />
        <TestResult tested={tested} />
        {shown === 'edit' && (
          <EditAlert alert={alert} onChanged={onChanged} onClose={() => setShown(undefined)} />
        )}
        {shown === 'delete' && (
          <ConfirmDialog
            title="Delete this alert?"
            confirmLabel="Delete it"
            action={end}
            onClose={() => setShown(undefined)}
          >
            <p>
              Nobody is told about <b>{name}</b> any more, and what it still has to send is gone
              with it.
            </p>
          </ConfirmDialog>
        )}
      </div>
    </article>
  )
}

type AlertSummaryProps = { alert: Webhook; card: PricedCard | undefined; name: string }

function AlertSummary({ alert, card, name }: AlertSummaryProps) {
  const standing = alertState(alert)
  return (
    <div className="watch-about">
      <div className="watch-head">
        <h2>
          <Link href={`/cards/${alert.card_id}`}>{name}</Link>
        </h2>
        <span className={`tag ${standing.tone}`} role="status">
          {standing.name}
        </span>
      </div>
      <p>
        Tells when it is <b>{conditionText(alert)}</b>
        {card !== undefined && (
          <span className="soft"> · now {usd(alertPrice(card, alert.printing))}</span>
        )}
      </p>
      <p className="small soft">
        {[card?.set_name, printingText(alert.printing)].filter(Boolean).join(' · ')}
      </p>
      <p className="small soft">
        Posts to <code>{alert.url}</code>
      </p>
      <p className="small soft">
        {alert.last_alert_at === null
          ? 'Nothing told in the last 30 days'
          : `Last told ${agoText(alert.last_alert_at)}`}
      </p>
      {standing.why !== undefined && <p className="small">{standing.why}</p>}
      {alert.previous_secret_until !== null && (
        <p className="small">
          The secret before still signs, too, until {dateTimeText(alert.previous_secret_until)}.
        </p>
      )}
    </div>
  )
}
