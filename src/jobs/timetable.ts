import { Cron } from 'croner'
import { reconcileBilling, settleSubscriptions } from '#actions/billing/reconcile-billing.ts'
import { refundOverdueScans } from '#actions/photos/maintain-scans.ts'
import { type PaymentSettler, recoverPendingPayments } from '#actions/x402/settle-photo-payment.ts'
import type { Deps } from '#deps.ts'
import { RATES_HOUR, RATES_TIMEZONE } from '#rules/pricing/rate-schedule.ts'
import { CARDMARKET_TIMEZONE } from '#rules/sync/cardmarket/import-schedule.ts'
import { SCHEDULE_TIMEZONE } from '#rules/sync/refresh-schedule.ts'
import type { TakenLease } from '#store/ledger/job-leases.ts'
import type { Fleet } from './fleet.ts'
import type { JobLeases, KeptLease } from './job-leases.ts'
import { hasBulkFilesToBuild, type Tasks } from './start-tasks.ts'

/** A scheduled job of the server. */
export type Job = {
  name: string
  cron: string
  run(): Promise<unknown>
  /** Does overdue work when the server starts or gets the job's lease. Not counted as a run in the status. */
  catchUp?(): Promise<unknown>
  /** In a fleet, only the leader runs the job, because it changes the leader's catalog file. */
  scope?: 'leader'
  /** Time zone of `cron`; by default that of the syncs. */
  timezone?: string
}

/** Lists the enabled jobs. */
export function listJobs(deps: Deps, settler: PaymentSettler, tasks: Tasks): Job[] {
  const { config, stripe, x402 } = deps
  const refund = () => refundOverdueScans(deps)
  const reconcile = () => reconcileBilling(deps)
  const recover = () => recoverPendingPayments(deps, settler)
  const syncDue = () => tasks.sync({ due: true })
  const syncAtStart = () =>
    runJob(deps, { name: SYNC_DUE, run: () => tasks.sync(config.syncOnStart ? {} : { due: true }) })
  const fetchRates = () => runJob(deps, { name: FETCH_RATES, run: tasks.fetchRates })
  const jobs: [isOn: boolean, Job][] = [
    // Hourly, because a server that is off at a certain hour every day would otherwise never purge.
    [true, { name: 'purge the ledger', cron: '30 * * * *', run: () => tasks.maintain('purge') }],
    [
      true,
      {
        name: 'check scan balances',
        cron: '45 4 * * *',
        run: () => tasks.maintain('check balances'),
      },
    ],
    [
      true,
      {
        name: 'check billing records',
        cron: '50 4 * * *',
        run: () => tasks.maintain('check billing'),
      },
    ],
    [true, { name: 'refund overdue scans', cron: '*/5 * * * * *', run: refund, catchUp: refund }],
    [
      true,
      { name: 'settle subscriptions', cron: '* * * * *', run: () => settleSubscriptions(deps) },
    ],
    // Hourly, also at weekends: each hour retries what failed or was not published yet.
    [
      config.exchangeRatesUrl !== undefined,
      {
        ...leaderJob(FETCH_RATES, `${RATES_MINUTE} ${RATES_HOUR}-23 * * *`, tasks.fetchRates),
        catchUp: fetchRates,
        timezone: RATES_TIMEZONE,
      },
    ],
    [stripe !== undefined, { name: 'reconcile billing', cron: '25 * * * *', run: reconcile }],
    [
      x402 !== undefined,
      { name: 'recover photo payments', cron: '* * * * *', run: recover, catchUp: recover },
    ],
    // Also at the start: an earlier run may have been interrupted, the sample may have been loaded, or the networks
    // may have changed.
    [config.indexPictures, leaderJob('index pictures', '15 * * * *', tasks.index)],
    [hasBulkFilesToBuild(config), leaderJob('build bulk files', '40 * * * *', tasks.build)],
    [config.snapshots !== undefined, leaderJob('publish snapshots', '55 * * * *', tasks.publish)],
    // Also at the start, for servers that never run for an hour.
    [config.backups !== undefined, leaderJob('back up', '7 * * * *', tasks.backUp)],
    // A game that is due stays due, so each hour also retries what failed or could not run.
    [
      config.upstreamUrl !== undefined,
      { ...leaderJob(SYNC_DUE, '0 * * * *', syncDue), catchUp: syncAtStart },
    ],
    // Due once a day. Each hour also retries what failed; the minute spreads the requests of installations.
    [
      config.cardmarketUrl !== undefined,
      {
        ...leaderJob(
          'import Cardmarket prices',
          `${randomMinute()} * * * *`,
          tasks.importCardmarket,
        ),
        timezone: CARDMARKET_TIMEZONE,
      },
    ],
  ]
  return jobs.flatMap(([isOn, job]) => (isOn ? [job] : []))
}

/** Creates a job for the leader. It also runs when the server starts or gets the job's lease. */
function leaderJob(name: string, cron: string, run: Job['run']): Job {
  return { name, cron, scope: 'leader', run, catchUp: run }
}

function randomMinute(): number {
  return Math.floor(Math.random() * 60)
}

export const SYNC_DUE = 'sync games that are due'

const FETCH_RATES = 'fetch exchange rates'

/** A random minute, so that many servers do not request the file at the same moment. */
const RATES_MINUTE = 5 + Math.floor(Math.random() * 50)

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
    // A due time was missed because no server had the lease.
    const missedAt = lastDueAt && lastDueAt.getTime() > (begun_for ?? 0) ? lastDueAt : undefined
    if (catchUp !== undefined || was_interrupted || missedAt !== undefined)
      void runLeased(taken, missedAt ?? deps.now(), catchUp ?? run)
  }
  const isEligible = scope === 'leader' ? fleet?.isLeading : undefined
  const lease = leases?.add(name, onTaken, isEligible)
  if (lease === undefined) catchUp?.().catch((error) => logFailure(deps, name, error))
  return clock
}

/** Distribution of the jobs among servers. */
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
