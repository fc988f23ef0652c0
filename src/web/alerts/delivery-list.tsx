import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { DeliveryAttempt, WebhookDelivery } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/webhooks.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Pager } from '../components/pager.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { agoText, DOLLARS, dateTimeText, moneyText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { durationText } from '../measure-text.ts'
import { apiQuery, pollQuery, refetchAfterChange } from '../query-client.ts'
import { alertsUrl } from './alert-text.ts'
import { ResponseExcerpt } from './test-result.tsx'

type DeliveryListProps = { alertId: string; page: number }

/** Lists the deliveries of an alert, newest first. Follows those that are pending. */
export function DeliveryList({ alertId, page }: DeliveryListProps) {
  const [, go] = useLocation()
  const path = { webhook_id: alertId }
  const query = { page, per_page: 20 }
  const result = useQuery(
    pollQuery(apiQuery('/v1/webhooks/{webhook_id}/deliveries', { path, query }), (answer) =>
      answer?.data.some(({ state }) => state === 'pending') ? POLL_MS : undefined,
    ),
  )
  const { data } = result
  return (
    <section className="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">{texts.deliveries}</h2>
      <QueryError query={result} />
      {result.isPending && <LineSkeleton />}
      {data?.data.length === 0 && <p className="note">{texts.noDeliveriesInTheLast30}</p>}
      {data !== undefined && (
        <>
          <ul className="stack tight">
            {data.data.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} />
            ))}
          </ul>
          <Pager meta={data.meta} onPage={(page) => go(alertsUrl({ watch: alertId, page }))} />
        </>
      )}
    </section>
  )
}

const POLL_MS = 5_000

/** Shows a delivery, its attempts and a resend button. */
function DeliveryItem({ delivery }: { delivery: WebhookDelivery }) {
  const { id, webhook_id, state, attempts, payload, created_at } = delivery
  const resend = useAction(async () => {
    const path = { webhook_id, delivery_id: id }
    await api.post('/v1/webhooks/{webhook_id}/redeliver/{delivery_id}', { path })
    refetchAfterChange('/v1/webhooks/{webhook_id}/deliveries')
  })
  const { name, tone } = STATES[state] ?? { name: state, tone: '' }
  return (
    <li
      className="panel delivery"
      aria-label={`${deliveryTitle(delivery)}, ${dateTimeText(created_at)}`}
    >
      <div className="delivery-head">
        <h3>{deliveryTitle(delivery)}</h3>
        <span className={`tag ${tone}`} role="status">
          {name}
        </span>
        <time className="small soft" dateTime={created_at}>
          {dateTimeText(created_at)}
        </time>
        <Button className="apart" action={resend}>
          {state === 'pending' ? texts.sendNow : texts.resend}
        </Button>
      </div>
      <FormError error={resend.error} />
      <p className="small soft">{deliveryOutcome(delivery)}</p>
      {attempts.length > 0 && (
        <ol className="attempts" aria-label={texts.attempts}>
          {attempts.map((deliveryAttempt) => (
            <AttemptLine key={deliveryAttempt.at} attempt={deliveryAttempt} />
          ))}
        </ol>
      )}
      <details>
        <summary className="small">{texts.payload}</summary>
        <pre className="small">
          <code>{JSON.stringify(payload, null, 2)}</code>
        </pre>
      </details>
    </li>
  )
}

const STATES: Readonly<Record<string, { name: string; tone: string }>> = {
  pending: { name: texts.pending, tone: 'wait' },
  delivered: { name: texts.delivered, tone: 'good' },
  dead: { name: texts.failed, tone: 'bad' },
}

function AttemptLine({ attempt }: { attempt: DeliveryAttempt }) {
  const { at, status, error, latency_ms, answer } = attempt
  return (
    <li>
      <span className={`tag ${error === null ? 'good' : 'bad'}`}>{status ?? texts.noResponse}</span>
      <div>
        <p className="small">
          <time dateTime={at}>{dateTimeText(at)}</time> · {durationText(latency_ms)}
        </p>
        {error !== null && <p className="small">{error}</p>}
        {answer && <ResponseExcerpt text={answer} />}
      </div>
    </li>
  )
}

function deliveryTitle({ kind, payload }: WebhookDelivery): string {
  // The schema of a body is open. Without a currency, amounts are in US dollars.
  const { current_price: price, currency = DOLLARS } = payload
  const isKnown = typeof price === 'number' && typeof currency === 'string'
  if (!isKnown) return kind === 'test' ? texts.test : texts.alert
  return (kind === 'test' ? texts.testAt : texts.alertAt)(moneyText(price, currency))
}

/** Describes the result, or the next attempt. */
function deliveryOutcome({ state, next_attempt_at, ended_at, attempts }: WebhookDelivery): string {
  if (state !== 'pending') {
    const when = ended_at === null ? undefined : agoText(ended_at)
    const text = state === 'delivered' ? texts.deliveredAfter : texts.failedAfter
    return text({ when, attempts: attempts.length })
  }
  if (next_attempt_at === null) return texts.sendingNow
  const waitMs = Date.parse(next_attempt_at) - Date.now()
  return waitMs < 60_000 ? texts.nextAttemptSoon : texts.nextAttempt(agoText(next_attempt_at))
}
