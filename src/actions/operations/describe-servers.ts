import type { Deps } from '#deps.ts'
import type { JobStatus } from '#store/memory/job-status.ts'
import type { RecentError } from '#store/memory/recent-errors.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { findPortOwner } from './claim-port.ts'

/** State of a server, for the page of any of them. Times are ISO 8601, or null. */
export type ServerState = {
  reader: ReturnType<typeof readerState>
  jobs: ReturnType<typeof jobStatus>[]
  errors: ReturnType<typeof errorStatus>[]
}

/** A server. The state of a server with another version is not shown. */
export type ServerDescription = {
  /** Null for a server with its own ledger. */
  name: string | null
  version: string
  startedAt: Date
  /** Milliseconds since its last report; 0 for this server. */
  ageMs: number
  state: ServerState | undefined
}

type DescribedDeps = Pick<
  Deps,
  'config' | 'reader' | 'jobs' | 'errors' | 'serverName' | 'startedAt' | 'ledger' | 'now'
>

/** Describes this server. */
export function describeServer(deps: DescribedDeps) {
  const { jobs, errors, ledger, serverName, startedAt } = deps
  return {
    name: ledger.shared === undefined ? null : serverName,
    version: packageJson.version,
    startedAt,
    ageMs: 0,
    state: {
      reader: readerState(deps),
      jobs: jobs.list().map(jobStatus),
      errors: errors.list().map(errorStatus),
    },
  } satisfies ServerDescription
}

/** Describes this server first, then those that share its ledger and reported within a day. */
export async function describeServers(deps: DescribedDeps): Promise<ServerDescription[]> {
  const own = describeServer(deps)
  const reports = (await deps.ledger.shared?.serverReports.list(deps.now())) ?? []
  const others = reports
    .filter(({ name }) => name !== own.name)
    .map(({ name, version, started_at, age_ms, state }) => ({
      name,
      version,
      startedAt: new Date(started_at),
      ageMs: age_ms,
      // This version has written the text, so its shape is known.
      state: version === own.version ? (JSON.parse(state) as ServerState) : undefined,
    }))
  return [own, ...others]
}

/** Stores the state of this server for the other ones. */
export async function reportServer(deps: DescribedDeps): Promise<void> {
  const { version, startedAt, state } = describeServer(deps)
  const report = {
    name: deps.serverName,
    version,
    started_at: startedAt.getTime(),
    state: JSON.stringify(state),
  }
  await deps.ledger.shared?.serverReports.put(report, deps.now())
}

/** A server reports every 5 s; after this time without a report it may have been killed. */
export const SILENT_MS = 30_000

/**
 * Returns true if a server currently uses this ledger: one that has reported, or the one on the port in these
 * settings.
 */
export async function isServerRunning({
  config,
  ledger,
  now,
}: Pick<Deps, 'config' | 'ledger' | 'now'>): Promise<boolean> {
  if (ledger.shared !== undefined) {
    const reports = await ledger.shared.serverReports.list(now())
    return reports.some(({ age_ms }) => age_ms <= SILENT_MS)
  }
  return (await findPortOwner(config))?.hasSameFolder === true
}

/** Merges the jobs of all servers. Each has the outcome of its last run, and the server that ran it. */
export function mergeJobs(servers: readonly ServerDescription[]) {
  const runs = servers.flatMap(({ name: server, ageMs, state }) =>
    (state?.jobs ?? []).map((job) => ({
      ...job,
      // A killed server runs nothing.
      is_running: job.is_running && ageMs <= SILENT_MS,
      next_at: ageMs <= SILENT_MS ? job.next_at : null,
      server: job.last_started_at === null ? null : server,
    })),
  )
  return [...Map.groupBy(runs, ({ name }) => name).values()].map((same) => {
    const last = same.reduce((a, b) => (later(a, b, 'last_started_at') ? a : b))
    const ended = same.reduce((a, b) => (later(a, b, 'last_ended_at') ? a : b))
    const nexts = same.flatMap(({ next_at }) => next_at ?? []).toSorted()
    return {
      ...last,
      is_running: same.some(({ is_running }) => is_running),
      runs: sumOf(same, 'runs'),
      failures: sumOf(same, 'failures'),
      last_ended_at: ended.last_ended_at,
      last_outcome: ended.last_outcome,
      next_at: nexts[0] ?? null,
    }
  })
}

/** Lists the errors of all servers, newest first. */
export function mergeErrors(servers: readonly ServerDescription[]) {
  return servers
    .flatMap(({ name: server, state }) =>
      (state?.errors ?? []).map((error) => ({ ...error, server })),
    )
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, ERRORS_MAX)
}

const ERRORS_MAX = 50

type JobState = ServerState['jobs'][number]

function later(a: JobState, b: JobState, time: 'last_started_at' | 'last_ended_at'): boolean {
  return (a[time] ?? '') >= (b[time] ?? '')
}

function sumOf(jobs: readonly JobState[], count: 'runs' | 'failures'): number {
  return jobs.reduce((sum, job) => sum + job[count], 0)
}

/** Returns the state of a server's photo reader. */
export function readerState({ config, reader }: Pick<Deps, 'config' | 'reader'>) {
  if (config.identifyWorkers === 0 && config.photoWorkers === undefined) return 'off' as const
  return reader.state().ready ? ('ready' as const) : ('not ready' as const)
}

function jobStatus(job: JobStatus) {
  const { last_success_at: success, last_failure_at: failure } = job
  const isFailure = failure !== undefined && (success === undefined || failure > success)
  const ended = isFailure ? failure : success
  const outcome = isFailure ? ('failed' as const) : ('done' as const)
  return {
    name: job.name,
    is_running: job.running_since !== undefined,
    runs: job.runs,
    failures: job.failures,
    last_started_at: formatTime(job.last_started_at),
    last_ended_at: formatTime(ended),
    last_outcome: ended === undefined ? null : outcome,
    next_at: formatTime(job.next_at),
  }
}

function errorStatus({ at, event, message, request_id }: RecentError) {
  return { at: at.toISOString(), event, message, request_id: request_id ?? null }
}

function formatTime(time: Date | undefined): string | null {
  return time?.toISOString() ?? null
}
