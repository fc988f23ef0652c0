import type { DeliveryAttempt, WebhookDelivery } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/webhooks.ts'
import { durationText } from '../measure-text.ts'

/** Shows the result of a test delivery. */
export function TestResult({ tested }: { tested: WebhookDelivery | undefined }) {
  const deliveryAttempt = tested?.attempts.at(-1)
  return (
    <div role="status">
      {tested !== undefined && (
        <div className={`note ${tested.state === 'delivered' ? 'good' : 'bad'}`}>
          <p>
            <b>{tested.state === 'delivered' ? texts.testDelivered : texts.testFailed}</b>{' '}
            {deliveryAttempt !== undefined && answerText(deliveryAttempt)}
          </p>
          {deliveryAttempt?.answer && <ResponseExcerpt text={deliveryAttempt.answer} />}
        </div>
      )}
    </div>
  )
}

function answerText({ status, error, latency_ms }: DeliveryAttempt): string {
  const duration = durationText(latency_ms)
  return error === null
    ? texts.responseTook({ status: String(status), duration })
    : texts.errorTook({ error, duration })
}

/** Shows the beginning of the response body. */
export function ResponseExcerpt({ text }: { text: string }) {
  return <p className="small">{texts.responseBody(<code>{text}</code>)}</p>
}
