import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DatabaseState,
  describeInstallationFault,
  findInstallationFault,
  type InstallationFault,
  type InstallationFile,
  type InstallationState,
} from '#rules/operations/installation.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { CATALOG_MIGRATIONS } from '../catalog/migrations.ts'
import { type Db, openDatabase } from '../db.ts'
import { LEDGER_MIGRATIONS } from '../ledger/migrations.ts'
import { assertOwnSchema, hasNoTables, type Migration, migrate } from '../migrate.ts'
import { CATALOG_FILE, LEDGER_FILE, lockDataFolder } from './data-folder.ts'
import { writeDurably } from './durable-files.ts'
import { explainFaults, INSTALLATION_FILE, readIfExists } from './folder-entries.ts'
import { explainDatabase } from './inspect-database.ts'

/**
 * Checks that the files in a data folder belong together, without changing any.
 *
 * @param shared the ledger if it is a database of several servers
 * @throws ServiceError UNAVAILABLE naming a file that is lost, foreign, damaged or newer, and the remedy
 */
export function assertInstallation(dataDir: string, shared?: DatabaseState): void {
  const text = inspectInstallation(dataDir, shared)
  if (text !== undefined) throw new ServiceError('UNAVAILABLE', text)
}

/**
 * Explains which file is lost or foreign; undefined if all belong together.
 * @throws ServiceError UNAVAILABLE for a file that is damaged or newer
 */
export function inspectInstallation(dataDir: string, shared?: DatabaseState): string | undefined {
  const fault = findInstallationFault(readInstallation(dataDir, shared))
  return fault && describeInstallationFault(dataDir, fault, shared !== undefined)
}

/** Stores the id of the installation in every part that lacks it, in the order that a later start expects. */
export function completeInstallation(
  dataDir: string,
  catalog: Db,
  ledger: Db | DatabaseState,
): void {
  const files = 'name' in ledger ? [ledger, catalog] : [catalog]
  const shared = 'id' in ledger ? ledger.id : null
  const known = files.map((db) => explainDatabase(db.name, () => readId(db)))
  const id = [shared, ...known].find((found) => found !== null) ?? randomUUID()
  for (const db of files) {
    explainDatabase(db.name, () => readId(db) === null && writeId(db, id))
  }
  if (readFolderId(dataDir) !== id) writeDurably(join(dataDir, INSTALLATION_FILE), `${id}\n`)
}

/**
 * Accepts a file that does not belong to the others: a lost database is created empty, a foreign one gets the others'
 * id.
 *
 * @param shared the ledger if it is a database of several servers
 * @returns true if the file was created
 * @throws ServiceError VALIDATION_ERROR if there is nothing to accept; UNAVAILABLE while the folder is in use
 */
export function adoptFile(
  dataDir: string,
  file: InstallationFile,
  shared?: DatabaseState,
): boolean {
  const release = lockDataFolder(dataDir)
  try {
    const state = readInstallation(dataDir, shared)
    const fault = assertFault(dataDir, file, state)
    const { catalog, ledger, folderId } = state
    const other = file === LEDGER_FILE ? catalog.id : ledger.id
    if (file === 'app-secret') {
      writeDurably(join(dataDir, INSTALLATION_FILE), `${ledger.id ?? randomUUID()}\n`)
    } else {
      writeDatabase(join(dataDir, file), file, folderId ?? other ?? randomUUID())
    }
    return fault.fault === 'lost'
  } finally {
    release()
  }
}

/**
 * Returns the id that a shared ledger must get to belong to the files in this folder.
 *
 * @throws ServiceError VALIDATION_ERROR if it already has it
 */
export function findIdToAdopt(dataDir: string, shared: DatabaseState): string {
  const state = readInstallation(dataDir, shared)
  assertFault(dataDir, LEDGER_FILE, state)
  return state.folderId ?? state.catalog.id ?? randomUUID()
}

function assertFault(
  dataDir: string,
  file: InstallationFile,
  state: InstallationState,
): InstallationFault {
  const fault = findInstallationFault(state)
  if (fault?.file === file) return fault
  const isShared = state.ledger.isShared === true
  const hint = fault === undefined ? '' : ` ${describeInstallationFault(dataDir, fault, isShared)}`
  throw new ServiceError('VALIDATION_ERROR', `${file} already belongs to the other files.${hint}`)
}

/** Opens and migrates one of the two files. @throws ServiceError naming the file if that fails */
export function openMigrated(
  dataDir: string,
  name: 'catalog.db' | 'ledger.db',
  waitMs: number,
): Db {
  const path = join(dataDir, name)
  if (name === CATALOG_FILE) return openMigratedCatalog(path, waitMs)
  return openWith(path, waitMs, LEDGER_MIGRATIONS)
}

