import { Link } from 'wouter'
import type { OperatorStatus } from '#client/endpoints.ts'
import { type Column, Table } from '../components/table.tsx'
import { agoText, count, dateTimeText, dayText } from '../format.ts'

/** Lists the games with their sync status and last error. */
export function GamesTable({ games, now }: Pick<OperatorStatus, 'games' | 'now'>) {
  return (
    <section className="stack tight" aria-labelledby="games">
      <h2 id="games">Games</h2>
      <div className="table-frame">
        <Table columns={gameColumns(Date.parse(now))} rows={games} keyOf={({ slug }) => slug} />
      </div>
    </section>
  )
}

function gameColumns(at: number): Column<OperatorStatus['games'][number]>[] {
  return [
    [
      'Game',
      ({ slug, name, last_synced_at, last_error }) => (
        <>
          <Link href={`/games/${slug}`}>{name}</Link>
          <p className="small soft narrow-only">Synced {agoOrNever(last_synced_at, at)}</p>
          {last_error !== null && (
            <p className="small error">
              {agoText(last_error.at, at)}: {last_error.message}
            </p>
          )}
        </>
      ),
    ],
    ['Status', (game) => <FreshnessTag isStale={game.is_stale} since={game.stale_since} />],
    ['Synced', ({ last_synced_at }) => agoOrNever(last_synced_at, at), 'wide-only'],
    ['Published', ({ published_at }) => agoOrNever(published_at, at), 'wide-only'],
    ['Sets', ({ set_count }) => count(set_count), 'number wide-only'],
    ['Cards', ({ card_count }) => count(card_count), 'number wide-only'],
  ]
}

type FreshnessProps = { isStale: boolean; since: string | null }

/** Shows whether the prices of a game are up to date. */
export function FreshnessTag({ isStale, since }: FreshnessProps) {
  if (!isStale) return <span className="tag good">Up to date</span>
  return (
    <span className="tag wait">
      {since === null ? 'Never synced' : `Out of date since ${dayText(since.slice(0, 10))}`}
    </span>
  )
}

export function agoOrNever(time: string | null, now?: number): string {
  return time === null ? 'never' : agoText(time, now)
}

type Server = NonNullable<OperatorStatus['servers']>[number]

/** Lists the servers that share the ledger. */
export function ServersTable({ servers, now }: Pick<OperatorStatus, 'servers' | 'now'>) {
  if (servers === null) return null
  return (
    <section className="stack tight" aria-labelledby="servers">
      <h2 id="servers">Servers</h2>
      <div className="table-frame">
        <Table columns={serverColumns(Date.parse(now))} rows={servers} keyOf={({ name }) => name} />
      </div>
    </section>
  )
}

function serverColumns(at: number): Column<Server>[] {
  return [
    [
      'Server',
      ({ name, started_at, seen_at }) => (
        <>
          {name}
          <p className="small soft narrow-only">
            Up since {dateTimeText(started_at)}, seen {agoText(seen_at, at)}
          </p>
        </>
      ),
    ],
    ['Status', (server) => <ServerTag server={server} />],
    ['Photo reader', ({ reader }) => reader ?? 'unknown', 'wide-only'],
    ['Version', ({ version }) => version, 'wide-only'],
    ['Up since', ({ started_at }) => dateTimeText(started_at), 'wide-only'],
    ['Last seen', ({ seen_at }) => agoText(seen_at, at), 'wide-only'],
  ]
}

function ServerTag({ server: { is_silent, reader } }: { server: Server }) {
  if (is_silent) return <span className="tag bad">Not reporting</span>
  if (reader === 'not ready') return <span className="tag wait">No photos</span>
  return <span className="tag good">Running</span>
}

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
