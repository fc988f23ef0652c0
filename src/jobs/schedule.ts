import { Cron } from 'croner'
import { reconcileBilling, settleSubscriptions } from '#actions/billing/reconcile-billing.ts'
import { checkBooks } from '#actions/billing/report-billing.ts'
import { purgeLedger } from '#actions/operations/purge-ledger.ts'
import { checkScanBalances, refundOverdueScans } from '#actions/photos/maintain-scans.ts'
import type { SyncRequest } from '#actions/sync/sync-catalog.ts'
import { recoverPendingPayments } from '#actions/x402/recover-payments.ts'
import { createPaymentSettler, type PaymentSettler } from '#actions/x402/settle-photo-payment.ts'
import type { Deps } from '#deps.ts'
import { REFRESH_SCHEDULE, SCHEDULE_TIMEZONE } from '#rules/sync/refresh-schedule.ts'
import { type AlertJob, startAlerts } from './alerts.ts'
import { type BackupWorker, createBackupWorker } from './backups.ts'
import { type BulkWorker, createBulkWorker } from './bulk-files.ts'
import { createPictureWorker, type PictureWorker } from './pictures.ts'
import type { SyncWorker } from './sync-worker.ts'

type Job = { name: string; cron: string; run(): Promise<unknown> }

/** Whether it came to its end; where it did not, the log says why. */
type JobOutcome = 'done' | 'failed'

/** Brings up to date what is made of a catalog after it was published. */
type PostPublishTask = () => Promise<JobOutcome>
type Sync = (request: Omit<SyncRequest, 'onProgress'>) => Promise<JobOutcome>

/** Every job of the server: name, cron line, what it does. */
function listJobs(
  deps: Deps,
  settler: PaymentSettler,
  sync: Sync,
  index: PostPublishTask,
  build: PostPublishTask,
  backUp: PostPublishTask,
): Job[] {
  const { indexPictures, buildBulkFiles, upstreamUrl, backups } = deps.config
  const { stripe } = deps
  const ledger = [
    { name: 'tidy the ledger', cron: '30 4 * * *', run: () => purgeLedger(deps) },
    { name: 'check the balances of scans', cron: '45 4 * * *', run: () => checkScanBalances(deps) },
    { name: 'check the books of billing', cron: '50 4 * * *', run: () => checkBooks(deps) },
    { name: 'give back overdue scans', cron: '* * * * *', run: () => refundOverdueScans(deps) },
    { name: 'settle subscriptions', cron: '* * * * *', run: () => settleSubscriptions(deps) },
  ]
  const payments = {
    name: 'settle photos that were read',
    cron: '* * * * *',
    run: () => recoverPendingPayments(deps, settler),
  }
  // For pictures that were not to be had when their cards came.
  const pictures = { name: 'index the pictures', cron: '15 * * * *', run: index }
  const billing = {
    name: 'reconcile billing',
    cron: '25 * * * *',
    run: () => reconcileBilling(deps),
  }
  // For a catalog that a command changed.
  const bulkFiles = { name: 'make the bulk files', cron: '40 * * * *', run: build }
  const backup = { name: 'back up', cron: '7 * * * *', run: backUp }
  const syncs = REFRESH_SCHEDULE.map(({ priority, cron }) => ({
    name: `sync games of priority ${priority}`,
    cron,
    run: () => sync({ due: [priority] }),
  }))
  return [
    ...ledger,
    ...(stripe === undefined ? [] : [billing]),
    ...(deps.x402 === undefined ? [] : [payments]),
    ...(indexPictures ? [pictures] : []),
    ...(buildBulkFiles ? [bulkFiles] : []),
    ...(backups === undefined ? [] : [backup]),
    ...(upstreamUrl === undefined ? [] : syncs),
  ]
}

/** Puts one job on the clock. */
function startJob(deps: Deps, { cron, ...job }: Job): Cron {
  const options = { name: job.name, timezone: SCHEDULE_TIMEZONE, protect: true }
  const clock = new Cron(cron, options, () => runJob(deps, job))
  deps.jobs.register(job.name, () => clock.nextRun() ?? undefined)
  return clock
}

