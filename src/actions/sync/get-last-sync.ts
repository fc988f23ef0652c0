import type { Deps } from '#deps.ts'
import { KILLED_REPORT, type SyncRun } from '#store/catalog/sync-log.ts'
import { isLocked, wasEverLocked } from '#store/files/lock.ts'
import type { SyncReport } from './sync-catalog.ts'

type LastSyncDeps = Pick<Deps, 'catalog'> & {
  triggers: Pick<Deps['triggers'], 'sync'>
  config: Pick<Deps['config'], 'dataDir'>
}

/** Returns true while a sync or an import is running, also outside the server. */
export function isSyncRunning({ config, triggers }: Omit<LastSyncDeps, 'catalog'>): boolean {
  if (triggers.sync.isRunning()) return true
  try {
    return isLocked(config.dataDir, 'intake')
  } catch {
    // A lock file that cannot be read must not hide the rest of the status.
    return false
  }
}

/**
 * Returns the last finished run; undefined before the first. A run that neither ended nor is still running was
 * killed, or could not record its end on a full disk, so it has failed.
 */
export function getLastSync(deps: LastSyncDeps): SyncRun | undefined {
  const { syncLog } = deps.catalog
  const run = syncLog.getLast()
  if (run === undefined || run.finished_at !== null) return run
  // Without a lock file, it is unknown whether the run is over.
  const isKnown = wasEverLocked(deps.config.dataDir, 'intake')
  if (!isKnown || isSyncRunning(deps)) return syncLog.getLastFinished()
  // The run may have ended between the two reads.
  const ended = syncLog.getLast()
  if (ended?.finished_at != null) return ended
  const report = JSON.stringify(KILLED_REPORT)
  return { ...run, finished_at: run.started_at, outcome: 'failed', report }
}

/** Parses the report of a run. Older versions did not count internal errors, and killed runs count nothing. */
export function parseSyncReport({ report }: SyncRun): SyncReport {
  // sync-catalog.ts has written this text, so its shape is known.
  const parsed = JSON.parse(report) as Omit<SyncReport, 'internal_errors' | 'failures'>
  return { internal_errors: 0, failures: [], ...parsed }
}
