import type { OperatorStatus } from '#client/endpoints.ts'
import { Bone } from '../components/skeleton.tsx'
import { Mark } from '../components/status-mark.tsx'
import { summaryOf, verdictsOf } from './health.ts'

/** Whether all is well: in one sentence, then part by part. */
export function Verdicts({ status }: { status: OperatorStatus }) {
  const verdicts = verdictsOf(status)
  const summary = summaryOf(verdicts)
  return (
    <section className="panel verdicts" aria-labelledby="verdict">
      <div role="status">
        <h2 id="verdict">
          <Mark state={summary.state} />
          {summary.words}
        </h2>
      </div>
      <ul>
        {verdicts.map(({ name, state, words }) => (
          <li key={name}>
            <Mark state={state} />
            <div>
              <h3>{name}</h3>
              <p className="small">
                <span className="unseen">{READ_AS[state]} </span>
                {words}
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
export function VerdictBones() {
  return (
    <div className="panel verdicts" role="status" aria-label="Loading">
      <Bone width="40%" height="2rem" />
      <ul aria-hidden="true">
        {BONES.map((name) => (
          <li key={name}>
            <Bone height="2.5rem" />
          </li>
        ))}
      </ul>
    </div>
  )
}

const BONES = ['prices', 'jobs', 'reader', 'alerts', 'disk', 'backups']