/** Runs a job once, and keeps what becomes of it. Never rejects. */
async function runJob(
  { jobs, log, now }: Deps,
  { name, run }: Pick<Job, 'name' | 'run'>,
): Promise<void> {
  let end: unknown = 'failed'
  jobs.started(name, now())
  try {
    end = await run()
  } catch (error) {
    log.error('job failed', { job: name, error })
  } finally {
    jobs.finished(name, now(), end === 'failed' ? 'failed' : 'done')
  }
}

const SYNC_ON_REQUEST = 'sync on request'

/** Of one sync; all of them are in its report. */
const FAILURES_LOGGED = 5

/** A thread that failed reports nothing. */
function outcomeOf(report: object | undefined): JobOutcome {
  return report === undefined ? 'failed' : 'done'
}

/** Starts the jobs, and catches up what was missed while the server was not running. */
export function startJobs(
  deps: Deps,
  syncWorker: SyncWorker,
  pictures: PictureWorker = createPictureWorker(deps),
  bulk: BulkWorker = createBulkWorker(deps),
  alerts: AlertJob = startAlerts(deps),
  backups: BackupWorker = createBackupWorker(deps),
) {
  const { config, log } = deps
  const index: PostPublishTask = async () => {
    // One that is running finds what came meanwhile, before it ends.
    if (!config.indexPictures || pictures.isRunning()) return 'done'
    return outcomeOf(await pictures.run({ kind: 'index' }))
  }
  const build: PostPublishTask = async () => {
    // One that is running begins anew when the catalog changes.
    if (!config.buildBulkFiles || bulk.isRunning()) return 'done'
    return outcomeOf(await bulk.run({ kind: 'build' }))
  }
  const backUp: PostPublishTask = async () => {
    if (config.backups === undefined || backups.isRunning()) return 'done'
    return outcomeOf(await backups.run({ kind: 'backup' }))
  }
  const sync: Sync = async (request) => {
    const report = await syncWorker.run({ kind: 'sync', request })
    // The thread has a log of its own, which this process does not see.
    for (const failure of report?.failures.slice(0, FAILURES_LOGGED) ?? []) {
      deps.errors.add(deps.now(), 'sync could not read', failure)
    }
    // One that failed may have published some games.
    alerts.wake()
    if (report?.version !== undefined) {
      // Not awaited: they can take hours, and the next sync is due before.
      void index()
      void build()
    }
    return report?.outcome === 'complete' ? 'done' : 'failed'
  }
  const settling = createPaymentSettler(deps)
  const jobs = listJobs(deps, settling, sync, index, build, backUp).map((job) =>
    startJob(deps, job),
  )
  refundOverdueScans(deps).catch((error) => log.error('scans not given back', { error }))
  if (deps.x402 !== undefined) {
    recoverPendingPayments(deps, settling).catch((error) =>
      log.error('photos not settled', { error }),
    )
  }
  if (config.upstreamUrl === undefined) {
    log.info('sync is off', { reason: 'UPSTREAM_URL is not set' })
  } else {
    deps.jobs.register(SYNC_ON_REQUEST)
    deps.syncTrigger.attach({
      isRunning: syncWorker.isRunning,
      start: (wish) => void runJob(deps, { name: SYNC_ON_REQUEST, run: () => sync(wish) }),
    })
    const request = config.syncOnStart
      ? {}
      : { due: REFRESH_SCHEDULE.map(({ priority }) => priority) }
    void sync(request)
  }
  // What an earlier run left, the sample that has just been loaded, or other networks than before.
  void index()
  void build()
  // Of a server that is started for less than an hour at a time, too.
  void backUp()
  return {
    /**
     * Begins nothing any more; it is over when the messages under way are sent, or left to somebody
     * else. Threads that work end with the process.
     */
    async close(): Promise<void> {
      deps.syncTrigger.attach(undefined)
      for (const job of jobs) job.stop()
      settling.close().catch((error) => log.error('payments not left', { error }))
      await alerts.close()
    },
  }
}
