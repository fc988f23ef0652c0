import { ServiceError } from '#rules/primitives/errors.ts'
import { finishSwap, isSwapping } from '../backup/restore.ts'
import { acquireExclusiveLock, acquireSharedLock } from './lock.ts'

/** Files in the data folder that cannot be recreated. */
export const CATALOG_FILE = 'catalog.db'
export const LEDGER_FILE = 'ledger.db'
export const SECRET_FILE = 'app-secret'

/**
 * Marks the files of a data folder as in use, which prevents a restore. Completes a restore that
 * was killed while it moved files.
 *
 * @returns a function that ends the use
 * @throws ServiceError UNAVAILABLE while a restore is running
 */
export function shareDataFolder(dataDir: string): () => void {
  for (;;) {
    const release = acquireSharedLock(dataDir, LOCK, { waitMs: HOLD_WAIT_MS })
    if (release === undefined) throw restoreRunningError()
    if (!isSwapping(dataDir)) return release
    release()
    const finish = acquireExclusiveLock(dataDir, LOCK, { waitMs: HOLD_WAIT_MS })
    if (finish === undefined) throw restoreRunningError()
    try {
      finishSwap(dataDir)
    } finally {
      finish()
    }
  }
}

/**
 * Locks a data folder for exclusive use.
 *
 * @returns a function that releases the lock
 * @throws ServiceError UNAVAILABLE while a server or a command uses the folder
 */
export function lockDataFolder(dataDir: string): () => void {
  const release = acquireExclusiveLock(dataDir, LOCK, { waitMs: TAKE_WAIT_MS })
  if (release !== undefined) return release
  throw new ServiceError(
    'UNAVAILABLE',
    'A server or a command is using this data folder. Stop it and try again.',
  )
}

function restoreRunningError(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'A backup is being restored into this data folder. Try again when it is done.',
  )
}

const LOCK = 'files'
/** Two processes may complete the same restore; the second waits for a few renames. */
const HOLD_WAIT_MS = 5_000
const TAKE_WAIT_MS = 500
