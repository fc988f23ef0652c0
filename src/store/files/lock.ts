import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { ServiceError } from '#rules/primitives/errors.ts'
import { hasErrorCode, storageFault } from '#rules/primitives/system-errors.ts'
import { type Db, openDatabase } from '../db.ts'
import { explainFaults } from './folder-entries.ts'

/**
 * Acquires a lock on a folder that excludes all other processes; undefined while another one holds it. The lock is a
 * transaction on a separate file, so the system releases it when the process ends.
 */
export function acquireLock(dataDir: string, name: string): (() => void) | undefined {
  const path = lockPath(dataDir, name)
  // Opening the file may already conflict with another process that acquires the lock.
  return lockWith('BEGIN IMMEDIATE', path, () => openDatabase(path, { busyTimeoutMs: 100 }))
}

/** Returns true if a lock is held. Does not wait, and creates no file. */
export function isLocked(dataDir: string, name: string): boolean {
  const path = lockPath(dataDir, name)
  if (!existsSync(path)) return false
  const release = lockWith('BEGIN IMMEDIATE', path, () => new Database(path, { timeout: 0 }))
  release?.()
  return release === undefined
}

/** Returns true if any process has ever acquired this lock. */
export function wasEverLocked(dataDir: string, name: string): boolean {
  return existsSync(join(dataDir, `${name}.lock`))
}

/** Acquires a lock that others can share; undefined while it is held exclusively. */
export function acquireSharedLock(dataDir: string, name: string, waitMs: number) {
  // A transaction begins with its first read.
  return lockShared('BEGIN; SELECT count(*) FROM sqlite_schema', lockPath(dataDir, name), waitMs)
}

/** Acquires a shareable lock exclusively; undefined while anybody else holds it. */
export function acquireExclusiveLock(dataDir: string, name: string, waitMs: number) {
  return lockShared('BEGIN EXCLUSIVE', lockPath(dataDir, name), waitMs)
}

/** Opens without a write-ahead log, with which readers and writers would not block each other. */
function lockShared(sql: string, path: string, waitMs: number) {
  return lockWith(sql, path, () => new Database(path, { timeout: waitMs }))
}

function lockPath(dataDir: string, name: string): string {
  return join(dataDir, `${name}.lock`)
}

/** @throws ServiceError UNAVAILABLE if the file cannot be used */
function lockWith(sql: string, path: string, open: () => Db): (() => void) | undefined {
  let db: Db | undefined
  try {
    db = open()
    db.exec(sql)
  } catch (error) {
    db?.close()
    if (hasErrorCode(error, 'SQLITE_BUSY')) return undefined
    if (storageFault(error) === 'damaged') throw damagedLock(path)
    return explainFaults(path, () => {
      throw error
    })
  }
  const held = db
  return () => {
    // Releasing twice is harmless, as with a file.
    if (!held.open) return
    held.exec('ROLLBACK')
    held.close()
  }
}

function damagedLock(path: string): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `${path} is damaged. Stop every program that uses the folder and delete the file: it has no data.`,
  )
}