/** Opens and migrates a catalog file with any name. @throws ServiceError naming the file if that fails */
export function openMigratedCatalog(path: string, waitMs: number): Db {
  return openWith(path, waitMs, CATALOG_MIGRATIONS)
}

function openWith(path: string, waitMs: number, migrations: readonly Migration[]): Db {
  return explainDatabase(path, () => {
    const db = openDatabase(path, { busyTimeoutMs: waitMs })
    try {
      migrate(db, migrations)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })
}

function writeDatabase(path: string, name: 'catalog.db' | 'ledger.db', id: string): void {
  // SQLite would replay the log of a missing file.
  if (!existsSync(path)) for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
  const db = openMigrated(join(path, '..'), name, ADOPT_WAIT_MS)
  explainDatabase(path, () => writeId(db, id))
  db.close()
}

const ADOPT_WAIT_MS = 5_000

function readInstallation(dataDir: string, shared?: DatabaseState): InstallationState {
  const catalog = readDatabase(join(dataDir, CATALOG_FILE), CATALOG_MIGRATIONS, (db) => {
    const isPublished = db
      .prepare<[], number>('SELECT published_at IS NOT NULL FROM publication')
      .pluck()
    return { isEmpty: false, id: readId(db), isPublished: isPublished.get() === 1 }
  })
  const ledger =
    shared ??
    readDatabase<DatabaseState>(join(dataDir, LEDGER_FILE), LEDGER_MIGRATIONS, (db) => ({
      isEmpty: false,
      id: readId(db),
    }))
  return {
    catalog: catalog ?? { ...EMPTY, isPublished: false },
    ledger: ledger ?? EMPTY,
    folderId: readFolderId(dataDir),
  }
}

const EMPTY: DatabaseState = { isEmpty: true, id: null }

/** @returns undefined if the file is missing or has no tables */
function readDatabase<State>(
  path: string,
  migrations: readonly Migration[],
  read: (db: Db) => State,
): State | undefined {
  // Not opened, because SQLite would delete the log beside an empty file.
  if (!existsSync(path) || statSync(path).size === 0) return undefined
  assertLog(`${path}-wal`)
  return explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true })
    try {
      assertWhole(db, path)
      if (hasNoTables(db)) return undefined
      assertOwnSchema(db, migrations)
      return read(db)
    } finally {
      db.close()
    }
  })
}

/**
 * SQLite reads a truncated last page as if it ended in zeros. Pages in the log need not be in the file.
 *
 * @throws ServiceError for a file that is shorter than its pages
 */
function assertWhole(db: Db, path: string): void {
  const pages = Number(db.pragma('page_count', { simple: true }))
  const bytes = pages * Number(db.pragma('page_size', { simple: true }))
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (log > 0 || statSync(path).size >= bytes) return
  throw new ServiceError(
    'UNAVAILABLE',
    `${path} is damaged: its end is missing. Stop the server and restore a backup with "bun run restore".`,
  )
}

/** @throws ServiceError for a file that is not a log, which SQLite would silently replace */
function assertLog(path: string): void {
  explainFaults(path, () => {
    const file = readIfExists(() => openSync(path, 'r'), 'ENOENT')
    if (file === undefined) return
    try {
      const head = Buffer.alloc(4)
      const length = readSync(file, head)
      // After a power cut, a log may consist of zeros.
      const isLog = length < 4 || WAL_HEADS.includes(head.readUInt32BE())
      if (isLog) return
    } finally {
      closeSync(file)
    }
    throw new ServiceError(
      'UNAVAILABLE',
      `${path} is not a write-ahead log of SQLite. Put the right file back or restore a backup with "bun run restore"; without it, the last changes are lost.`,
    )
  })
}

/** First bytes of a log, in either byte order of its checksums (sqlite.org/fileformat2.html#walformat). */
const WAL_HEADS = [0, 0x377f0682, 0x377f0683]

/** @returns null without an id */
function readId(db: Db): string | null {
  return db.prepare<[], string>('SELECT id FROM installation').pluck().get() ?? null
}

function writeId(db: Db, id: string): void {
  db.transaction(() => {
    db.exec('DELETE FROM installation')
    db.prepare<[string]>('INSERT INTO installation (id) VALUES (?)').run(id)
  }).immediate()
}

/** @returns undefined before the first start, and after a restore */
export function readFolderId(dataDir: string): string | undefined {
  const path = join(dataDir, INSTALLATION_FILE)
  const text = explainFaults(path, () => readIfExists(() => readFileSync(path, 'utf8'), 'ENOENT'))
  if (text === undefined) return undefined
  // A truncated id would make all other files look foreign.
  if (/^[0-9a-f-]{36}\n$/.test(text)) return text.trim()
  throw new ServiceError(
    'UNAVAILABLE',
    `${path} does not contain an id. Delete it: the next start writes it again.`,
  )
}
