import type { OperatorStatus } from '#client/endpoints.ts'
import { agoText, count } from '../format.ts'
import { agoOrNever } from './games-table.tsx'

/** Lists the jobs with their last result and next run. */
export function JobsTable({ jobs, now }: Pick<OperatorStatus, 'jobs' | 'now'>) {
  const at = Date.parse(now)
  return (
    <section className="stack tight" aria-labelledby="jobs">
      <h2 id="jobs">Jobs</h2>
      {jobs.length === 0 ? (
        <p className="note">No jobs. The server is starting or stopping.</p>
      ) : (
        <div className="table-frame">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Job</th>
                <th scope="col">Last result</th>
                <th scope="col" className="wide-only">
                  Ended
                </th>
                <th scope="col" className="wide-only">
                  Next
                </th>
                <th scope="col" className="number wide-only">
                  Runs
                </th>
                <th scope="col" className="number wide-only">
                  Failed
                </th>
              </tr>
            </thead>
            <tbody>
              {jobs.map((job) => (
                <tr key={job.name}>
                  <th scope="row">
                    {job.name}
                    {job.next_at !== null && (
                      <p className="small soft narrow-only">Next {agoText(job.next_at, at)}</p>
                    )}
                  </th>
                  <td>
                    <Outcome job={job} />
                  </td>
                  <td className="wide-only">{agoOrNever(job.last_ended_at, at)}</td>
                  <td className="wide-only">
                    {job.next_at === null ? 'on request' : agoText(job.next_at, at)}
                  </td>
                  <td className="number wide-only">{count(job.runs)}</td>
                  <td className="number wide-only">{count(job.failures)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Outcome({ job }: { job: OperatorStatus['jobs'][number] }) {
  if (job.is_running) return <span className="tag wait">Running</span>
  if (job.last_outcome === null) return <span className="tag">Not run</span>
  const isDone = job.last_outcome === 'done'
  return <span className={`tag ${isDone ? 'good' : 'bad'}`}>{isDone ? 'Done' : 'Failed'}</span>
}
