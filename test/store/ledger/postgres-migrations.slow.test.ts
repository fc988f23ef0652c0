// Migrations on PostgreSQL: the baseline, and invented ones of later releases.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { openPostgresEngine, type PostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import {
  migratePostgres,
  POSTGRES_MIGRATIONS,
  type PostgresMigrations,
} from '#store/ledger/postgres-migrations.ts'
import { PATIENT_MS } from '../../support/ledger/engines.ts'
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../support/ledger/postgres-server.ts'

const STEP = {
  name: '0002-notes',
  sql: 'CREATE TABLE notes (id BIGINT); INSERT INTO notes VALUES (1)',
}
const ADDITION = { name: '0003-colors', sql: 'ALTER TABLE keys ADD COLUMN color TEXT' }

const NEXT: PostgresMigrations = {
  steps: [...POSTGRES_MIGRATIONS.steps, STEP],
  additions: [ADDITION],
}

describe.skipIf(!HAS_POSTGRES)('a database of the ledger', () => {
  let server: PostgresServer
  let engine: PostgresEngine

  beforeAll(async () => {
    server = await startPostgres()
    engine = openPostgresEngine({ url: server.url, connections: 2, answerMs: PATIENT_MS })
  })
  beforeEach(() => engine.execute('DROP SCHEMA public CASCADE; CREATE SCHEMA public'))
  afterAll(async () => {
    await engine?.close()
    await server?.close()
  })

  async function column(sql: string): Promise<unknown[]> {
    const statement = engine.prepare<[], { found: unknown }>(`SELECT ${sql}`)
    return (await engine.query(statement.all())).map(({ found }) => found)
  }

  test('gets each step once, whatever version and however many servers start', async () => {
    await migratePostgres(engine)
    await Promise.all([migratePostgres(engine, NEXT), migratePostgres(engine, NEXT)])
    await migratePostgres(engine, NEXT)
    expect(await column('id AS found FROM notes')).toEqual([1])
    expect(await column('count(color) AS found FROM keys')).toEqual([0])
    expect(await column('count(*) AS found FROM schema_steps')).toEqual([2])
  })

  test('with additions that a program does not know is accepted by it', async () => {
    await migratePostgres(engine, { ...POSTGRES_MIGRATIONS, additions: [ADDITION] })
    await migratePostgres(engine)
    expect(await column('count(color) AS found FROM keys')).toEqual([0])
  })

  test('with a step that a program does not know is refused by it', async () => {
    await migratePostgres(engine, NEXT)
    await expect(migratePostgres(engine)).rejects.toThrow(
      /schema step 0002-notes.* Start the newer version of Cardstock/,
    )
  })

  test('is unchanged by a step that fails, and can be migrated later', async () => {
    const broken = { ...STEP, sql: `${STEP.sql}; INSERT INTO nowhere VALUES (1)` }
    const steps = [...POSTGRES_MIGRATIONS.steps, broken]
    await expect(migratePostgres(engine, { ...NEXT, steps })).rejects.toThrow(/nowhere/)
    await migratePostgres(engine, NEXT)
    expect(await column('id AS found FROM notes')).toEqual([1])
  })

  test.each([
    ['with migrations', '0001-usage'],
    ['with another baseline', '0001-baseline-1'],
  ])('of an unreleased program %s is refused', async (_, step) => {
    await migratePostgres(engine)
    await engine.execute(`UPDATE schema_steps SET name = '${step}'`)
    await expect(migratePostgres(engine)).rejects.toThrow(
      'The database of LEDGER_URL was written by an unreleased version of Cardstock, which this one cannot open: set LEDGER_URL to an empty one.',
    )
  })
})
