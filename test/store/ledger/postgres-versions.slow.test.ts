import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { openPostgresEngine, type PostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import { PATIENT_MS } from '../../support/ledger/engines.ts'
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../support/ledger/postgres-server.ts'
import { waitFor } from '../../support/wait-for.ts'

describe.skipIf(!HAS_POSTGRES)('versions that a server follows', () => {
  let server: PostgresServer
  let engine: PostgresEngine
  const closers: (() => Promise<void>)[] = []

  beforeAll(async () => {
    server = await startPostgres()
    engine = openPostgresEngine({ url: server.url, answerMs: PATIENT_MS })
    await engine.execute('CREATE TABLE topics (name TEXT PRIMARY KEY, version BIGINT NOT NULL)')
    await engine.execute("INSERT INTO topics VALUES ('keys', 1), ('tiers', 1)")
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })
  afterAll(async () => {
    await engine.close()
    await server.close()
  })

  const queryOf = (name: string) => `SELECT version FROM topics WHERE name = '${name}'`
  const setVersion = (name: string, version: number) =>
    engine.execute(`UPDATE topics SET version = ${version} WHERE name = '${name}'`)
  /** Counts the connections to the database, including the one that counts. */
  async function countConnections(): Promise<number> {
    const count = engine.prepare<[], { n: number }>(
      'SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database()',
    )
    return (await engine.query(count.get()))?.n ?? 0
  }
  function follow() {
    const versions = engine.listen({ keys: queryOf('keys'), tiers: queryOf('tiers') })
    closers.push(versions.close)
    return versions
  }

  test('are known once the database has answered, as numbers', async () => {
    const versions = follow()
    expect([versions.get('keys'), versions.silentMs()]).toEqual([undefined, Infinity])
    await waitFor(() => versions.get('keys') === 1 && versions.get('tiers') === 1)
    expect(versions.silentMs()).toBeLessThan(PATIENT_MS)
  })

  test('can be closed at once, while they connect', async () => {
    const versions = engine.listen({ keys: queryOf('keys') })
    await versions.close()
    expect(versions.get('keys')).toBeUndefined()
    await waitFor(async () => (await countConnections()) === 1)
  })

  test('are queried without a NOTIFY', async () => {
    const versions = follow()
    await waitFor(() => versions.get('keys') !== undefined)
    await setVersion('keys', 2)
    await waitFor(() => versions.get('keys') === 2)
    expect(versions.silentMs()).toBeLessThan(PATIENT_MS)
  })

  test('are queried at a NOTIFY, before the next poll', async () => {
    const versions = follow()
    await waitFor(() => versions.get('keys') !== undefined)
    const waits: number[] = []
    for (let version = 100; version < 120; version++) {
      await engine.execute(
        `UPDATE topics SET version = ${version} WHERE name = 'keys'; NOTIFY keys`,
      )
      const started = performance.now()
      await waitFor(() => versions.get('keys') === version)
      waits.push(performance.now() - started)
    }
    // Without NOTIFY, each would take half a second; even on a busy machine, some are much shorter.
    expect(waits.sort((a, b) => a - b)[4]).toBeLessThan(250)
  })

  test('are not taken from an answer that is older than a change of this server', async () => {
    const versions = follow()
    await waitFor(() => versions.get('tiers') !== undefined)
    await setVersion('tiers', 7)
    versions.forget()
    expect(versions.get('tiers')).toBeUndefined()
    await waitFor(() => versions.get('tiers') !== undefined)
    expect(versions.get('tiers')).toBe(7)
  })

  test('are found again after the connection was cut', async () => {
    const versions = follow()
    await waitFor(() => versions.get('keys') !== undefined)
    await engine.execute(
      `UPDATE topics SET version = 9 WHERE name = 'keys';
       SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND query LIKE '%AS "keys"%'`,
    )
    await waitFor(() => versions.get('keys') === 9)
    expect(versions.silentMs()).toBeLessThan(PATIENT_MS)
  })

  test('are unknown a second after the last response of the database', async () => {
    const own = await startPostgres()
    const remote = openPostgresEngine({ url: own.url, answerMs: PATIENT_MS })
    const versions = remote.listen({ one: 'SELECT 1' })
    await waitFor(() => versions.get('one') === 1)
    await own.close()
    await waitFor(() => versions.get('one') === undefined)
    expect(versions.silentMs()).toBeGreaterThanOrEqual(1_000)
    await versions.close()
    await remote.close()
  })
})
