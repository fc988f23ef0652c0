import { isWriteFault, type StorageFault, storageFault } from '#rules/primitives/system-errors.ts'

/** Faults of files during requests. Nothing is stored on disk, because the disk may have failed. */
export type StorageHealth = {
  /**
   * Records the fault of an error, if it is one.
   *
   * @returns the fault, and true if it should be logged: each kind at most once a minute, because the log may be on
   * the same full disk
   */
  record(error: unknown): { fault: StorageFault; isNews: boolean } | undefined
  /** Counts the failed requests by fault, since the process started. */
  counts(): Record<string, number>
  /**
   * Returns true once a damaged page was read. It stays true until the next start, because nothing repairs the page.
   */
  isDamaged(): boolean
  /** Returns true if a write failed within the last seconds. */
  hasFailedWrite(): boolean
}

/** @param clock milliseconds that never run backwards */
export function createStorageHealth(clock: () => number = () => performance.now()): StorageHealth {
  const counts: Record<string, number> = {}
  const loggedAt = new Map<StorageFault, number>()
  let failedWriteAt = Number.NEGATIVE_INFINITY

  return {
    record(error) {
      const fault = storageFault(error)
      if (fault === undefined) return undefined
      counts[fault] = (counts[fault] ?? 0) + 1
      if (isWriteFault(error)) failedWriteAt = clock()
      const isNews = clock() - (loggedAt.get(fault) ?? Number.NEGATIVE_INFINITY) >= LOG_EVERY_MS
      if (isNews) loggedAt.set(fault, clock())
      return { fault, isNews }
    },
    counts: () => ({ ...counts }),
    isDamaged: () => (counts.damaged ?? 0) > 0,
    hasFailedWrite: () => clock() - failedWriteAt < FAILED_WRITE_MS,
  }
}

const LOG_EVERY_MS = 60_000
const FAILED_WRITE_MS = 5_000
