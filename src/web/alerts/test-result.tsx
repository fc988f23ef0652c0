import type { Attempt, Delivery } from '#client/endpoints.ts'
import { tookText } from '../format.ts'

/** What came of a test, in the place where it was asked for. */
export function TestResult({ tested }: { tested: Delivery | undefined }) {
  const attempt = tested?.attempts.at(-1)
  return (
    <div role="status">
      {tested !== undefined && (
        <div className={`note ${tested.state === 'delivered' ? 'good' : 'bad'}`}>
          <p>
            <b>{tested.state === 'delivered' ? 'The test arrived.' : 'The test did not arrive.'}</b>{' '}
            {attempt !== undefined && answerText(attempt)}
          </p>
          {attempt?.answer && <Answer text={attempt.answer} />}
        </div>
      )}
    </div>
  )
}

function answerText({ status, error, latency_ms }: Attempt): string {
  return `${error ?? `It answered ${status}.`} It took ${tookText(latency_ms)}.`
}

/** How the answer of a receiver begins. */
export function Answer({ text }: { text: string }) {
  return (
    <p className="small">
      It said: <code>{text}</code>
    </p>
  )
}
