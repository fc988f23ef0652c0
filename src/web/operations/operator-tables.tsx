import { Link } from 'wouter'
import type { OperatorStatus } from '#client/endpoints.ts'
import * as texts from '#texts/operations/operator.ts'
import { type Column, Table } from '../components/table.tsx'
import { agoText, count, dateTimeText, dayText } from '../format.ts'

/** Lists the games with their sync status and last error. */
export function GamesTable({ games, now }: Pick<OperatorStatus, 'games' | 'now'>) {
  return (
    <section className="stack tight" aria-labelledby="games">
      <h2 id="games">{texts.games}</h2>
      <div className="table-frame">
        <Table columns={gameColumns(Date.parse(now))} rows={games} keyOf={({ slug }) => slug} />
      </div>
    </section>
  )
}

function gameColumns(at: number): Column<OperatorStatus['games'][number]>[] {
  return [
    [
      texts.game,
      ({ slug, name, last_synced_at, last_error }) => (
        <>
          <Link href={`/games/${slug}`}>{name}</Link>
          <p className="small soft narrow-only">{texts.synced(agoOrNever(last_synced_at, at))}</p>
          {last_error !== null && (
            <p className="small error">
              {agoText(last_error.at, at)}: {last_error.message}
            </p>
          )}
        </>
      ),
    ],
    [texts.status, (game) => <FreshnessTag isStale={game.is_stale} since={game.stale_since} />],
    [texts.syncedColumn, ({ last_synced_at }) => agoOrNever(last_synced_at, at), 'wide-only'],
    [texts.published, ({ published_at }) => agoOrNever(published_at, at), 'wide-only'],
    [texts.sets, ({ set_count }) => count(set_count), 'number wide-only'],
    [texts.cards, ({ card_count }) => count(card_count), 'number wide-only'],
  ]
}

type FreshnessProps = { isStale: boolean; since: string | null }

/** Shows whether the prices of a game are up to date. */
export function FreshnessTag({ isStale, since }: FreshnessProps) {
  if (!isStale) return <span className="tag good">{texts.upToDate}</span>
  return (
    <span className="tag wait">
      {since === null ? texts.neverSynced : texts.outOfDateSince(dayText(since.slice(0, 10)))}
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
      <h2 id="servers">{texts.servers}</h2>
      <div className="table-frame">
        <Table columns={serverColumns(Date.parse(now))} rows={servers} keyOf={({ name }) => name} />
      </div>
    </section>
  )
}

function serverColumns(at: number): Column<Server>[] {
  return [
    [
      texts.server,
      ({ name, started_at, seen_at }) => (
        <>
          {name}
          <p className="small soft narrow-only">
            {texts.upSinceSeen({
              startedAt: dateTimeText(started_at),
              seenAt: agoText(seen_at, at),
            })}
          </p>
        </>
      ),
    ],
    [texts.status, (server) => <ServerTag server={server} />],
    [texts.photoReader, ({ reader }) => reader ?? texts.unknown, 'wide-only'],
    [texts.version, ({ version }) => version, 'wide-only'],
    [texts.upSince, ({ started_at }) => dateTimeText(started_at), 'wide-only'],
    [texts.lastSeen, ({ seen_at }) => agoText(seen_at, at), 'wide-only'],
  ]
}

function ServerTag({ server: { is_silent, reader } }: { server: Server }) {
  if (is_silent) return <span className="tag bad">{texts.notReporting}</span>
  if (reader === 'not ready') return <span className="tag wait">{texts.noPhotos}</span>
  return <span className="tag good">{texts.running}</span>
}

/** Lists the jobs with their last result and next run. */
export function JobsTable({ jobs, now }: Pick<OperatorStatus, 'jobs' | 'now'>) {
  return (
    <section className="stack tight" aria-labelledby="jobs">
      <h2 id="jobs">{texts.jobs}</h2>
      {jobs.length === 0 ? (
        <p className="note">{texts.noJobsTheServerIsStarting}</p>
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
      texts.job,
      ({ name, next_at, server }) => (
        <>
          {name}
          {server !== null && <p className="small soft">{texts.on(server)}</p>}
          {next_at !== null && (
            <p className="small soft narrow-only">{texts.next(agoText(next_at, at))}</p>
          )}
        </>
      ),
    ],
    [texts.lastResult, (job) => <Outcome job={job} />],
    [texts.ended, ({ last_ended_at }) => agoOrNever(last_ended_at, at), 'wide-only'],
    [
      texts.nextColumn,
      ({ next_at }) => (next_at === null ? texts.onRequest : agoText(next_at, at)),
      'wide-only',
    ],
    [texts.runs, ({ runs }) => count(runs), 'number wide-only'],
    [texts.failed, ({ failures }) => count(failures), 'number wide-only'],
  ]
}

function Outcome({ job }: { job: Job }) {
  if (job.is_running) return <span className="tag wait">{texts.running}</span>
  if (job.last_outcome === null) return <span className="tag">{texts.notRun}</span>
  const isDone = job.last_outcome === 'done'
  return (
    <span className={`tag ${isDone ? 'good' : 'bad'}`}>{isDone ? texts.done : texts.failed}</span>
  )
}
