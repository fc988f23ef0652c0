import type { FileImport, FileImportOutcome, StoredImport } from '#rules/collections/file-import.ts'
import type { UploadFile } from '../files/upload-files.ts'
import type { ListKey } from '../ledger/collections/lists.ts'

/** The sync to run: one game by its slug, or all games with new data. */
export type SyncOptions = {
  game?: string
  /** Fetches everything again, and accepts changes that the sanity checks would refuse. */
  force?: boolean
}

/** Number of sets that a sync has read, and the total that it will read. */
export type SyncStep = { done: number; total: number }

/** Runs syncs. */
export type SyncRunner = {
  isRunning(): boolean
  /** Returns true while another server of the fleet runs the syncs. */
  isElsewhere?(): boolean
  /** Starts a sync, and does not wait for its end. */
  start(options: SyncOptions): void
}

/** Connects requests for a sync with the job that runs it. */
export type SyncTrigger = {
  /** Sets the runner; undefined while the process starts or stops. */
  attach(runner: SyncRunner | undefined): void
  /** Returns true while a sync runs. */
  isRunning(): boolean
  /** Starts a sync unless one is running; `elsewhere` if another server runs them, `closed` without a runner. */
  start(options: SyncOptions): 'started' | 'running' | 'elsewhere' | 'closed'
  /** Stores the progress of this server's sync; undefined at its end. */
  putProgress(step: SyncStep | undefined): void
  getProgress(): SyncStep | undefined
}

/** Creates a trigger without a runner. */
export function createSyncTrigger(): SyncTrigger {
  let runner: SyncRunner | undefined
  let progress: SyncStep | undefined

  return {
    attach(next) {
      runner = next
    },
    isRunning: () => runner?.isRunning() === true,
    start(options) {
      if (runner === undefined) return 'closed'
      if (runner.isElsewhere?.() === true) return 'elsewhere'
      if (runner.isRunning()) return 'running'
      runner.start(options)
      return 'started'
    },
    putProgress(step) {
      progress = step
    },
    getProgress: () => progress,
  }
}

/** Runs imports of older prices. */
export type HistoryRunner = {
  /** Returns true while another server of the fleet writes the catalog. */
  isElsewhere(): boolean
  /**
   * Imports a folder or an archive. Resolves when the import has ended, also if it failed.
   *
   * @param signal ends the import soon
   */
  start(path: string, signal: AbortSignal): Promise<unknown>
}

/** Connects requests for an import of older prices with the job that runs it. */
export type HistoryTrigger = {
  /** Sets the runner; undefined while the process starts or stops. */
  attach(runner: HistoryRunner | undefined): void
  /** Starts an import unless one is running; `elsewhere` if another server writes, `closed` without a runner. */
  start(path: string): 'started' | 'running' | 'elsewhere' | 'closed'
  /** Ends the import of this process soon. */
  cancel(): void
  /** Returns the path of the import that runs or waits in this process. */
  getRunning(): string | undefined
}

/** Creates a trigger without a runner. */
export function createHistoryTrigger(): HistoryTrigger {
  let runner: HistoryRunner | undefined
  let running: { path: string; canceling: AbortController } | undefined

  return {
    attach(next) {
      runner = next
    },
    start(path) {
      if (runner === undefined) return 'closed'
      if (runner.isElsewhere()) return 'elsewhere'
      if (running !== undefined) return 'running'
      running = { path, canceling: new AbortController() }
      void runner.start(path, running.canceling.signal).finally(() => {
        running = undefined
      })
      return 'started'
    },
    cancel: () => running?.canceling.abort(),
    getRunning: () => running?.path,
  }
}

/** Values a collection. Resolves when it is done, also if it failed. */
export type ValuationRunner = (key: ListKey) => Promise<unknown>

/** A file for a collection whose body is on disk. */
export type UploadedImport = Omit<FileImport, 'file'> & { file: UploadFile }

/** Work of the thread of imports, before it has the file. */
export type UploadedTask = UploadedImport | StoredImport

/** Runs the imports of collections. */
export type ImportRunner = {
  /** @throws ServiceError TOO_MANY_ATTEMPTS if the account has an import waiting */
  assertRoom(accountId: number): void | Promise<void>
  /**
   * Imports a file, or continues or undoes an import, after those that run or wait.
   *
   * @param signal ends the import
   * @returns undefined if it ended before it was done
   * @throws like `assertRoom`
   */
  run(input: UploadedTask, signal: AbortSignal): Promise<FileImportOutcome | undefined>
}

/** Connects requests for long work with the thread that runs it. */
export type ThreadTrigger<Runner> = {
  /** Sets the runner; undefined while the process starts or stops. */
  attach(runner: Runner | undefined): void
  /** Returns the runner; undefined without one. */
  get(): Runner | undefined
}

/** Creates a trigger without a runner. */
export function createThreadTrigger<Runner>(): ThreadTrigger<Runner> {
  let runner: Runner | undefined
  return {
    attach(next) {
      runner = next
    },
    get: () => runner,
  }
}
