import type { OperatorStatus } from '#client/endpoints.ts'
import { type Column, Table } from '../components/table.tsx'
import { agoText, count } from '../format.ts'
import { agoOrNever } from './games-table.tsx'

/** Lists the jobs with their last result and next run. */
export function JobsTable({ jobs, now }: Pick<OperatorStatus, 'jobs' | 'now'>) {
  return (
    <section className="stack tight" aria-labelledby="jobs">
      <h2 id="jobs">Jobs</h2>
      {jobs.length === 0 ? (
        <p className="note">No jobs. The server is starting or stopping.</p>
      ) : (
        <div className="table-frame">
          <Table columns={jobColumns(Date.parse(now))} rows={jobs} keyOf={({ name }) => name} />
        </div>
      )}
    </section>
  )
}

type Job = OperatorStatus['jobs'][number]

function jobColumns(at: number): Column<Job>[] {
  return [
    [
      'Job',
      ({ name, next_at, server }) => (
        <>
          {name}
          {server !== null && <p className="small soft">on {server}</p>}
          {next_at !== null && (
            <p className="small soft narrow-only">Next {agoText(next_at, at)}</p>
          )}
        </>
      ),
    ],
    ['Last result', (job) => <Outcome job={job} />],
    ['Ended', ({ last_ended_at }) => agoOrNever(last_ended_at, at), 'wide-only'],
    [
      'Next',
      ({ next_at }) => (next_at === null ? 'on request' : agoText(next_at, at)),
      'wide-only',
    ],
    ['Runs', ({ runs }) => count(runs), 'number wide-only'],
    ['Failed', ({ failures }) => count(failures), 'number wide-only'],
  ]
}

function Outcome({ job }: { job: Job }) {
  if (job.is_running) return <span className="tag wait">Running</span>
  if (job.last_outcome === null) return <span className="tag">Not run</span>
  const isDone = job.last_outcome === 'done'
  return <span className={`tag ${isDone ? 'good' : 'bad'}`}>{isDone ? 'Done' : 'Failed'}</span>
}
