// Versions of the catalog of a fleet, in a file that no server reads yet.

import { nextTimestamp } from '#rules/primitives/days.ts'
import { openVersionWriter } from './catalog/publication.ts'
import { type Db, inTransaction, openDatabase } from './db.ts'
import { syncToDisk } from './files/durable-files.ts'
import { explainDatabase } from './files/inspect-database.ts'

/**
 * Sets the time of a version to its activation, so that a client that requests the changes since an earlier response
 * gets everything that became visible after it. Does nothing if the file has a later version.
 */
export function settleVersion(path: string, version: number, activateAt: number): void {
  write(path, (db) => setMoment(db, version, activateAt))
}

/** Does the same for a fetched file, which must be opened without a log beside it. */
export function settleSnapshot(path: string, version: number, activateAt: number): void {
  write(path, (db) => setMoment(db, version, activateAt), 'DELETE')
  syncToDisk(path)
}

/**
 * Turns an earlier version into the successor of a later one, or of itself. All rows count as changed, because
 * clients that follow changes have the rows of the later version.
 *
 * @param replaced the later version, and the time of its activation
 */
export function succeedVersion(
  path: string,
  replaced: { version: number; activateAt: number },
  now: Date,
): void {
  write(
    path,
    (db) => {
      const { version, activateAt } = replaced
      const known = db.prepare<[], number>('SELECT max(changed_at) FROM versions').pluck()
      const next = version + 1
      const moment = nextTimestamp(Math.max(known.get() ?? 0, activateAt), now)
      const add = db.prepare('INSERT OR IGNORE INTO versions (version, changed_at) VALUES (?, ?)')
      // If the file is that of the replaced version, it already has this row.
      add.run(version, activateAt)
      add.run(next, moment)
      for (const table of ['sets', 'cards', 'prices']) {
        db.prepare(`UPDATE ${table} SET updated_in = ?`).run(next)
      }
      db.prepare('UPDATE publication SET version = ?, changed_at = ?').run(
        next,
        new Date(moment).toISOString(),
      )
      // The servers have already sent these alerts.
      db.exec('DELETE FROM alert_outbox')
    },
    'DELETE',
  )
}

function setMoment(db: Db, version: number, activateAt: number): void {
  const moment = new Date(activateAt).toISOString()
  db.prepare('UPDATE versions SET changed_at = ? WHERE version = ?').run(activateAt, version)
  db.prepare('UPDATE publication SET changed_at = ? WHERE version = ?').run(moment, version)
}

/** Begins a version without changed rows, for the picture index, which is not part of publications. */
export function startVersion(path: string, now: Date): void {
  write(path, (db) => {
    const versions = openVersionWriter(db)
    versions.put(versions.next(), now, '')
  })
}

function write(path: string, change: (db: Db) => void, journal = 'WAL'): void {
  explainDatabase(path, () => {
    const db = openDatabase(path, { busyTimeoutMs: WAIT_MS })
    try {
      inTransaction(db, () => change(db))
      db.pragma(`journal_mode = ${journal}`)
    } finally {
      db.close()
    }
  })
}

/** A sync's last transaction takes seconds. */
const WAIT_MS = 120_000
