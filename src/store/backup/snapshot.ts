import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type Db, openDatabase } from '../db.ts'
import { CATALOG_FILE, LEDGER_FILE, shareDataFolder } from '../files/data-folder.ts'
import { syncToDisk } from '../files/durable-files.ts'
import { LEDGER_MIGRATIONS } from '../ledger/migrations.ts'
import { openScanLedger } from '../ledger/scan-ledger.ts'
import { schemaVersion } from '../migrate.ts'
import { type BackupFile, hashFile } from './folder.ts'

export type CopyProgress = (done: number, total: number, name: string) => void

/** Both database files as they were at one moment. */
export type FrozenFiles = {
  /** Schema version of the catalog. */
  catalogSchema: number
  /** Copies the catalog into a folder, checks the copy and ends the read transaction. */
  copyCatalog(folder: string, onProgress: CopyProgress): Promise<BackupFile>
  /** Copies the ledger into a folder, checks the copy and ends the read transaction. */
  copyLedger(folder: string, onProgress: CopyProgress): Promise<BackupFile>
  /** Closes both files. */
  close(): void
}

/**
 * Looks at both files as they are now, and goes on to see them so while others write: the catalog first,
 * so that the ledger has all that the catalog has handed over. (Decision 18 says why that matters.)
 *
 * @throws ServiceError NOT_FOUND where the files are not there
 */
export function openFrozenFiles(dataDir: string, now: () => Date): FrozenFiles {
  for (const name of [CATALOG_FILE, LEDGER_FILE]) {
    if (existsSync(join(dataDir, name))) continue
    throw new ServiceError(
      'NOT_FOUND',
      `There is no ${name} in ${dataDir}. Set DATA_DIR to the folder that is to be backed up.`,
    )
  }
  const release = shareDataFolder(dataDir)
  const catalog = freeze(join(dataDir, CATALOG_FILE), now)
  const ledger = freeze(join(dataDir, LEDGER_FILE), now)
  return {
    catalogSchema: catalog.schema,
    copyCatalog: (folder, onProgress) => copyOf(catalog, folder, onProgress),
    copyLedger: (folder, onProgress) => copyOf(ledger, folder, onProgress),
    close() {
      catalog.db.close()
      ledger.db.close()
      release()
    },
  }
}

type Frozen = { name: string; db: Db; taken_at: string; schema: number }

/**
 * Within a transaction the connection goes on to see what it has read first. Without it every commit of
 * another connection makes the copying begin anew, and under steady writes it never ends.
 */
function freeze(path: string, now: () => Date): Frozen {
  const db = openDatabase(path, { readonly: true })
  // Asked before: all that was there by then is in the copy.
  const taken_at = now().toISOString()
  db.exec('BEGIN')
  const schema = schemaVersion(db)
  return { name: basename(path), db, taken_at, schema }
}

async function copyOf(
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
  // From here on the writers' log can begin anew.
  db.exec('COMMIT')
  checkCopy(path)
  syncToDisk(path)
  return { name, size: statSync(path).size, sha256: hashFile(path), taken_at, schema }
}

/** Between two steps the process can do something else: it is some milliseconds of copying. */
const PAGES_A_STEP = 200
/** All at once, at the end, the disk would be busy for so long that a checkpoint of the server waits. */
const PAGES_A_SYNC = 1_000

/** @throws ServiceError UNAVAILABLE for a copy that is not sound: then the original is not, or a disk */
function checkCopy(path: string): void {
  const copy = openDatabase(path)
  try {
    // One file that can be opened anywhere, instead of one that wants a log beside it.
    copy.pragma('journal_mode = DELETE')
    const found = copy.pragma('quick_check(1)', { simple: true })
    // The first line names the database, which has a name of its own here.
    if (found !== 'ok') throw unsound(path, String(found).split('\n').at(-1) ?? '')
    const strays = copy.pragma('foreign_key_check')
    if (Array.isArray(strays) && strays.length > 0) {
      throw unsound(path, `${strays.length} rows refer to something that is not there`)
    }
  } finally {
    copy.close()
  }
}

function unsound(path: string, fault: string): ServiceError {
  const name = basename(path)
  return new ServiceError(
    'UNAVAILABLE',
    `The copy of ${name} is not sound (${fault}), so there is no backup. Keep those that you have, and look at ${name} in DATA_DIR and at its disk.`,
  )
}

/**
 * Accounts in the copy of a ledger whose balance of scans is not the sum of its entries. The copy is as
 * true as the original all the same; of a schema that this program does not know nothing can be said.
 */
export function countUnbalancedAccounts(folder: string): number {
  const copy = openDatabase(join(folder, LEDGER_FILE), { readonly: true })
  try {
    const schema = schemaVersion(copy)
    return schema === LEDGER_MIGRATIONS.length ? openScanLedger(copy).listUnbalanced().length : 0
  } finally {
    copy.close()
  }
}
