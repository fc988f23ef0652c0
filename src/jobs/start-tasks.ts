import type { SyncRequest } from '#actions/sync/publish-games.ts'
import type { Deps } from '#deps.ts'
import { areRatesDue } from '#rules/pricing/rate-schedule.ts'
import type { AlertJob } from './alerts.ts'
import type { Fleet } from './fleet.ts'
import type { ImportOutcome, LedgerTask, Task, TaskWorker, Workers } from './workers.ts'

/** `failed`: the log has the reason. */
type JobOutcome = 'done' | 'failed'

/** Starts one of the worker threads. */
export type Tasks = {
  /** Imports Cardmarket's prices that are due. */
  importCardmarket(): Promise<JobOutcome>
  sync(request: Omit<SyncRequest, 'onProgress'>): Promise<JobOutcome>
  /** Imports older prices from a folder or an archive. */
  importHistory(path: string, signal: AbortSignal): Promise<JobOutcome>
  /** Fetches reference rates unless the newest ones are stored. */
  fetchRates(): Promise<JobOutcome>
  /** Indexes pictures: after each publication, and hourly for pictures that were unavailable. */
  index(): Promise<JobOutcome>
  /** Builds the bulk files: after each publication, and hourly for publications by commands. */
  build(): Promise<JobOutcome>
  backUp(): Promise<JobOutcome>
  /**
   * Publishes a snapshot: after each publication, and hourly for publications by commands and for pictures. Repeated
   * until it succeeds.
   */
  publish(): Promise<JobOutcome>
  /** Deletes expired records, or logs contradictory ones. */
  maintain(work: LedgerTask['work']): Promise<JobOutcome>
  /** Cancels further attempts. */
  close(): void
}

/** Returns true if this server builds bulk files; a replica offers those of its publisher. */
export function hasBulkFilesToBuild({ buildBulkFiles, catalogSource }: Deps['config']): boolean {
  return buildBulkFiles && catalogSource === undefined
}

/** Pause after a failed publication in milliseconds, because the bucket may be unavailable for seconds. */
const PUBLISH_RETRY_MS = 60_000

/** Maximum number of failures that are logged per sync. Its report contains all of them. */
const FAILURES_LOGGED = 5

/** Creates the functions that start worker threads, and the follow-up work when a thread ends. */
export function createTasks(
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

  /** Logs what an import could not read, and starts the tasks that follow a publication. */
  function afterImport(event: string, report: ImportOutcome | undefined): JobOutcome {
    // A thread has its own log, whose errors this process does not see.
    for (const failure of report?.failures.slice(0, FAILURES_LOGGED) ?? []) {
      errors.add(now(), event, failure)
    }
    if (report?.version !== undefined) {
      // Not awaited, because these tasks can take hours, and the next sync may be due earlier.
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
      // A failed sync may have published some games.
      alerts.wake()
      return afterImport('sync could not read', report)
    },
    async importHistory(path, signal) {
      const report = await workers.sync.run({ kind: 'history', path }, signal)
      return afterImport('import could not read', report)
    },
    async importCardmarket() {
      if (deps.config.cardmarketUrl === undefined) return 'done'
      const report = await workers.sync.run({ kind: 'cardmarket', request: { due: true } })
      return afterImport('import could not read', report)
    },
    async fetchRates() {
      const newest = deps.catalog.sources.rates.getNewestDay()
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

/** An action that is repeated a while after each failure. */
export type Retried<Outcome> = {
  /** Runs the action now. Rejects if the action does, but later attempts do not reject. */
  run(): Promise<Outcome>
  /** Cancels further attempts. */
  close(): void
}

/**
 * Repeats an action until it succeeds.
 *
 * @param isFailure returns true if an outcome counts as a failure, like an exception
 * @param pauseMs pause after a failure, in milliseconds
 */
export function retryLater<Outcome>(
  action: () => Promise<Outcome>,
  isFailure: (outcome: Outcome) => boolean,
  pauseMs: number,
): Retried<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function runLater(): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void run().catch(() => undefined), pauseMs)
  }

  async function run(): Promise<Outcome> {
    clearTimeout(timer)
    try {
      const outcome = await action()
      if (isFailure(outcome)) runLater()
      return outcome
    } catch (error) {
      runLater()
      throw error
    }
  }

  return {
    run,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
