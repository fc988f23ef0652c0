import { join } from 'node:path'
import { type Db, openDatabase } from './db.ts'

/**
 * Takes a lock that all processes on one data folder respect. It is a transaction on a file of its
 * own, so the system lets go of it with the process, however that ends.
 *
 * @returns what gives the lock back; undefined while another process holds it
 */
export function takeLock(dataDir: string, name: string): (() => void) | undefined {
  let db: Db | undefined
  try {
    // Opening it can already meet the others, on their way to the same lock.
    db = openDatabase(join(dataDir, `${name}.lock`), { busyTimeoutMs: 100 })
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    db?.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined
    throw error
  }
  const held = db
  return () => {
    held.exec('ROLLBACK')
    held.close()
  }
}
