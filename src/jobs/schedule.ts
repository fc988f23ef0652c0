import { Cron } from 'croner'
import { reconcileBilling, settleSubscriptions } from '#actions/billing/reconcile-billing.ts'
import { refundOverdueScans } from '#actions/photos/maintain-scans.ts'
import type { SyncRequest } from '#actions/sync/sync-catalog.ts'
import { recoverPendingPayments } from '#actions/x402/recover-payments.ts'
import { createPaymentSettler, type PaymentSettler } from '#actions/x402/settle-photo-payment.ts'
import type { Deps } from '#deps.ts'
import { areRatesDue, RATES_TIMEZONE } from '#rules/pricing/rate-schedule.ts'
import { CARDMARKET_TIMEZONE } from '#rules/sync/cardmarket/import-schedule.ts'
import { SCHEDULE_TIMEZONE } from '#rules/sync/refresh-schedule.ts'
import type { TakenLease } from '#store/ledger/job-leases.ts'
import type { SyncRunner } from '#store/memory/sync-trigger.ts'
import { type AlertJob, startAlerts } from './alerts.ts'
import { type Fleet, joinFleet } from './fleet.ts'
import { createJobLeases, type JobLeases, type KeptLease } from './job-leases.ts'
import { startReplica } from './replica.ts'
import { retryLater } from './retry.ts'
import { startServerReporter } from './server-reporter.ts'
import { followStoredSettings } from './stored-settings.ts'
import { followSyncRequests, type RequestedSyncs } from './sync-requests.ts'
import {
  createWorkers,
  type ImportOutcome,
  type LedgerTask,
  type Task,
  type TaskWorker,
  type Workers,
} from './workers.ts'

/** The jobs of a server that is running. */
export type Jobs = {
  /**
   * Starts nothing any more. Resolves once the deliveries under way have ended or are released. Worker
   * threads end with the process.
   */
  close(): Promise<void>
}

