import type { ScheduledBackupReport } from '#actions/operations/back-up.ts'
import type { FetchedSnapshot } from '#actions/operations/fetch-snapshot.ts'
import type { PackReport, RebaseReport } from '#actions/operations/lead-catalog.ts'
import type { SnapshotReport } from '#actions/operations/publish-snapshot.ts'
import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import type { BulkReport } from '#actions/pricing/build-bulk-files.ts'
import type { RatesReport } from '#actions/pricing/import-rates.ts'
import type { ImportRequest } from '#actions/sync/cardmarket/import-cardmarket.ts'
import type { SyncRequest } from '#actions/sync/publish-games.ts'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { createFairQueue } from '#concurrency/fair-queue.ts'
import type { Config } from '#config.ts'
import type { Deps } from '#deps.ts'
import type { Snapshot } from '#rules/operations/snapshot-list.ts'
import type { SearchPostings } from '#store/catalog/search/search-postings.ts'
import type { ListKey } from '#store/ledger/collections/lists.ts'
import type { CatalogVersion } from '#store/ledger/fleet/postgres-catalog-versions.ts'
import type { SyncStep } from '#store/memory/sync-trigger.ts'
import { createImportWorker, type ImportWorker } from './import-worker.ts'

export type SyncTask =
  | { kind: 'sync'; request: Omit<SyncRequest, 'onProgress'> }
  | { kind: 'sample'; folder: string }
  | { kind: 'cardmarket'; request: Omit<ImportRequest, 'onProgress'> }
  /** Imports older prices from a folder or an archive. */
  | { kind: 'history'; path: string }
/** Fetches reference rates. */
export type RatesTask = { kind: 'rates' }

/** The common part of the reports of tasks that write the catalog. */
export type ImportOutcome = Pick<SyncReport, 'outcome' | 'failures' | 'version'>

export type IndexTask = { kind: 'index' }
export type BulkTask = { kind: 'build' }
export type BackupTask = { kind: 'backup' }
/** Reads the search index of the served catalog file, or of another file, into memory. */
export type SearchTask = { kind: 'search'; path?: string }
/** Uploads the catalog to the bucket. */
export type PublishTask = { kind: 'publish' }
/** Creates the next version of a fleet from the active one, and uploads it to the bucket. */
export type PackTask = { kind: 'pack'; base: CatalogVersion | undefined }
/** Replaces this server's working copy by the newest version of its fleet. */
export type RebaseTask = { kind: 'rebase'; newest: CatalogVersion }
/** Fetches a snapshot from the bucket. */
export type FetchTask = { kind: 'fetch'; snapshot: Snapshot }
/** Values one collection, or all whose prices are outdated. */
export type ValueTask = { kind: 'value'; collection: ListKey | undefined }
export type LedgerTask = { kind: 'ledger'; work: 'purge' | 'check balances' | 'check billing' }

/** Errors that the task has logged, and the first of them. */
export type LedgerReport = { errors: number; first: { event: string; facts: object }[] }

/** Number of valued collections. */
export type ValueReport = { collections: number }

/** All tasks that run in worker threads. */
export type Task =
  | SyncTask
  | RatesTask
  | IndexTask
  | BulkTask
  | BackupTask
  | SearchTask
  | PublishTask
  | PackTask
  | RebaseTask
  | FetchTask
  | ValueTask
  | LedgerTask

/** Runs tasks of one kind, one at a time, each in a new thread. */
export type TaskWorker<Run extends Task, Report> = {
  /**
   * Runs a task after those that are running or waiting. A task equal to a waiting one shares its run.
   *
   * @param signal asks the task to end soon, which only imports of older prices do
   * @returns the report; undefined if the task failed (see the log)
   */
  run(task: Run, signal?: AbortSignal): Promise<Report | undefined>
  /** Returns true while a task runs or waits. */
  isRunning(): boolean
}

/** The worker threads of the server. */
export type Workers = {
  /** Writes the catalog. */
  sync: TaskWorker<SyncTask, ImportOutcome>
  /** Fetches reference rates; separate from `sync`, so that it does not count as a sync. */
  rates: TaskWorker<RatesTask, RatesReport>
  /** Indexes card pictures; separate from `sync`, because a run can take hours. */
  pictures: TaskWorker<IndexTask, IndexReport>
  /** Builds the bulk files. */
  bulk: TaskWorker<BulkTask, BulkReport>
  /** Creates the scheduled backups. */
  backups: TaskWorker<BackupTask, ScheduledBackupReport>
  /** Reads the search index; separate from `sync`, which triggers it. */
  search: TaskWorker<SearchTask, SearchPostings>
  /** Publishes snapshots of the catalog. */
  publishing: TaskWorker<PublishTask, SnapshotReport>
  /** Creates the versions of a fleet. */
  packing: TaskWorker<PackTask, PackReport>
  /** Prepares the catalog of a server that leads its fleet. */
  rebasing: TaskWorker<RebaseTask, RebaseReport>
  /** Fetches snapshots of the catalog. */
  fetching: TaskWorker<FetchTask, FetchedSnapshot>
  /** Values collections. */
  collections: TaskWorker<ValueTask, ValueReport>
  /** Imports files into collections. */
  imports: ImportWorker
  /** Deletes and checks records if that would take too long between requests. */
  ledger: TaskWorker<LedgerTask, LedgerReport>
}

