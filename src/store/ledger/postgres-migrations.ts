import { ServiceError } from '#rules/primitives/errors.ts'
import type { Migration } from '../migrate.ts'
import type { PostgresEngine } from './engine/postgres-engine.ts'
import usage from './postgres-migrations/0001-usage.sql' with { type: 'text' }
import identifications from './postgres-migrations/0002-identifications.sql' with { type: 'text' }
import ledger from './postgres-migrations/0003-ledger.sql' with { type: 'text' }
import jobLeases from './postgres-migrations/0006-job-leases.sql' with { type: 'text' }
import installation from './postgres-migrations/0007-installation.sql' with { type: 'text' }
import visitorUsage from './postgres-migrations/0008-visitor-usage.sql' with { type: 'text' }
import serverReports from './postgres-migrations/0009-server-reports.sql' with { type: 'text' }
import catalogVersions from './postgres-migrations/0010-catalog-versions.sql' with { type: 'text' }
import syncRequests from './postgres-migrations/0011-sync-requests.sql' with { type: 'text' }
import serviceSettings from './postgres-migrations/0012-service-settings.sql' with { type: 'text' }
import webhookConfidence from './postgres-migrations/0013-webhook-confidence.sql' with {
  type: 'text',
}
import collections from './postgres-migrations/0014-collections.sql' with { type: 'text' }
import webhookCurrency from './postgres-migrations/0015-webhook-currency.sql' with { type: 'text' }
import priceAlerts from './postgres-migrations/0016-price-alerts.sql' with { type: 'text' }
import alertChannels from './postgres-migrations/0017-alert-channels.sql' with { type: 'text' }
import sessionOrigins from './postgres-migrations/0018-session-origins.sql' with { type: 'text' }
import deletedAccounts from './postgres-migrations/0019-deleted-accounts.sql' with { type: 'text' }
import logins from './postgres-migrations/0020-logins.sql' with { type: 'text' }
import scanSessions from './postgres-migrations/0021-scan-sessions.sql' with { type: 'text' }

/**
 * Schema of the ledger on PostgreSQL, oldest step first. The statements of a released step never change. A program
 * refuses a database with a step that it does not know.
 */
const POSTGRES_MIGRATIONS: readonly Migration[] = [
  { name: '0001-usage', sql: usage },
  { name: '0002-identifications', sql: identifications },
  { name: '0003-ledger', sql: ledger },
  { name: '0006-job-leases', sql: jobLeases },
  { name: '0007-installation', sql: installation },
  { name: '0008-visitor-usage', sql: visitorUsage },
  { name: '0009-server-reports', sql: serverReports },
  { name: '0010-catalog-versions', sql: catalogVersions },
]

/**
 * Later steps that a program without them can ignore, because they only add what it does not use: so servers are
 * upgraded one after the other. They are entered in a table of their own, which it does not read.
 */
const POSTGRES_ADDITIONS: readonly Migration[] = [
  { name: '0011-sync-requests', sql: syncRequests },
  { name: '0012-service-settings', sql: serviceSettings },
  { name: '0013-webhook-confidence', sql: webhookConfidence },
  { name: '0014-collections', sql: collections },
  { name: '0015-webhook-currency', sql: webhookCurrency },
  { name: '0016-price-alerts', sql: priceAlerts },
  { name: '0017-alert-channels', sql: alertChannels },
  { name: '0018-session-origins', sql: sessionOrigins },
  { name: '0019-deleted-accounts', sql: deletedAccounts },
  { name: '0020-logins', sql: logins },
  { name: '0021-scan-sessions', sql: scanSessions },
]

/** Names of the steps, oldest first. */
export const POSTGRES_STEPS = POSTGRES_MIGRATIONS.map(({ name }) => name)

/** Returns the steps that only a newer program knows. */
export function listUnknownSteps(names: readonly string[]): string[] {
  return names.filter((name) => !POSTGRES_STEPS.includes(name))
}

/**
 * Migrates a database to the newest schema, one transaction per step. Each enters its name first, so of
 * several servers one runs the step, and the others wait for it.
 *
 * @throws ServiceError if a newer program migrated the database, which this one would misread
 */
export async function migratePostgres(engine: PostgresEngine): Promise<void> {
  await runSteps(engine, 'schema_steps', POSTGRES_MIGRATIONS, (done) => {
    const [unknown] = listUnknownSteps(done)
    if (unknown === undefined) return
    throw new ServiceError(
      'UNAVAILABLE',
      `The ledger's database has the schema step ${unknown}, which this program does not know. Start the newer Cardstock that wrote it, or restore a backup.`,
    )
  })
  await runSteps(engine, 'schema_additions', POSTGRES_ADDITIONS, () => {})
}

/** Runs the steps that a table does not name yet. `check` gets the names in it. */
async function runSteps(
  engine: PostgresEngine,
  table: 'schema_steps' | 'schema_additions',
  steps: readonly Migration[],
  check: (done: readonly string[]) => void,
): Promise<void> {
  await unlessDone(engine.execute(`CREATE TABLE IF NOT EXISTS ${table} (name TEXT PRIMARY KEY)`))
  const names = engine.prepare<[], { name: string }>(`SELECT name FROM ${table} ORDER BY name`)
  const done = (await engine.query(names.all())).map(({ name }) => name)
  check(done)
  for (const { name, sql } of steps) {
    // A step that fails costs a connection.
    if (done.includes(name)) continue
    await unlessDone(engine.execute(`INSERT INTO ${table} VALUES ('${name}'); ${sql}`))
  }
}

/** Waits for a script, and accepts that another server has run it. */
async function unlessDone(script: Promise<void>): Promise<void> {
  try {
    await script
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error
  }
}

const UNIQUE_VIOLATION = '23505'
