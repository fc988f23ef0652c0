import { ServiceError } from '#rules/primitives/errors.ts'
import { finishSwap, isSwapping } from '../backup/restore.ts'
import { acquireExclusiveLock, acquireSharedLock } from './lock.ts'

/** The names of the files in the data folder that cannot be made again. */
export const CATALOG_FILE = 'catalog.db'
export const LEDGER_FILE = 'ledger.db'
export const SECRET_FILE = 'app-secret'

/**
 * Says that the files of a data folder are in use, so that none is restored under somebody's hands. A
 * restore that was killed while it put files in their places is ended first.
 *
 * @returns what says that they no longer are
 * @throws ServiceError UNAVAILABLE while a restore is at it
 */
export function shareDataFolder(dataDir: string): () => void {
  for (;;) {
    const release = acquireSharedLock(dataDir, LOCK, { waitMs: HOLD_WAIT_MS })
    if (release === undefined) throw isBeingRestored()
    if (!isSwapping(dataDir)) return release
    release()
    const finish = acquireExclusiveLock(dataDir, LOCK, { waitMs: HOLD_WAIT_MS })
    if (finish === undefined) throw isBeingRestored()
    try {
      finishSwap(dataDir)
    } finally {
      finish()
    }
  }
}

/**
 * Takes a data folder's files from everybody.
 *
 * @returns what gives them back
 * @throws ServiceError UNAVAILABLE while a server or a command has them open
 */
export function lockDataFolder(dataDir: string): () => void {
  const release = acquireExclusiveLock(dataDir, LOCK, { waitMs: TAKE_WAIT_MS })
  if (release !== undefined) return release
  throw new ServiceError(
    'UNAVAILABLE',
    'A server or a command is running on this data folder. Stop it, and try again.',
  )
}

function isBeingRestored(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'A backup is being restored into this data folder. Wait for it, and try again.',
  )
}

const LOCK = 'files'
/** Of two processes that end the same restore the second waits for the first: some renames. */
const HOLD_WAIT_MS = 5_000
const TAKE_WAIT_MS = 500
