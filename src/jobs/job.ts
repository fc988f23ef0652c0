import { Cron } from 'croner'
import type { Deps } from '#deps.ts'
import { SCHEDULE_TIMEZONE } from '#rules/sync/refresh-schedule.ts'
import type { TakenLease } from '#store/ledger/job-leases.ts'
import type { Fleet } from './fleet.ts'
import type { JobLeases, KeptLease } from './job-leases.ts'

/** A scheduled job of the server. */
export type Job = {
  name: string
  cron: string
  run(): Promise<unknown>
  /** Does what is overdue when the server starts or takes the job over. The status does not count it. */
  catchUp?(): Promise<unknown>
  /** In a fleet, where each server has a catalog file: only the server that leads runs the job, on its own. */
  scope?: 'leader'
  /** Time zone of `cron`; by default that of the syncs. */
  timezone?: string
}

/** Schedules a job; in a fleet, the server that holds its lease runs it. */
export function scheduleJob(deps: Deps, { leases, fleet }: Sharing, job: Job): Cron {
  const { name, cron, catchUp, scope, timezone = SCHEDULE_TIMEZONE } = job
  const options = { name, timezone, protect: true }
  const run = () => runJob(deps, job)
  const runLeased = (lease: KeptLease, dueAt: Date, action: () => Promise<unknown>) =>
    lease.run(dueAt, action).catch((error) => logFailure(deps, name, error))
  let lastDueAt: Date | undefined
  const clock: Cron = new Cron(cron, options, async () => {
    lastDueAt = dueAt ?? deps.now()
    dueAt = clock.nextRun()
    await (lease === undefined ? run() : runLeased(lease, lastDueAt, run))
  })
  let dueAt = clock.nextRun()
  deps.jobs.register(name, () => clock.nextRun() ?? undefined)
  const onTaken = (taken: KeptLease, { begun_for, was_interrupted }: TakenLease) => {
    // A time at which no server had the lease.
    const missedAt = lastDueAt && lastDueAt.getTime() > (begun_for ?? 0) ? lastDueAt : undefined
    if (catchUp !== undefined || was_interrupted || missedAt !== undefined)
      void runLeased(taken, missedAt ?? deps.now(), catchUp ?? run)
  }
  const isEligible = scope === 'leader' ? fleet?.isLeading : undefined
  const lease = leases?.add(name, onTaken, isEligible)
  if (lease === undefined) catchUp?.().catch((error) => logFailure(deps, name, error))
  return clock
}

/** How servers divide the jobs. */
export type Sharing = { leases: JobLeases | undefined; fleet: Fleet | undefined }

function logFailure({ log }: Pick<Deps, 'log'>, job: string, error: unknown): void {
  log.error('job failed', { job, error })
}

/** Runs a job once and records its outcome. Never rejects. */
export async function runJob(deps: Deps, { name, run }: Pick<Job, 'name' | 'run'>): Promise<void> {
  const { jobs, now } = deps
  let outcome: unknown = 'failed'
  jobs.started(name, now())
  try {
    outcome = await run()
  } catch (error) {
    logFailure(deps, name, error)
  } finally {
    jobs.finished(name, now(), outcome === 'failed' ? 'failed' : 'done')
  }
}
