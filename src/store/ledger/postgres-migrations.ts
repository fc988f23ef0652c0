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

/** Schema of the ledger on PostgreSQL, oldest step first. The statements of a released step never change. */
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
  await unlessDone(
    engine.execute('CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY)'),
  )
  const steps = engine.prepare<[], { name: string }>('SELECT name FROM schema_steps ORDER BY name')
  const done = (await engine.query(steps.all())).map(({ name }) => name)
  const [unknown] = listUnknownSteps(done)
  if (unknown !== undefined) {
    throw new ServiceError(
      'UNAVAILABLE',
      `The ledger's database has the schema step ${unknown}, which this program does not know. Start the newer Cardstock that wrote it, or restore a backup.`,
    )
  }
  for (const { name, sql } of POSTGRES_MIGRATIONS) {
    // A step that fails costs a connection.
    if (done.includes(name)) continue
    await unlessDone(engine.execute(`INSERT INTO schema_steps VALUES ('${name}'); ${sql}`))
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
