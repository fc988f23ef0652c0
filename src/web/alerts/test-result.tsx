import type { DeliveryAttempt, WebhookDelivery } from '#client/endpoints.ts'
import { durationText } from '../measure-text.ts'

/** Shows the result of a test delivery. */
export function TestResult({ tested }: { tested: WebhookDelivery | undefined }) {
  const deliveryAttempt = tested?.attempts.at(-1)
  return (
    <div role="status">
      {tested !== undefined && (
        <div className={`note ${tested.state === 'delivered' ? 'good' : 'bad'}`}>
          <p>
            <b>{tested.state === 'delivered' ? 'Test delivered.' : 'Test failed.'}</b>{' '}
            {deliveryAttempt !== undefined && answerText(deliveryAttempt)}
          </p>
          {deliveryAttempt?.answer && <ResponseExcerpt text={deliveryAttempt.answer} />}
        </div>
      )}
    </div>
  )
}

function answerText({ status, error, latency_ms }: DeliveryAttempt): string {
  return `${error ?? `Response: ${status}.`} Took ${durationText(latency_ms)}.`
}

/** Shows the beginning of the response body. */
export function ResponseExcerpt({ text }: { text: string }) {
  return (
    <p className="small">
      Response body: <code>{text}</code>
    </p>
  )
}
