import type { OperatorStatus } from '#client/endpoints.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { healthStatuses, healthSummary } from './health.ts'

/** Whether all is well: in one sentence, then part by part. */
export function HealthPanel({ status }: { status: OperatorStatus }) {
  const verdicts = healthStatuses(status)
  const summary = healthSummary(verdicts)
  return (
    <section className="panel verdicts" aria-labelledby="verdict">
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
                <span className="unseen">{READ_AS[state]} </span>
                {text}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the signs say to those who do not see them. */
const READ_AS = { good: 'Well:', off: 'Off:', wait: 'To be watched:', bad: 'To be mended:' }

/** The place of the verdicts while they are not known. */
export function HealthSkeleton() {
  return (
    <div className="panel verdicts" role="status" aria-label="Loading">
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

const PARTS = ['prices', 'jobs', 'reader', 'alerts', 'disk', 'backups']
