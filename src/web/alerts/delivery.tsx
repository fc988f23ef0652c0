import type { Attempt, Delivery } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Act } from '../components/busy-button.tsx'
import { Refusal } from '../components/form-error.tsx'
import { agoText, momentText, plural, tookText, usd } from '../format.ts'
import { useDeed } from '../hooks/use-action.ts'
import { Answer } from './test-result.tsx'

/** One message: what it told, what became of each attempt, and a way to send it once more. */
export function Message({ delivery, onChanged }: { delivery: Delivery; onChanged: () => void }) {
  const { id, webhook_id, state, attempts, payload, created_at } = delivery
  const again = useDeed(async () => {
    const path = { webhook_id, delivery_id: id }
    await api.post('/v1/webhooks/{webhook_id}/redeliver/{delivery_id}', { path })
    onChanged()
  })
  const { name, tone } = STATES[state] ?? { name: state, tone: '' }
  return (
    <li className="panel message" aria-label={`${titleOf(delivery)}, ${momentText(created_at)}`}>
      <div className="message-head">
        <h3>{titleOf(delivery)}</h3>
        <span className={`tag ${tone}`} role="status">
          {name}
        </span>
        <time className="small soft" dateTime={created_at}>
          {momentText(created_at)}
        </time>
        <Act className="apart" isRunning={again.isRunning} onClick={() => void again.start()}>
          {state === 'pending' ? 'Try now' : 'Send again'}
        </Act>
      </div>
      <Refusal error={again.error} />
      <p className="small soft">{fateOf(delivery)}</p>
      {attempts.length > 0 && (
        <ol className="attempts" aria-label="Attempts">
          {attempts.map((attempt) => (
            <AttemptLine key={attempt.at} attempt={attempt} />
          ))}
        </ol>
      )}
      <details>
        <summary className="small">What is sent</summary>
        <pre className="small">
          <code>{JSON.stringify(payload, null, 2)}</code>
        </pre>
      </details>
    </li>
  )
}

const STATES: Readonly<Record<string, { name: string; tone: string }>> = {
  pending: { name: 'Waiting', tone: 'wait' },
  delivered: { name: 'Delivered', tone: 'good' },
  dead: { name: 'Given up', tone: 'bad' },
}

function AttemptLine({ attempt }: { attempt: Attempt }) {
  const { at, status, error, latency_ms, answer } = attempt
  return (
    <li>
      <span className={`tag ${error === null ? 'good' : 'bad'}`}>{status ?? 'No answer'}</span>
      <div>
        <p className="small">
          <time dateTime={at}>{momentText(at)}</time> · {tookText(latency_ms)}
        </p>
        {error !== null && <p className="small">{error}</p>}
        {answer && <Answer text={answer} />}
      </div>
    </li>
  )
}

function titleOf({ kind, payload }: Delivery): string {
  const price = payload.current_price
  const at = typeof price === 'number' ? ` at ${usd(price)}` : ''
  return `${kind === 'test' ? 'Test' : 'Alert'}${at}`
}

/** What became of it, or what is to come. */
function fateOf({ state, next_attempt_at, ended_at, attempts }: Delivery): string {
  const tries = plural(attempts.length, 'attempt')
  if (state !== 'pending') {
    const end = ended_at === null ? '' : ` ${agoText(ended_at)}`
    return state === 'delivered'
      ? `Arrived${end}, after ${tries}.`
      : `Given up${end}, after ${tries}.`
  }
  if (next_attempt_at === null) return 'It is being sent now.'
  const rest = Date.parse(next_attempt_at) - Date.now()
  return `Next attempt ${rest < 60_000 ? 'within a minute' : agoText(next_attempt_at)}.`
}
