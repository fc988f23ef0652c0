import { join } from 'node:path'
import { closing } from './closing.ts'
import { type Db, type OpenOptions, openDatabase } from './db.ts'
import { LEDGER_FILE, shareDataFolder } from './files/data-folder.ts'
import { probeFolder } from './files/folder-entries.ts'
import { explainDatabase } from './files/inspect-database.ts'
import { openSqliteEngine, type SqliteEngine } from './ledger/engine/sqlite-engine.ts'
import { openAccessVersion } from './ledger/keys.ts'
import { type Ledger, openLedgerStores } from './ledger/ledger.ts'
import { createDailyCounts } from './memory/daily-counts.ts'

/** Opens the ledger. Call `prepareFiles` first. */
export function openLedger(
  dataDir: string,
  { checkpointPages = CHECKPOINT_PAGES }: Pick<OpenOptions, 'checkpointPages'> = {},
): Ledger {
  const release = shareDataFolder(dataDir)
  const path = join(dataDir, LEDGER_FILE)
  const ledger = explainDatabase(path, () => {
    const ledger = openLedgerOn(
      openDatabase(path, { busyTimeoutMs: LEDGER_WAIT_MS, checkpointPages }),
    )
    // The start is refused if somebody has changed the schema.
    ledger.prepareAll()
    return ledger
  })
  async function probeWrite(): Promise<void> {
    await ledger.probeWrite()
    await probeFolder(dataDir)
  }
  return closing({ ...ledger, probeWrite }, release)
}

/** Opens the ledger on an open connection; `prepareAll` checks the schema. */
export function openLedgerOn(db: Db): Ledger & Pick<SqliteEngine, 'prepareAll'> {
  // Overwrites deleted rows, so that no backup has them in its free pages.
  db.pragma('secure_delete = ON')
  const engine = openSqliteEngine(db)
  const read = db.prepare('SELECT id FROM installation')
  const write = db.prepare<[number]>('UPDATE installation SET probed_at = ?')
  return {
    ...openLedgerStores(engine, openAccessVersion(db, engine)),
    shared: undefined,
    dailyCounts: createDailyCounts(),
    probe: async () => void read.get(),
    probeWrite: async () => void write.run(Date.now()),
    close: () => void db.close(),
    prepareAll: engine.prepareAll,
  }
}

/** The commit that moves so many pages into the file takes some ten milliseconds of the event loop. */
const CHECKPOINT_PAGES = 1_000

/** Ledger transactions are short. */
const LEDGER_WAIT_MS = 2_000
