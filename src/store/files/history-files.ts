// Files of closed months. A catalog that is published as snapshots does not contain its closed months (decision 36).

import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { mergePoints, packPoints, unpackPoints } from '#rules/pricing/packed-history.ts'
import { hashFile } from '../backup/folder.ts'
import { closedHistoryName, findClosedHistory } from '../catalog/history/closed-history.ts'
import { closedHistory } from '../catalog/schema/pricing.ts'
import { type Db, inTransaction, openDatabase } from '../db.ts'
import { upsertInto } from '../table-sql.ts'
import { CATALOG_FILE } from './data-folder.ts'
import { describeCatalog } from './describe-catalog.ts'
import { renameDurably, syncToDisk } from './durable-files.ts'
import { listFolder } from './folder-entries.ts'
import { locateCatalog } from './snapshot-files.ts'

/** A file of closed months: its hash, which is part of its name, and its size. */
export type HistoryFile = { sha256: string; bytes: number }

/** Returns the folder of these files in a data folder. */
export function historyFolder(dataDir: string): string {
  return join(dataDir, 'history')
}

/** Returns the path of a file of closed months. */
export function locateHistory(dataDir: string, file: Pick<HistoryFile, 'sha256'>): string {
  return join(historyFolder(dataDir), closedHistoryName(file))
}

/** Moves a complete file to the path at which its catalog expects it. */
export function placeHistory(dataDir: string, from: string, file: Pick<HistoryFile, 'sha256'>) {
  mkdirSync(historyFolder(dataDir), { recursive: true, mode: 0o700 })
  renameDurably(from, locateHistory(dataDir, file))
}

/**
 * Moves the closed months of a catalog, and those of its current file, into a new file. This happens when a month is
 * closed; the few points that are added to closed months at other times wait for it. Servers can continue to read:
 * they see each month in one of the two places.
 *
 * Requires the lock of syncs, because nothing else may close a month at the same time.
 */
export function separateClosedMonths(dataDir: string): void {
  const folder = historyFolder(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const db = openDatabase(join(dataDir, CATALOG_FILE), { busyTimeoutMs: WAIT_MS })
  try {
    const known = findClosedHistory(db)
    deleteUnusedHistory(dataDir)
    const added = db.prepare<[], number>('SELECT count(*) FROM history_cold').pluck().get() ?? 0
    if (added <= (known?.series ?? 0) * ADDED_SHARE) return
    const draft = join(folder, DRAFT)
    const series = writeClosedMonths(db, draft, known && locateHistory(dataDir, known))
    const file = { sha256: hashFile(draft), bytes: statSync(draft).size, series }
    placeHistory(dataDir, draft, file)
    inTransaction(db, () => {
      db.prepare(upsertInto(closedHistory)).run({ id: 1, ...file })
      db.exec('DELETE FROM history_cold')
    })
    // Otherwise each snapshot would contain the unused pages of the moved months.
    const count = (name: string) => Number(db.pragma(`main.${name}`, { simple: true }))
    if (count('freelist_count') > count('page_count') * FREE_SHARE) db.exec('VACUUM main')
  } finally {
    db.close()
  }
}

type MergedRow = { series_id: number; older: Uint8Array | null; newer: Uint8Array | null }

/** Writes the months of a file and of `history_cold`. @returns the number of series */
function writeClosedMonths(db: Db, path: string, older: string | undefined): number {
  rmSync(path, { force: true })
  const draft = openDatabase(path)
  try {
    // Nobody reads a draft, and an incomplete one is written again.
    draft.pragma('journal_mode = OFF')
    draft.pragma('synchronous = OFF')
    draft.exec(SCHEMA)
    const put = draft.prepare('INSERT INTO history_cold (series_id, points) VALUES (?, ?)')
    db.prepare('ATTACH ? AS older').run(older ?? ':memory:')
    if (older === undefined) db.exec(SCHEMA.replace('history_cold', 'older.history_cold'))
    const rows = db.prepare<[], MergedRow>(MERGED).iterate()
    return inTransaction(draft, () => {
      let series = 0
      for (const { series_id, older, newer } of rows) {
        const points = [older, newer].flatMap((blob) => (blob === null ? [] : [unpackPoints(blob)]))
        put.run(series_id, packPoints(points.reduce(mergePoints)))
        series++
      }
      return series
    })
  } finally {
    draft.close()
    syncToDisk(path)
  }
}

const SCHEMA = `CREATE TABLE history_cold (series_id INTEGER PRIMARY KEY, points BLOB NOT NULL) STRICT`

/** Both lists are in the order of their keys, so that SQLite merges them without sorting. */
const MERGED = `
  SELECT old.series_id, old.points AS older, new.points AS newer
    FROM older.history_cold old LEFT JOIN main.history_cold new ON new.series_id = old.series_id
  UNION ALL
  SELECT series_id, NULL, points FROM main.history_cold
   WHERE series_id NOT IN (SELECT series_id FROM older.history_cold)
   ORDER BY series_id`

/**
 * Deletes files of closed months that neither the data folder's catalog nor the served one uses. An open file stays
 * readable until it is closed.
 *
 * @param other another file in use
 */
export function deleteUnusedHistory(dataDir: string, other?: HistoryFile): void {
  const folder = historyFolder(dataDir)
  const catalogs = [join(dataDir, CATALOG_FILE), locateCatalog(dataDir, true)].filter(existsSync)
  const used = [other, ...catalogs.map((path) => describeCatalog(path)?.history)]
  const names = used.flatMap((file) => (file === undefined ? [] : [closedHistoryName(file)]))
  for (const name of listFolder(folder)) {
    const isUnused = FINISHED.test(name) && !names.includes(name)
    if (isUnused) rmSync(join(folder, name), { force: true })
  }
}

/** Deletes leftovers of a killed transfer. Only one process fetches at a time. */
export function deleteUnfinishedHistory(dataDir: string): void {
  const folder = historyFolder(dataDir)
  for (const name of listFolder(folder)) {
    if (name.endsWith('.part')) rmSync(join(folder, name), { force: true })
  }
}

const FINISHED = /^[0-9a-f]{16}\.db$/
const DRAFT = 'draft.db'
/** Share of the series from which the months of a file are written again: a closed month has most of them. */
const ADDED_SHARE = 0.1
/** Share of unused pages from which a catalog is rewritten while it is being read. */
const FREE_SHARE = 0.1
/** A sync's last transaction takes seconds. */
const WAIT_MS = 120_000
