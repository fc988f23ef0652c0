import { ServiceError } from '#rules/primitives/errors.ts'
import type { Migration } from '../migrate.ts'
import type { PostgresEngine } from './engine/postgres-engine.ts'
import usage from './postgres-migrations/0001-usage.sql' with { type: 'text' }
import identifications from './postgres-migrations/0002-identifications.sql' with { type: 'text' }
import jobLeases from './postgres-migrations/0006-job-leases.sql' with { type: 'text' }

/** Schema of the ledger on PostgreSQL, oldest step first. The statements of a released step never change. */
const POSTGRES_MIGRATIONS: readonly Migration[] = [
  { name: '0001-usage', sql: usage },
  { name: '0002-identifications', sql: identifications },
  { name: '0006-job-leases', sql: jobLeases },
]

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
  for (const { name, sql } of POSTGRES_MIGRATIONS) {
    await unlessDone(engine.execute(`INSERT INTO schema_steps VALUES ('${name}'); ${sql}`))
  }
  const steps = engine.prepare<[], { name: string }>('SELECT name FROM schema_steps ORDER BY name')
  const known = POSTGRES_MIGRATIONS.map(({ name }) => name)
  const unknown = (await engine.query(steps.all())).find(({ name }) => !known.includes(name))
  if (unknown === undefined) return
  throw new ServiceError(
    'UNAVAILABLE',
    `The ledger's database has the schema step ${unknown.name}, which this program does not know. Start the newer Cardstock that wrote it, or restore a backup.`,
  )
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
