import type { OperatorStatus } from '#client/endpoints.ts'
import * as texts from '#texts/operations/health.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { healthStatuses, healthSummary } from './health.ts'

type HealthPanelProps = {
  status: OperatorStatus
  /** False if the server has stopped answering since. */
  isCurrent: boolean
}

/** Shows the overall status and the status of each part. */
export function HealthPanel({ status, isCurrent }: HealthPanelProps) {
  const verdicts = healthStatuses(status)
  const summary = isCurrent ? healthSummary(verdicts) : OUTDATED
  return (
    <section className="panel stack health" aria-labelledby="verdict">
      <div role="status">
        <h2 id="verdict">
          <StatusMark state={summary.state} />
          {summary.text}
        </h2>
      </div>
      <ul>
        {verdicts.map(({ name, state, text }) => (
          <li key={name}>
            <StatusMark state={state} />
            <div>
              <h3>{name}</h3>
              <p className="small">
                <span className="visually-hidden">{READ_AS[state]} </span>
                {text}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const OUTDATED = { state: 'wait', text: texts.notCurrentTheServerDid } as const

/** Text of the status icons for screen readers. */
const READ_AS = {
  good: texts.readAsGood,
  off: texts.readAsOff,
  wait: texts.readAsWarning,
  bad: texts.readAsBad,
}

export function HealthSkeleton() {
  return (
    <div className="panel stack health" role="status" aria-label={texts.loading}>
      <Skeleton width="40%" height="2rem" />
      <ul aria-hidden="true">
        {PARTS.map((name) => (
          <li key={name}>
            <Skeleton height="2.5rem" />
          </li>
        ))}
      </ul>
    </div>
  )
}

const PARTS = ['mirror', 'prices', 'jobs', 'reader', 'pictures', 'alerts', 'disk', 'backups']
