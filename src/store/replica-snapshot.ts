import { join } from 'node:path'
import { openAlertEvaluator } from './catalog/alerts.ts'
import { CATALOG_MIGRATIONS } from './catalog/migrations.ts'
import { type Db, inTransaction, openDatabase } from './db.ts'
import { LEDGER_FILE } from './files/data-folder.ts'
import { syncToDisk } from './files/durable-files.ts'
import { explainDatabase } from './files/inspect-database.ts'
import { openMigratedCatalog } from './files/installation.ts'
import { openAlertRuleSource } from './ledger/alerts/rule-source.ts'
import { schemaVersion, schemaVersionAfter } from './migrate.ts'

export type ReplicaSnapshotOptions = {
  /** The fetched file. */
  path: string
  /** The file that the replica currently serves; undefined before its first snapshot. */
  served: string | undefined
  dataDir: string
  /** True if the ledger is a database of several servers: the publishing server evaluates its rules. */
  isLedgerShared: boolean
  now: () => Date
}

/**
 * Upgrades a fetched snapshot to the schema of this program and, on a replica with its own accounts, replaces the
 * alerts by those in the replica's outbox and those that the new prices cause.
 *
 * @returns the number of new alerts
 */
export function prepareSnapshot(options: ReplicaSnapshotOptions): number {
  const { path, isLedgerShared } = options
  return writeSnapshot(path, (db) => (isLedgerShared ? 0 : evaluateOwnRules(db, options)))
}

/** Upgrades the file that a server serves to the schema of this program, if an older program has fetched it. */
export function upgradeSnapshot(path: string): void {
  const schema = explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true })
    try {
      return schemaVersion(db)
    } finally {
      db.close()
    }
  })
  if (schema !== schemaVersionAfter(CATALOG_MIGRATIONS)) writeSnapshot(path, () => {})
}

function writeSnapshot<Result>(path: string, write: (db: Db) => Result): Result {
  const db = openMigratedCatalog(path, 0)
  try {
    const result = write(db)
    // Writes a single file, without a log beside it.
    db.pragma('main.journal_mode = DELETE')
    return result
  } finally {
    db.close()
    syncToDisk(path)
  }
}

function evaluateOwnRules(
  db: Db,
  { served, dataDir, now }: Omit<ReplicaSnapshotOptions, 'path'>,
): number {
  const ledger = openDatabase(join(dataDir, LEDGER_FILE), { readonly: true })
  const newest = db.prepare<[], number | null>('SELECT max(priced_at) FROM sets').pluck()
  const { evaluate } = openAlertEvaluator(db, openAlertRuleSource(ledger))
  try {
    if (served !== undefined) db.prepare('ATTACH ? AS served').run(served)
    return inTransaction(db, () => {
      // The alerts in the snapshot belong to another ledger.
      db.exec('DELETE FROM alert_outbox; DELETE FROM alerted_rules')
      if (served !== undefined) db.exec(TAKE_ALERTS)
      return evaluate(now(), newest.get() ?? 0)
    })
  } finally {
    ledger.close()
  }
}

const TAKE_ALERTS = `
  INSERT INTO alert_outbox (id, rule_id, body, created_at)
    SELECT id, rule_id, body, created_at FROM served.alert_outbox ORDER BY place;
  INSERT INTO alerted_rules (rule_id, revision)
    SELECT rule_id, revision FROM served.alerted_rules`
