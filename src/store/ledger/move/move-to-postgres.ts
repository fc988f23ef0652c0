import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type Db, openDatabase } from '../../db.ts'
import { LEDGER_FILE, MOVED_LEDGER_FILE } from '../../files/data-folder.ts'
import { renameDurably } from '../../files/durable-files.ts'
import { explainDatabase } from '../../files/inspect-database.ts'
import { assertOwnSchema, schemaVersion, schemaVersionAfter } from '../../migrate.ts'
import { LEDGER_MIGRATIONS } from '../migrations.ts'
import { connectLedgerDatabase } from '../postgres-ledger.ts'
import { type ComparedTable, compareTable } from './compare-ledgers.ts'
import { withDatabaseAlone } from './connect-for-move.ts'
import { type CopyStep, copyLedger } from './ledger-copy.ts'
import { listMovedTables } from './moved-tables.ts'
import type { PostgresCopy } from './postgres-copy.ts'
import { openSqliteCopy } from './sqlite-copy.ts'

export type MoveStep = CopyStep | ({ step: 'compared' } & ComparedTable)

export type LedgerMove = {
  /** Data folder, locked by the caller. */
  dataDir: string
  /** URL of the database. */
  url: string
  /** Starts again instead of continuing an unfinished copy. */
  restart: boolean
  report: (step: MoveStep) => void
}

/**
 * Moves the ledger from its file to an empty database of PostgreSQL. A killed move continues. The database is the
 * ledger once every table is equal in both; the file is then renamed.
 *
 * @param secretHash keyed hash of the servers' future secret
 * @throws ServiceError UNAVAILABLE with the reason if one of the two cannot be used, or a table differs
 */
export async function moveToPostgres(
  { dataDir, url, restart, report }: LedgerMove,
  secretHash: Uint8Array,
): Promise<void> {
  const [current, moved] = [join(dataDir, LEDGER_FILE), join(dataDir, MOVED_LEDGER_FILE)]
  // A move may have been killed after it renamed the file.
  const isRenamed = !existsSync(current) && existsSync(moved)
  const db = openMovable(isRenamed ? moved : current)
  try {
    const installation = { id: readId(db), secretHash }
    const engine = await connectLedgerDatabase({ url, connections: 1 })
    await engine.close()
    await withDatabaseAlone(url, async (target) => {
      const tables = listMovedTables(db, await target.listRowidTables())
      const state = await findState(target, installation.id)
      assertCanMove(state, { restart, isRenamed })
      if (state !== 'unfinished' || restart) await target.begin(tables, installation)
      const source = openSqliteCopy(db, isRenamed ? MOVED_LEDGER_FILE : LEDGER_FILE)
      const counters = await target.listCounters()
      await copyLedger(source, target, { tables, counters }, report)
      for (const table of tables) {
        report({ step: 'compared', ...(await compareTable(source, target, table)) })
      }
      // In this order, so that the two are never both the ledger.
      db.close()
      if (!isRenamed) renameDurably(current, moved)
      await target.finish(installation)
    })
  } finally {
    db.close()
  }
}

/** @throws ServiceError UNAVAILABLE if the file is missing, foreign, or of another version */
function openMovable(path: string): Db {
  if (!existsSync(path)) {
    throw refusal(`${path} is missing: there is no ledger to move. Check DATA_DIR.`)
  }
  return explainDatabase(path, () => {
    const db = openDatabase(path)
    try {
      assertOwnSchema(db, LEDGER_MIGRATIONS)
      if (schemaVersion(db) < schemaVersionAfter(LEDGER_MIGRATIONS)) {
        throw refusal(
          `${path} has the schema of an older version. Start this version once, which upgrades it, stop it, and try again.`,
        )
      }
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })
}

function readId(db: Db): string {
  const id = db.prepare('SELECT id FROM installation').pluck().get()
  if (typeof id === 'string') return id
  throw refusal(
    `${db.name} was never used by a server. Start without LEDGER_URL once, and try again.`,
  )
}

/** State of a database before a move to it. `outdated`: its ledger was moved to the file. */
type TargetState = 'empty' | 'unfinished' | 'outdated' | 'in use' | 'foreign'

async function findState(target: PostgresCopy, id: string): Promise<TargetState> {
  const installation = await target.readInstallation()
  if (installation === undefined) return (await target.hasAccounts()) ? 'foreign' : 'empty'
  if (installation.id !== id) return 'foreign'
  if (installation.moved_at === null) return 'in use'
  return (await target.hasProgress()) ? 'unfinished' : 'outdated'
}

function assertCanMove(
  state: TargetState,
  { restart, isRenamed }: { restart: boolean; isRenamed: boolean },
): void {
  if (state === 'unfinished') return
  if (state === 'in use') {
    throw refusal(
      'The database already is the ledger of this installation. Start the servers with LEDGER_URL, or specify an empty database.',
    )
  }
  if (state === 'foreign') {
    throw refusal(
      'The database has the ledger of another installation, or accounts that this command did not copy. Specify an empty database.',
    )
  }
  if (isRenamed) {
    throw refusal(
      `The folder has only ${MOVED_LEDGER_FILE}, which was moved to another database. Use that one as LEDGER_URL; if it is lost, rename the file to ${LEDGER_FILE}.`,
    )
  }
  if (state === 'outdated' && !restart) {
    throw refusal(
      'The database has an older copy of this ledger, which was moved to the file. Run the same command with --restart to replace it.',
    )
  }
}

function refusal(message: string): ServiceError {
  return new ServiceError('UNAVAILABLE', message)
}
