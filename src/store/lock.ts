import { join } from 'node:path'
import { openDatabase } from './db.ts'

/**
 * Takes a lock that all processes on one data folder respect. It is a transaction on a file of its
 * own, so the system lets go of it with the process, however that ends.
 *
 * @returns what gives the lock back; undefined while another process holds it
 */
export function takeLock(dataDir: string, name: string): (() => void) | undefined {
  const db = openDatabase(join(dataDir, `${name}.lock`), { busyTimeoutMs: 100 })
  try {
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    db.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined
    throw error
  }
  return () => {
    db.exec('ROLLBACK')
    db.close()
  }
}
