import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { hasErrorCode } from '#rules/primitives/system-error-code.ts'
import { type Db, openDatabase } from '../db.ts'

/**
 * Takes a lock that all processes on one data folder respect. It is a transaction on a file of its
 * own, so the system lets go of it with the process, however that ends.
 *
 * @returns what gives the lock back; undefined while another process holds it
 */
export function acquireLock(dataDir: string, name: string): (() => void) | undefined {
  return lockBy('BEGIN IMMEDIATE', () =>
    // Opening it can already meet the others, on their way to the same lock.
    openDatabase(join(dataDir, `${name}.lock`), { busyTimeoutMs: 100 }),
  )
}

/** Whether anybody has a lock now. It is asked without waiting, and makes no file. */
export function isLocked(dataDir: string, name: string): boolean {
  const path = join(dataDir, `${name}.lock`)
  if (!existsSync(path)) return false
  const release = lockBy('BEGIN IMMEDIATE', () => new Database(path, { timeout: 0 }))
  release?.()
  return release === undefined
}

/**
 * Takes a lock that any number of processes and threads share, and that nobody has alone meanwhile.
 *
 * @returns what gives it back; undefined while somebody has it alone
 */
export function acquireSharedLock(
  dataDir: string,
  name: string,
  { waitMs }: { waitMs: number },
): (() => void) | undefined {
  // A transaction begins with its first read.
  return lockBy('BEGIN; SELECT count(*) FROM sqlite_schema', () =>
    openShared(dataDir, name, waitMs),
  )
}

/**
 * Takes a shared lock alone.
 *
 * @returns what gives it back; undefined while anybody else has it
 */
export function acquireExclusiveLock(
  dataDir: string,
  name: string,
  { waitMs }: { waitMs: number },
): (() => void) | undefined {
  return lockBy('BEGIN EXCLUSIVE', () => openShared(dataDir, name, waitMs))
}

/** Not through `openDatabase`: with a write-ahead log readers and writers would not see each other. */
function openShared(dataDir: string, name: string, waitMs: number): Db {
  return new Database(join(dataDir, `${name}.lock`), { timeout: waitMs })
}

function lockBy(sql: string, open: () => Db): (() => void) | undefined {
  let db: Db | undefined
  try {
    db = open()
    db.exec(sql)
  } catch (error) {
    db?.close()
    if (hasErrorCode(error, 'SQLITE_BUSY')) return undefined
    throw error
  }
  const held = db
  return () => {
    // As with a file, whoever closes twice does no harm.
    if (!held.open) return
    held.exec('ROLLBACK')
    held.close()
  }
}
