import type { Delivery, DeliveryAttempt } from '#client/endpoints.ts'
import { durationText } from '../format.ts'

/** What came of a test, in the place where it was asked for. */
export function TestResult({ tested }: { tested: Delivery | undefined }) {
  const deliveryAttempt = tested?.attempts.at(-1)
  return (
    <div role="status">
      {tested !== undefined && (
        <div className={`note ${tested.state === 'delivered' ? 'good' : 'bad'}`}>
          <p>
            <b>{tested.state === 'delivered' ? 'The test arrived.' : 'The test did not arrive.'}</b>{' '}
            {deliveryAttempt !== undefined && answerText(deliveryAttempt)}
          </p>
          {deliveryAttempt?.answer && <ResponseExcerpt text={deliveryAttempt.answer} />}
        </div>
      )}
    </div>
  )
}

function answerText({ status, error, latency_ms }: DeliveryAttempt): string {
  return `${error ?? `It answered ${status}.`} It took ${durationText(latency_ms)}.`
}

/** How the answer of a receiver begins. */
export function ResponseExcerpt({ text }: { text: string }) {
  return (
    <p className="small">
      It said: <code>{text}</code>
    </p>
  )
}
