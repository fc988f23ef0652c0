import { constants, copyFileSync, existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { findClosedHistory } from '../catalog/history/closed-history.ts'
import { CATALOG_MIGRATIONS } from '../catalog/migrations.ts'
import { type Db, openDatabase } from '../db.ts'
import { CATALOG_FILE, HISTORY_FILE, LEDGER_FILE, shareDataFolder } from '../files/data-folder.ts'
import { syncToDisk } from '../files/durable-files.ts'
import { type HistoryFile, locateHistory } from '../files/history-files.ts'
import { openSqliteEngine } from '../ledger/engine/sqlite-engine.ts'
import { LEDGER_MIGRATIONS } from '../ledger/migrations.ts'
import { openScanLedger } from '../ledger/scan-ledger.ts'
import { assertBaseline, type Migration, schemaVersion, schemaVersionAfter } from '../migrate.ts'
import { type BackupFile, hashFile } from './folder.ts'

export type CopyProgress = (done: number, total: number, name: string) => void

/** The database files in their state at one moment. */
export type FrozenFiles = {
  /** Schema version of the catalog. */
  catalogSchema: number
  /** Copies the catalog into a folder, checks the copy and ends the read transaction. */
  copyCatalog(folder: string, onProgress: CopyProgress): Promise<BackupFile>
  /** File with the closed months of the catalog; undefined if the catalog has all months itself. */
  history: HistoryFile | undefined
  /** Copies that file into a folder, and checks the copy. */
  copyHistory(folder: string): BackupFile | undefined
  /** Copies the ledger into a folder, like the catalog; undefined if it is in a shared database. */
  copyLedger(folder: string, onProgress: CopyProgress): Promise<BackupFile | undefined>
  /** Closes the files. */
  close(): void
}

/**
 * Opens a snapshot of the files, which later writes do not change. The catalog comes first, so that the ledger has
 * every alert that the catalog has already passed on (decision 18).
 *
 * @param isLedgerShared true if the ledger is a database of several servers
 * @throws ServiceError NOT_FOUND if a file does not exist; UNAVAILABLE if an unreleased program wrote it
 */
export function openFrozenFiles(
  dataDir: string,
  now: () => Date,
  isLedgerShared = false,
): FrozenFiles {
  for (const name of isLedgerShared ? [CATALOG_FILE] : [CATALOG_FILE, LEDGER_FILE]) {
    if (existsSync(join(dataDir, name))) continue
    throw new ServiceError(
      'NOT_FOUND',
      `${name} not found in ${dataDir}. Set DATA_DIR to the folder to back up.`,
    )
  }
  const release = shareDataFolder(dataDir)
  const catalog = freeze(join(dataDir, CATALOG_FILE), CATALOG_MIGRATIONS, now)
  const history = findClosedHistory(catalog.db)
  const ledger = isLedgerShared
    ? undefined
    : freeze(join(dataDir, LEDGER_FILE), LEDGER_MIGRATIONS, now)
  return {
    catalogSchema: catalog.schema,
    copyCatalog: (folder, onProgress) => copyDatabase(catalog, folder, onProgress),
    history,
    copyHistory: (folder) =>
      history && copyHistory(dataDir, history, { folder, taken_at: catalog.taken_at }),
    copyLedger: async (folder, onProgress) => ledger && copyDatabase(ledger, folder, onProgress),
    close() {
      catalog.db.close()
      ledger?.db.close()
      release()
    },
  }
}

type Frozen = { name: string; db: Db; taken_at: string; schema: number }

/** Begins a read transaction, without which every commit by others would restart the copy. */
function freeze(path: string, migrations: readonly Migration[], now: () => Date): Frozen {
  const db = openDatabase(path, { readonly: true })
  assertBaseline(db, migrations)
  // Read first, so that everything committed by then is in the copy.
  const taken_at = now().toISOString()
  db.exec('BEGIN')
  const schema = schemaVersion(db)
  return { name: basename(path), db, taken_at, schema }
}

async function copyDatabase(
  { name, db, taken_at, schema }: Frozen,
  folder: string,
  onProgress: CopyProgress,
): Promise<BackupFile> {
  const path = join(folder, name)
  let syncedPages = 0
  await db.backup(path, {
    progress({ totalPages, remainingPages }) {
      const done = totalPages - remainingPages
      if (done - syncedPages >= PAGES_A_SYNC) {
        syncToDisk(path)
        syncedPages = done
      }
      onProgress(done, totalPages, name)
      return PAGES_A_STEP
    },
  })
  // Lets writers restart the log.
  db.exec('COMMIT')
  checkCopy(path)
  syncToDisk(path)
  return { name, size: statSync(path).size, sha256: hashFile(path), taken_at, schema }
}

/** The file never changes, so it needs no transaction. */
function copyHistory(
  dataDir: string,
  file: HistoryFile,
  { folder, taken_at }: { folder: string; taken_at: string },
): BackupFile {
  const path = join(folder, HISTORY_FILE)
  copyFileSync(locateHistory(dataDir, file), path, constants.COPYFILE_FICLONE)
  syncToDisk(path)
  const sha256 = hashFile(path)
  if (sha256 !== file.sha256) throw corruptedError(path, 'its SHA-256 differs')
  return { name: HISTORY_FILE, size: statSync(path).size, sha256, taken_at, schema: null }
}

/** Pages per step, which takes some milliseconds; other work can run between two steps. */
const PAGES_A_STEP = 200
/** Pages per sync, because a single sync at the end would delay the server's checkpoints. */
const PAGES_A_SYNC = 1_000

/** @throws ServiceError UNAVAILABLE if the copy is corrupted, because the original or a disk is then damaged, too */
function checkCopy(path: string): void {
  const copy = openDatabase(path)
  try {
    // Makes the copy a single file without a log beside it.
    copy.pragma('journal_mode = DELETE')
    const found = copy.pragma('quick_check(1)', { simple: true })
    // The first line names the database, which has another name here.
    if (found !== 'ok') throw corruptedError(path, String(found).split('\n').at(-1) ?? '')
    const dangling = copy.pragma('foreign_key_check')
    if (Array.isArray(dangling) && dangling.length > 0) {
      throw corruptedError(path, `${dangling.length} rows refer to missing rows`)
    }
  } finally {
    copy.close()
  }
}

function corruptedError(path: string, fault: string): ServiceError {
  const name = basename(path)
  return new ServiceError(
    'UNAVAILABLE',
    `The copy of ${name} is corrupted (${fault}), so no backup was made. Keep the backups you have, and check ${name} in DATA_DIR and its disk.`,
  )
}

/** Counts accounts in a copied ledger whose balance does not equal its sum; 0 if the schema is unknown. */
export async function countUnbalancedAccounts(folder: string): Promise<number> {
  const copy = openDatabase(join(folder, LEDGER_FILE), { readonly: true })
  try {
    if (schemaVersion(copy) !== schemaVersionAfter(LEDGER_MIGRATIONS)) return 0
    const engine = openSqliteEngine(copy)
    return (await engine.query(openScanLedger(engine).listUnbalanced())).length
  } finally {
    copy.close()
  }
}
