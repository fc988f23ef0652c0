import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { ServiceError } from '#rules/primitives/errors.ts'
import { finishSwap, isSwapping } from '../backup/restore.ts'
import { acquireExclusiveLock, acquireSharedLock } from './lock.ts'

/** Files in the data folder that cannot be recreated. */
export const CATALOG_FILE = 'catalog.db'
export const LEDGER_FILE = 'ledger.db'
export const SECRET_FILE = 'app-secret'

/** Name in a backup of the file with the catalog's closed months. */
export const HISTORY_FILE = 'history.db'

/** The ledger's file during and after a move from or to PostgreSQL. */
export const MOVING_LEDGER_FILE = 'ledger-moving.db'
export const MOVED_LEDGER_FILE = 'ledger-moved.db'

/**
 * Marks a data folder as in use, and completes a restore that was killed while it moved files.
 * @throws ServiceError UNAVAILABLE while a restore is running
 */
export function shareDataFolder(dataDir: string): () => void {
  for (;;) {
    const release = checkLock(acquireSharedLock(dataDir, LOCK, HOLD_WAIT_MS), RESTORING)
    if (!isSwapping(dataDir)) return release
    release()
    const finish = checkLock(acquireExclusiveLock(dataDir, LOCK, HOLD_WAIT_MS), RESTORING)
    try {
      finishSwap(dataDir)
    } finally {
      finish()
    }
  }
}

/** Locks a folder exclusively. @throws ServiceError UNAVAILABLE while a server or command uses it */
export function lockDataFolder(dataDir: string): () => void {
  return checkLock(acquireExclusiveLock(dataDir, LOCK, TAKE_WAIT_MS), IN_USE)
}

function checkLock(release: (() => void) | undefined, message: string): () => void {
  if (release === undefined) throw new ServiceError('UNAVAILABLE', message)
  return release
}

/**
 * Lets one process at a time create and migrate the files.
 * @throws ServiceError UNAVAILABLE if another one takes longer than a large migration
 */
export function lockPreparation(dataDir: string): () => void {
  return checkLock(acquireExclusiveLock(dataDir, 'prepare', PREPARE_WAIT_MS), PREPARING)
}

const PREPARING = 'Another program is preparing this data folder. Try again when it is done.'
const PREPARE_WAIT_MS = 120_000

const IN_USE = 'A server or a command is using this data folder. Stop it and try again.'
const RESTORING = 'A backup is being restored into this data folder. Try again when it is done.'
const LOCK = 'files'
/** Two processes may complete the same restore; the second one waits for a few renames. */
const HOLD_WAIT_MS = 5_000
const TAKE_WAIT_MS = 500

/**
 * Identifies a data folder to other processes on this machine without revealing its name; undefined if it does not
 * exist.
 *
 * @param salt salt of the process that sends the question or the answer
 */
export function folderFingerprint(dataDir: string, salt: string): string | undefined {
  const folder = statSync(dataDir, { bigint: true, throwIfNoEntry: false })
  if (folder === undefined) return undefined
  return createHash('sha256').update(`${salt} ${folder.dev} ${folder.ino}`).digest('hex')
}
