import { fingerprintBaseline, UNRELEASED_SCHEMA } from '#rules/operations/schema-version.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Migration } from '../migrate.ts'
import type { PostgresEngine } from './engine/postgres-engine.ts'
import baseline from './postgres-baseline.sql' with { type: 'text' }

/** Name of the first step, for an empty database; it distinguishes the baselines of unreleased versions. */
const BASELINE = `0001-baseline-${fingerprintBaseline(baseline)}`

/** Steps of the ledger's schema on PostgreSQL, oldest first. Released steps never change. */
export type PostgresMigrations = {
  /** A program refuses a database with a step that it does not know. */
  steps: readonly Migration[]
  /**
   * Later steps that a program without them can ignore, because they only add things that it does not use. So servers
   * can be upgraded one after another. The names of these steps are in a separate table, which such a program does
   * not read.
   */
  additions: readonly Migration[]
}

/** Schema of the ledger on PostgreSQL. */
export const POSTGRES_MIGRATIONS: PostgresMigrations = {
  steps: [{ name: BASELINE, sql: baseline }],
  additions: [],
}

/** Compares the steps of a database, by their names, with those that this program knows. */
export type PostgresSteps = {
  /** True if an unreleased program created the database. */
  isUnreleased: boolean
  /** Steps that a start would add; all if the database is empty. */
  missing: string[]
  /** Steps that only a newer program knows. */
  unknown: string[]
}

/** Compares the names of the steps in a database with those of this program. */
export function comparePostgresSteps(
  names: readonly string[],
  { steps }: PostgresMigrations = POSTGRES_MIGRATIONS,
): PostgresSteps {
  const known = steps.map(({ name }) => name)
  return {
    isUnreleased: names.length > 0 && !names.includes(BASELINE),
    missing: known.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !known.includes(name)),
  }
}

/**
 * Migrates a database to the newest schema, one transaction per step. Each step stores its name first, so that one of
 * several servers runs it and the others wait.
 *
 * @param migrations steps of this program, except in tests
 * @throws ServiceError if a newer or an unreleased program migrated the database, which this one would misread
 */
export async function migratePostgres(
  engine: PostgresEngine,
  migrations: PostgresMigrations = POSTGRES_MIGRATIONS,
): Promise<void> {
  await runSteps(engine, 'schema_steps', migrations.steps, (done) => {
    const { isUnreleased, unknown } = comparePostgresSteps(done, migrations)
    if (isUnreleased) {
      throw new ServiceError(
        'UNAVAILABLE',
        `The database of LEDGER_URL ${UNRELEASED_SCHEMA}: set LEDGER_URL to an empty one.`,
      )
    }
    if (unknown[0] === undefined) return
    throw new ServiceError(
      'UNAVAILABLE',
      `The ledger's database has the schema step ${unknown[0]}, which this program does not know. Start the newer version of Cardstock that wrote it, or restore a backup.`,
    )
  })
  await runSteps(engine, 'schema_additions', migrations.additions, () => {})
}

/** Runs the steps that a table does not contain yet. `check` receives the names in the table. */
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
    // A failed step costs a connection.
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
