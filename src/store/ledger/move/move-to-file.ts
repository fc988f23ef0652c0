import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type Db, openDatabase } from '../../db.ts'
import { LEDGER_FILE, MOVING_LEDGER_FILE } from '../../files/data-folder.ts'
import { renameDurably, syncToDisk } from '../../files/durable-files.ts'
import { explainFaults } from '../../files/folder-entries.ts'
import { readFolderId } from '../../files/installation.ts'
import { assertSchema, migrate } from '../../migrate.ts'
import { LEDGER_MIGRATIONS } from '../migrations.ts'
import { comparePostgresSteps } from '../postgres-migrations.ts'
import { compareTable } from './compare-ledgers.ts'
import { assertAlone, withDatabaseAlone } from './connect-for-move.ts'
import { copyLedger } from './ledger-copy.ts'
import type { LedgerMove } from './move-to-postgres.ts'
import { listMovedTables } from './moved-tables.ts'
import type { PostgresCopy } from './postgres-copy.ts'
import { openSqliteCopy } from './sqlite-copy.ts'

/**
 * Moves the ledger from PostgreSQL to a file in the data folder. A killed move continues. Servers refuse the database
 * from the first copied row on. The file gets its name once every table is equal in both.
 *
 * @throws ServiceError UNAVAILABLE with the reason if one of the two cannot be used, or a table differs
 */
export async function moveToFile({ dataDir, url, restart, report }: LedgerMove): Promise<void> {
  const [current, moving] = [join(dataDir, LEDGER_FILE), join(dataDir, MOVING_LEDGER_FILE)]
  if (existsSync(current)) {
    throw refusal(`${current} already exists. Move it away if it is no longer needed.`)
  }
  await withDatabaseAlone(url, async (source) => {
    const id = await checkSource(source, dataDir)
    if (restart) removeDatabase(moving)
    await markMoved(source)
    try {
      await fillFile({ path: moving, id, source, report })
      renameDurably(moving, current)
    } catch (error) {
      explainFaults(moving, () => {
        throw error
      })
    }
  })
}

type Filling = { path: string; id: string; source: PostgresCopy; report: LedgerMove['report'] }

async function fillFile({ path, id, source, report }: Filling): Promise<void> {
  const db = openCopy(path, id)
  try {
    const tables = listMovedTables(db, await source.listRowidTables())
    const target = openSqliteCopy(db, LEDGER_FILE)
    if (!target.hasProgress()) target.begin(tables)
    const counters = await source.listCounters()
    await copyLedger(source, target, { tables, counters }, report)
    for (const table of tables) {
      report({ step: 'compared', ...(await compareTable(source, target, table)) })
    }
    target.finish()
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
  syncToDisk(path)
}

/** @returns the installation of the database. @throws ServiceError UNAVAILABLE if it cannot be moved */
async function checkSource(source: PostgresCopy, dataDir: string): Promise<string> {
  const steps = await source.listSteps()
  const installation = steps.length === 0 ? undefined : await readInstallation(source, steps)
  if (installation === undefined) {
    throw refusal('The database has no ledger. Check its address.')
  }
  if (await source.hasProgress()) {
    throw refusal(
      'The database is an unfinished copy of the file. Finish it with "bun run admin move-ledger --to".',
    )
  }
  const folderId = readFolderId(dataDir)
  if (folderId !== undefined && folderId !== installation.id) {
    throw refusal(
      `The database belongs to another installation than ${dataDir}. Set DATA_DIR to the folder of its servers, or to an empty one.`,
    )
  }
  return installation.id
}

async function readInstallation(source: PostgresCopy, steps: readonly string[]) {
  const { missing, unknown } = comparePostgresSteps(steps)
  const [foreign] = [...unknown, ...missing]
  if (foreign === undefined) return source.readInstallation()
  throw refusal(
    `The database has the schema of another version (step ${foreign}). Run this command with the version of its servers, or start this version on it once.`,
  )
}

/** Makes servers refuse the database. A server that is just starting may have read it already. */
async function markMoved(source: PostgresCopy): Promise<void> {
  await source.mark(true)
  try {
    await assertAlone(source)
  } catch (error) {
    await source.mark(false)
    throw error
  }
}

/** Opens the unfinished file of a move, or creates it. */
function openCopy(path: string, id: string): Db {
  const db = openDatabase(path)
  try {
    migrate(db, LEDGER_MIGRATIONS)
    assertSchema(db, LEDGER_MIGRATIONS)
    const known = db.prepare('SELECT id FROM installation').pluck().get()
    if (known === undefined) db.prepare('INSERT INTO installation (id) VALUES (?)').run(id)
    else if (known !== id) {
      throw refusal(
        `${path} is an unfinished copy of another database. Run the same command with --restart to delete it.`,
      )
    }
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
}

function refusal(message: string): ServiceError {
  return new ServiceError('UNAVAILABLE', message)
}