export function createWorkers(
  deps: Pick<Deps, 'config' | 'log' | 'catalog' | 'ledger' | 'now' | 'serverName' | 'triggers'>,
): Workers {
  const { catalog, triggers } = deps
  return {
    sync: createTaskWorker('sync', deps, {
      onProgress: triggers.sync.putProgress,
      onEnd() {
        triggers.sync.putProgress(undefined)
        catalog.publication.refresh()
      },
    }),
    rates: createTaskWorker('exchange rates', deps, { onEnd: catalog.publication.refresh }),
    pictures: createTaskWorker('picture index', deps),
    bulk: createTaskWorker('bulk files', deps),
    backups: createTaskWorker('backup', deps),
    search: createTaskWorker('search index', deps, {
      summarize: ({ words, documents }) => ({ bytes: words.length + documents.byteLength }),
    }),
    publishing: createTaskWorker('snapshot', deps),
    packing: createTaskWorker('snapshot', deps),
    rebasing: createTaskWorker('snapshot', deps),
    fetching: createTaskWorker('snapshot', deps),
    collections: createTaskWorker('collection', deps),
    imports: createImportWorker(deps),
    ledger: createTaskWorker('ledger', deps),
  }
}

/** The message that starts a thread. */
export type TaskRequest = { kind: 'run'; config: Config; task: Task }

/** A message to a thread: `cancel` asks its task to end. */
export type TaskMessage = TaskRequest | { kind: 'cancel' }

/** A message of a thread: `done` or `failed` is its last one. */
export type TaskResponse<Report> =
  | { kind: 'progress'; step: SyncStep }
  | { kind: 'done'; report: Report }
  | { kind: 'failed'; reason: string }

type Options<Report> = {
  onEnd?(): void
  onProgress?(step: SyncStep): void
  summarize?(report: Report): object
}

/**
 * When the server stops, a running thread ends with the process, which does not damage its files. Terminating the
 * thread earlier could interrupt a call of SQLite and abort the process (Bun 1.4.5: a fatal error of the native
 * interface, in one of some 150 stops).
 *
 * @param name for the log
 * @param summarize returns the part of a report for the log; by default the whole report
 */
function createTaskWorker<Run extends Task, Report extends object>(
  name: string,
  deps: Pick<Deps, 'config' | 'log'>,
  { onEnd = () => {}, onProgress = () => {}, summarize = (report) => report }: Options<Report> = {},
): TaskWorker<Run, Report> {
  const { log } = deps

  async function runTask(task: Run, signal?: AbortSignal): Promise<Report | undefined> {
    log.info(`${name} task started`, { task: task.kind })
    const report = await runInThread(task, signal)
    if (report !== undefined)
      log.info(`${name} task ended`, { task: task.kind, ...summarize(report) })
    return report
  }

  function runInThread(task: Run, signal?: AbortSignal): Promise<Report | undefined> {
    const worker = new Worker(new URL('./task-thread.ts', import.meta.url))
    const cancel = () => {
      const message: TaskMessage = { kind: 'cancel' }
      worker.postMessage(message)
    }
    return new Promise<Report | undefined>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<TaskResponse<Report>>) => {
        if (data.kind === 'progress') return onProgress(data.step)
        if (data.kind === 'failed') log.error(`${name} task failed`, { reason: data.reason })
        resolve(data.kind === 'done' ? data.report : undefined)
      }
      worker.onerror = ({ message }) => {
        log.error(`${name} thread failed`, { reason: message })
        resolve(undefined)
      }
      worker.addEventListener('close', () => resolve(undefined))
      const request: TaskRequest = { kind: 'run', config: deps.config, task }
      worker.postMessage(request)
      if (signal?.aborted === true) cancel()
      signal?.addEventListener('abort', cancel)
    }).finally(() => {
      signal?.removeEventListener('abort', cancel)
      worker.terminate()
      onEnd()
    })
  }

  return runOneAtATime(runTask)
}

/**
 * Runs tasks one at a time. A task equal to a waiting one shares its run, so the queue is never longer than the
 * number of different tasks.
 */
export function runOneAtATime<Run extends Task, Report>(
  run: (task: Run, signal?: AbortSignal) => Promise<Report | undefined>,
): TaskWorker<Run, Report> {
  const queue = createFairQueue<Run>({ atOnce: 1 })
  const reports = new WeakMap<Run, Promise<Report | undefined>>()

  return {
    run(task, signal) {
      const same = queue.waiting().find((other) => Bun.deepEquals(other, task))
      const shared = same && reports.get(same)
      if (shared !== undefined) return shared
      // A copy, because the caller may pass the same task again.
      const job = { ...task }
      const report = queue.run(job, () => run(job, signal))
      reports.set(job, report)
      return report
    },
    isRunning: () => queue.runningCount() > 0,
  }
}