type Job = {
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

/** `failed`: the log has the reason. */
type JobOutcome = 'done' | 'failed'

/** Starts one of the worker threads. */
type Tasks = {
  /** Imports the prices of Cardmarket that are due. */
  importCardmarket(): Promise<JobOutcome>
  sync(request: Omit<SyncRequest, 'onProgress'>): Promise<JobOutcome>
  /** Fetches reference rates unless the newest ones are stored. */
  fetchRates(): Promise<JobOutcome>
  /** After each publication, and hourly for pictures that were unavailable. */
  index(): Promise<JobOutcome>
  /** After each publication, and hourly for what a command published. */
  build(): Promise<JobOutcome>
  backUp(): Promise<JobOutcome>
  /** After each publication, and hourly for what a command published and for pictures. It is tried until it succeeds. */
  publish(): Promise<JobOutcome>
  /** Deletes records that have expired, or logs records that contradict each other. */
  maintain(work: LedgerTask['work']): Promise<JobOutcome>
  /** Tries nothing again. */
  close(): void
}

/** Every scheduled job of the server. */
function listJobs(deps: Deps, settler: PaymentSettler, tasks: Tasks): Job[] {
  const { indexPictures, upstreamUrl, syncOnStart, backups, snapshots } = deps.config
  const { cardmarketUrl, exchangeRatesUrl } = deps.config
  const refund = () => refundOverdueScans(deps)
  const always: Job[] = [
    // Every hour: a server that is always off at one hour of the day would never purge.
    { name: 'purge the ledger', cron: '30 * * * *', run: () => tasks.maintain('purge') },
    {
      name: 'check scan balances',
      cron: '45 4 * * *',
      run: () => tasks.maintain('check balances'),
    },
    {
      name: 'check billing records',
      cron: '50 4 * * *',
      run: () => tasks.maintain('check billing'),
    },
    { name: 'refund overdue scans', cron: '*/5 * * * * *', run: refund, catchUp: refund },
    { name: 'settle subscriptions', cron: '* * * * *', run: () => settleSubscriptions(deps) },
  ]
  const reconcile = () => reconcileBilling(deps)
  const recover = () => recoverPendingPayments(deps, settler)
  const syncDue = () => tasks.sync({ due: true })
  const syncAtStart = () =>
    runJob(deps, { name: SYNC_DUE, run: () => tasks.sync(syncOnStart ? {} : { due: true }) })
  const optional: [isOn: boolean, Job][] = [
    [deps.stripe !== undefined, { name: 'reconcile billing', cron: '25 * * * *', run: reconcile }],
    [
      deps.x402 !== undefined,
      { name: 'recover photo payments', cron: '* * * * *', run: recover, catchUp: recover },
    ],
    // At once after an earlier run that was interrupted, a sample that was just loaded, or other networks.
    [
      indexPictures,
      {
        ...{ name: 'index pictures', cron: '15 * * * *', scope: 'leader' },
        ...{ run: tasks.index, catchUp: tasks.index },
      },
    ],
    [
      hasBulkFilesToBuild(deps.config),
      {
        ...{ name: 'build bulk files', cron: '40 * * * *', scope: 'leader' },
        ...{ run: tasks.build, catchUp: tasks.build },
      },
    ],
    [
      snapshots !== undefined,
      {
        ...{ name: 'publish snapshots', cron: '55 * * * *', scope: 'leader' },
        ...{ run: tasks.publish, catchUp: tasks.publish },
      },
    ],
    // At once also for a server that never runs for an hour.
    [
      backups !== undefined,
      {
        ...{ name: 'back up', cron: '7 * * * *', scope: 'leader' },
        ...{ run: tasks.backUp, catchUp: tasks.backUp },
      },
    ],
    // A game that is due stays due, so each hour also retries what failed or could not run.
    [
      upstreamUrl !== undefined,
      { name: SYNC_DUE, cron: '0 * * * *', scope: 'leader', run: syncDue, catchUp: syncAtStart },
    ],
    // Due once a day. Each hour also retries what failed; the minute spreads the requests of installations.
    [
      cardmarketUrl !== undefined,
      {
        ...{ name: 'import Cardmarket prices', cron: `${randomMinute()} * * * *`, scope: 'leader' },
        ...{ timezone: CARDMARKET_TIMEZONE },
        ...{ run: tasks.importCardmarket, catchUp: tasks.importCardmarket },
      },
    ],
  ]
  const fetchRates = () => runJob(deps, { name: FETCH_RATES, run: tasks.fetchRates })
  if (exchangeRatesUrl !== undefined) {
    // Hourly, also at the weekend: each hour retries what failed or was not published yet.
    const cron = `${RATES_MINUTE} 16-23 * * *`
    always.push({
      ...{ name: FETCH_RATES, cron, timezone: RATES_TIMEZONE, scope: 'leader' },
      ...{ run: tasks.fetchRates, catchUp: fetchRates },
    })
  }
  return [...always, ...optional.flatMap(([isOn, job]) => (isOn ? [job] : []))]
}

function randomMinute(): number {
  return Math.floor(Math.random() * 60)
}

function scheduleJob(deps: Deps, { leases, fleet }: Sharing, job: Job): Cron {
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
type Sharing = { leases: JobLeases | undefined; fleet: Fleet | undefined }

function logFailure({ log }: Pick<Deps, 'log'>, job: string, error: unknown): void {
  log.error('job failed', { job, error })
}

/** Runs a job once and records its outcome. Never rejects. */
async function runJob(deps: Deps, { name, run }: Pick<Job, 'name' | 'run'>): Promise<void> {
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

/** Tells if this server builds bulk files: a replica offers those of its publisher. */
function hasBulkFilesToBuild({ buildBulkFiles, catalogSource }: Deps['config']): boolean {
  return buildBulkFiles && catalogSource === undefined
}

const SYNC_DUE = 'sync games that are due'

const FETCH_RATES = 'fetch exchange rates'

/** A minute of this process alone, so that many servers do not request the file at the same moment. */
const RATES_MINUTE = 5 + Math.floor(Math.random() * 50)

const SYNC_ON_REQUEST = 'sync on request'

/** Pause after a publication that failed, in milliseconds: the bucket may be away for seconds. */
const PUBLISH_RETRY_MS = 60_000

/** Per sync; its report has all of them. */
const FAILURES_LOGGED = 5

function createTasks(
  deps: Deps,
  workers: Workers,
  { alerts, fleet }: { alerts: AlertJob; fleet: Fleet | undefined },
): Tasks {
  const { errors, log, now } = deps
  const start = <Run extends Task>(
    isOn: (config: Deps['config']) => boolean,
    worker: TaskWorker<Run, object>,
    task: Run,
  ) => {
    return async (): Promise<JobOutcome> => {
      if (!isOn(deps.config)) return 'done'
      return (await worker.run(task)) === undefined ? 'failed' : 'done'
    }
  }
  const index = start((config) => config.indexPictures, workers.pictures, { kind: 'index' })
  const build = start(hasBulkFilesToBuild, workers.bulk, { kind: 'build' })
  const publishAlone = start((config) => config.snapshots !== undefined, workers.publishing, {
    kind: 'publish',
  })
  const publishing = retryLater(
    async (): Promise<JobOutcome> => {
      if (fleet === undefined) return publishAlone()
      await fleet.publish()
      return 'done'
    },
    (outcome) => outcome === 'failed',
    PUBLISH_RETRY_MS,
  )
  const publish = publishing.run

  /** Notes what an import could not read, and starts what follows a publication. */
  function afterImport(event: string, report: ImportOutcome | undefined): JobOutcome {
    // A thread writes a log of its own, which this process does not see.
    for (const failure of report?.failures.slice(0, FAILURES_LOGGED) ?? []) {
      errors.add(now(), event, failure)
    }
    if (report?.version !== undefined) {
      // Not awaited: these can take hours, and the next sync is due before.
      publish().catch((error) => log.error('failed to publish the catalog', { error }))
      void index()
      void build()
      void workers.collections.run({ kind: 'value', collection: undefined })
    }
    return report?.outcome === 'complete' ? 'done' : 'failed'
  }

  return {
    index,
    build,
    publish,
    close: publishing.close,
    backUp: start((config) => config.backups !== undefined, workers.backups, { kind: 'backup' }),
    async sync(request) {
      if (deps.config.upstreamUrl === undefined) return 'done'
      const report = await workers.sync.run({ kind: 'sync', request })
      // A sync that failed may have published some games.
      alerts.wake()
      return afterImport('sync could not read', report)
    },
    async importCardmarket() {
      if (deps.config.cardmarketUrl === undefined) return 'done'
      const report = await workers.sync.run({ kind: 'cardmarket', request: { due: true } })
      return afterImport('import could not read', report)
    },
    async fetchRates() {
      const newest = deps.catalog.exchangeRates.getNewestDay()
      if (deps.config.exchangeRatesUrl === undefined || !areRatesDue(newest, now())) return 'done'
      const report = await workers.rates.run({ kind: 'rates' })
      if (report !== undefined && report.changed > 0) {
        publish().catch((error) => log.error('failed to publish the catalog', { error }))
      }
      return report === undefined ? 'failed' : 'done'
    },
    async maintain(work) {
      const report = await workers.ledger.run({ kind: 'ledger', work })
      for (const { event, facts } of report?.first ?? []) errors.add(now(), event, facts)
      return report === undefined ? 'failed' : 'done'
    },
  }
}

/** Reads the search index into memory whenever documents change. Until then, SQLite answers. */
function keepSearchInMemory(
  { catalog: { publication, search } }: Pick<Deps, 'catalog'>,
  worker: Workers['search'],
): void {
  const read = async () => {
    const index = await worker.run({ kind: 'search' })
    if (index !== undefined) search.useInMemory(index)
  }
  // Otherwise the first look would count as a change.
  publication.refresh()
  publication.onChange(() => {
    // Prices do not change the documents.
    if (search.isInMemory()) return
    search.useInMemory(undefined)
    void read()
  })
  void read()
}

/** Starts the jobs, and catches up on runs that were missed while the server was stopped. */
export function startJobs(
  deps: Deps,
  workers: Workers = createWorkers(deps),
  alerts?: AlertJob,
  leases: JobLeases | undefined = createJobLeases(deps),
): Jobs {
  const { log, syncTrigger } = deps
  const sending = leases?.add('send alerts')
  const sender = alerts ?? startAlerts(deps, sending && { isElected: sending.isHeld })
  const publish = () =>
    runJob(deps, { name: 'publish snapshots', run: async () => void (await tasks.publish()) })
  const fleet: Fleet | undefined = joinFleet(deps, workers, leases, {
    onLeading: () => void publish(),
    onTakenOver() {
      sender.wake()
      if (fleet?.isLeading() !== true) return
      void tasks.build()
      // The catalog may have changed while this version was pending.
      void publish()
    },
  })
  const tasks = createTasks(deps, workers, { alerts: sender, fleet })
  const settler = createPaymentSettler(deps)
  deps.valuations.attach((collection) => workers.collections.run({ kind: 'value', collection }))
  deps.imports.attach((input) => workers.imports.run({ kind: 'import', input }))
  const sharing = { leases, fleet }
  const jobs = new Map<string, Cron>()
  let requests: RequestedSyncs | undefined

  function offerSyncs(): void {
    deps.jobs.register(SYNC_ON_REQUEST)
    const runner: SyncRunner = {
      isRunning: workers.sync.isRunning,
      isElsewhere: () => fleet?.isLeading() === false,
      start: (options) =>
        void runJob(deps, { name: SYNC_ON_REQUEST, run: () => tasks.sync(options) }),
    }
    syncTrigger.attach(runner)
    if (fleet !== undefined) requests = followSyncRequests(deps, runner)
  }

  /** Schedules the jobs that the settings turn on. A job that they turn off again does nothing. */
  function arrange(): void {
    for (const job of listJobs(deps, settler, tasks)) {
      if (jobs.has(job.name)) continue
      jobs.set(job.name, scheduleJob(deps, sharing, job))
      if (job.name === SYNC_DUE) offerSyncs()
    }
  }

  arrange()
  if (!jobs.has(SYNC_DUE)) log.info('sync is off', { reason: 'no mirror is set' })
  deps.liveConfig.onChange(arrange)
  const settings = followStoredSettings(deps)
  keepSearchInMemory(deps, workers.search)
  const reporter = startServerReporter(deps)
  const replica = startReplica(deps, workers, sender.wake)
  return {
    async close() {
      syncTrigger.attach(undefined)
      deps.valuations.attach(undefined)
      deps.imports.attach(undefined)
      settings.close()
      for (const job of jobs.values()) job.stop()
      tasks.close()
      settler.close().catch((error) => log.error('failed to release payment leases', { error }))
      await sender.close()
      await requests?.close()
      await leases?.close()
      await reporter?.close()
      await replica?.close()
      await fleet?.close()
    },
  }
}
