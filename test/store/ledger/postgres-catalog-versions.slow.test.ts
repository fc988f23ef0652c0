import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Snapshot } from '#rules/operations/snapshot-list.ts'
import type { PostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import { openCatalogVersionStore } from '#store/ledger/fleet/postgres-catalog-versions.ts'
import { JOB_LEASE_MS, openJobLeaseStore, type TakenLease } from '#store/ledger/job-leases.ts'
import { openPostgres, type TestDatabase } from '../../support/ledger/engines.ts'
import { HAS_POSTGRES } from '../../support/ledger/postgres-server.ts'

const START = 1_800_000_000_000
const holder = (server: string, version: number, schema = 18) => ({ server, version, schema })
const MINUTE = 60_000
const at = (ms: number) => new Date(START + ms)
const snapshotOf = (version: number): Snapshot => ({
  version,
  changed_at: at(version).toISOString(),
  key: `catalog/v${version}-x.db.zst`,
  sha256: '0'.repeat(64),
  bytes: 1,
  compressed_bytes: 1,
  schema: 18,
  pictures: 0,
  program: '0.1.0',
})

describe.skipIf(!HAS_POSTGRES)('versions of the catalog', () => {
  let database: TestDatabase
  let engines: PostgresEngine[]
  beforeAll(async () => {
    database = await openPostgres({ clock: 'caller' })
    engines = [database.engine, database.open()]
  })
  afterAll(() => database?.close())
  beforeEach(() =>
    engines[0]?.execute('TRUNCATE catalog_versions; TRUNCATE catalog_holders; TRUNCATE job_leases'),
  )

  const [first, second] = [0, 1].map((index) => {
    const engine = () => engines[index] as PostgresEngine
    return {
      versions: () => openCatalogVersionStore(engine()),
      async lead(ms: number): Promise<TakenLease> {
        const lease = await openJobLeaseStore(engine()).take('lead', `server ${index}`, at(ms))
        if (lease === undefined) throw new Error('another server leads')
        return lease
      },
    }
  }) as [Server, Server]
  type Server = {
    versions(): ReturnType<typeof openCatalogVersionStore>
    lead(ms: number): Promise<TakenLease>
  }

  const publish = (server: Server, lease: TakenLease, version: number, ms: number, base?: number) =>
    server.versions().publish(lease, { snapshot: snapshotOf(version), base }, at(ms))

  test('are published by the server that leads, once each, in one line', async () => {
    const lease = await first.lead(0)
    expect(await publish(first, lease, 3, 0)).toBe('published')
    expect(await publish(first, lease, 4, 1, 2)).toBe('overtaken')
    expect(await publish(first, lease, 4, 1)).toBe('overtaken')
    expect(await publish(first, lease, 4, 2, 3)).toBe('published')
    expect(await publish(first, lease, 5, 3, 3)).toBe('overtaken')
  })

  test('are not published by a server that stood still while another took the lead', async () => {
    const stale = await first.lead(0)
    expect(await publish(first, stale, 3, 0)).toBe('published')
    expect(await publish(first, stale, 4, JOB_LEASE_MS, 3)).toBe('not leading')
    const lease = await second.lead(JOB_LEASE_MS)
    expect(await publish(first, stale, 4, JOB_LEASE_MS + 1, 3)).toBe('not leading')
    expect(await publish(second, lease, 4, JOB_LEASE_MS + 2, 3)).toBe('published')
    // Also not when it leads again, from the version that it knew.
    const again = await first.lead(2 * JOB_LEASE_MS + 1)
    expect(await publish(first, again, 5, 2 * JOB_LEASE_MS + 2, 3)).toBe('overtaken')
  })

  test('have one successor, also if two servers believe that they lead', async () => {
    const lease = await first.lead(0)
    await publish(first, lease, 1, 0)
    const outcomes = await Promise.all(
      [first, second, first, second].map((server) => publish(server, lease, 2, 1, 1)),
    )
    expect(outcomes.toSorted()).toEqual(['overtaken', 'overtaken', 'overtaken', 'published'])
  })

  test('are active at once if there was none before', async () => {
    const { readSchedule } = first.versions()
    await publish(first, await first.lead(0), 1, 0)
    expect(await readSchedule(at(0))).toMatchObject({
      active: { snapshot: snapshotOf(1), activate_at: START },
      pending: undefined,
    })
  })

  test('are active 15 s after every server has them, and pending until then', async () => {
    const { report, readSchedule } = first.versions()
    await publish(first, await first.lead(0), 1, 0)
    await report(holder('a', 1), at(1_000))
    await publish(first, await first.lead(20_000), 2, 20_000, 1)
    await report(holder('a', 2), at(21_000))
    expect(await readSchedule(at(35_999))).toMatchObject({
      active: { snapshot: snapshotOf(1) },
      pending: { snapshot: snapshotOf(2), activate_at: START + 36_000 },
    })
    await report(holder('b', 1), at(22_000))
    // If `b` had reported before, `a` would have waited for it.
    await publish(first, await first.lead(40_000), 3, 40_000, 2)
    await report(holder('a', 3), at(41_000))
    expect((await readSchedule(at(42_000))).pending?.activate_at).toBe(START + 40_000 + 10 * MINUTE)
    await report(holder('b', 3), at(43_000))
    const { active, pending } = await readSchedule(at(43_001))
    expect(active?.snapshot.version).toBe(2)
    expect(pending).toEqual({ snapshot: snapshotOf(3), activate_at: START + 58_000 })
    // Later reports do not change the time.
    await report(holder('c', 3), at(57_000))
    expect((await readSchedule(at(58_000))).active?.activate_at).toBe(START + 58_000)
  })

  test('keep the time of their activation, also if a report that waited began earlier', async () => {
    const { report, readSchedule } = first.versions()
    await publish(first, await first.lead(0), 1, 0)
    await publish(first, await first.lead(20_000), 2, 20_000, 1)
    await report(holder('a', 2), at(21_000))
    await second.versions().report(holder('b', 2), at(20_063))
    const activate_at = START + 36_000
    expect((await readSchedule(at(22_000))).pending?.activate_at).toBe(activate_at)
  })

  test('do not wait for a server that stopped, was killed, or cannot fetch them', async () => {
    const { report, readSchedule, withdraw } = first.versions()
    const lease = await first.lead(0)
    for (const server of ['a', 'stopped', 'killed']) await report(holder(server, 1), at(0))
    await report(holder('has none', 0, 17), at(0))
    await publish(first, lease, 1, 0)
    await publish(first, lease, 2, 1, 1)
    await report(holder('a', 2), at(2_000))
    await withdraw('stopped')
    await report(holder('a', 2), at(29_000))
    expect((await readSchedule(at(30_000))).schemas.toSorted()).toEqual([17, 18, 18])
    expect((await readSchedule(at(30_000))).pending?.activate_at).toBe(START + 1 + 10 * MINUTE)
    await report(holder('a', 2), at(30_001))
    expect((await readSchedule(at(30_001))).schemas).toEqual([18])
    expect((await readSchedule(at(30_002))).pending?.activate_at).toBe(START + 45_001)
  })

  test('are kept until they are forgotten, to go back to', async () => {
    const lease = await first.lead(0)
    for (let version = 1; version <= 7; version++) {
      await publish(first, lease, version, version, version === 1 ? undefined : version - 1)
    }
    await first.versions().forget([1, 2])
    const kept = await second.versions().list()
    expect(kept.map(({ snapshot }) => snapshot.version)).toEqual([7, 6, 5, 4, 3])
  })
})
