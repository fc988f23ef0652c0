// Visitor quotas that several servers share. The quotas themselves are tested with one server
// (test/actions/accounts/visitor-quota.slow.test.ts).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import fc from 'fast-check'
import { dayOf, MS_PER_DAY } from '#rules/primitives/days.ts'
import { openPostgresEngine, type PostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import { openSharedCounts } from '#store/ledger/fleet/postgres-daily-counts.ts'
import { createDailyCounts, type DailyCounts } from '#store/memory/daily-counts.ts'
import { createVisitorQuota } from '../../support/accounts/visitors.ts'
import { findFreePort } from '../../support/free-port.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { HAS_POSTGRES } from '../../support/ledger/postgres-server.ts'
import { purge } from '../../support/ledger/purge.ts'
import { createTestApp, FROZEN_TIME } from '../../support/test-app.ts'

const NOW = new Date(FROZEN_TIME)
const CARD = '/v1/cards/900003'
const TABLES = ['daily_counts']

const COUNTED = `SELECT CAST(sum(count) AS BIGINT) AS requests FROM daily_counts
  WHERE name IN ('common', 'reserved')`

/** Locks the day until a server waits to write it, and then ends everybody's connections. */
const CUT_WRITERS = `DO $$ BEGIN
  PERFORM 1 FROM daily_counts FOR UPDATE;
  WHILE NOT EXISTS (SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock') LOOP
    PERFORM pg_sleep(0.005), pg_stat_clear_snapshot();
  END LOOP;
  PERFORM pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
END $$`

const LIMITS = { perClient: { requests: 20, cards: 15, records: 60 }, total: 100 }

describe.skipIf(!HAS_POSTGRES)('servers that share a ledger', () => {
  let ledgers: TestLedgers
  let servers: DailyCounts[]
  beforeAll(async () => {
    const onPostgres = LEDGERS.find(([name]) => name === 'PostgreSQL')
    if (onPostgres === undefined) throw new Error('PostgreSQL is not installed')
    ledgers = await onPostgres[1]()
    servers = [1, 2, 3].map(() => ledgers.open().dailyCounts)
  })
  afterAll(() => ledgers.close())

  const forgetAll = () => ledgers.execute(`TRUNCATE ${TABLES}`)
  const countRows = async (table: string) =>
    (await ledgers.all<{ day: number }>(`SELECT day FROM ${table}`)).map(({ day }) => day)
  const quotas = () => servers.map((counts) => createVisitorQuota({ limits: LIMITS, counts }))

  const address = fc.tuple(fc.nat(1), fc.nat(2), fc.nat(1)).map((parts) => `10.${parts.join('.')}`)
  const step = fc.record({
    server: fc.nat(2),
    from: address,
    credits: fc.integer({ min: 1, max: 6 }),
    cards: fc.array(fc.nat(30), { maxLength: 8 }),
    fails: fc.boolean(),
  })

  test('answer like one server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await forgetAll()
        const shared = quotas()
        const alone = createVisitorQuota({ limits: LIMITS, counts: createDailyCounts() })
        for (const { server, from, credits, cards, fails } of steps) {
          const answers = [shared[server] ?? alone, alone].map(async (quota) => {
            const request = quota.open(from)
            const charge = await request.charge(credits, NOW)
            const isReceived = await request.receive({ cards, records: 2 * cards.length }, NOW)
            const left = await (fails ? request.refund(charge.quota, NOW) : request.get(NOW))
            return { charge, isReceived, left }
          })
          const [ours, expected] = await Promise.all(answers)
          expect(ours).toEqual(expected)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('together never grant more than one would, also concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 150 }), async (steps) => {
        await forgetAll()
        const shared = quotas()
        const granted = await Promise.all(
          steps.map(async ({ server, from, credits }) => {
            const charge = await shared[server]?.open(from).charge(credits, NOW)
            return { from, credits: charge?.isAllowed ? credits : 0 }
          }),
        )
        const sum = (few: typeof granted) => few.reduce((sum, { credits }) => sum + credits, 0)
        expect(sum(granted)).toBeLessThanOrEqual(LIMITS.total)
        for (const own of Map.groupBy(granted, ({ from }) => from).values()) {
          expect(sum(own)).toBeLessThanOrEqual(LIMITS.perClient.requests)
        }
        const [counted] = await ledgers.all<{ requests: number }>(COUNTED)
        expect(counted?.requests).toBe(sum(granted))
      }),
      { numRuns: 10 },
    )
  })

  test('grant a client exactly its limit, however many of its requests come at once', async () => {
    await forgetAll()
    const charges = quotas().flatMap((quota) =>
      Array.from({ length: 150 }, () => quota.open('192.0.2.1').charge(1, NOW)),
    )
    const answers = await Promise.all(charges)
    expect(answers.filter(({ isAllowed }) => isAllowed).length).toBe(LIMITS.perClient.requests)
  })

  test('count all that they grant when connections are cut', async () => {
    await forgetAll()
    const limits = { perClient: { ...LIMITS.perClient, requests: 1e6 }, total: 1e7 }
    const shared = servers.map((counts) => createVisitorQuota({ limits, counts }))
    let [granted, lost] = [0, 0]
    const send = async (quota: (typeof shared)[number]) => {
      try {
        if ((await quota.open('192.0.2.1').charge(1, NOW)).isAllowed) granted++
      } catch (error) {
        expect(error).toMatchObject({ code: 'UNAVAILABLE' })
        lost++
      }
    }
    await Promise.all(shared.map(send))
    for (const _ of [1, 2, 3]) {
      let isCut = false
      const cutting = ledgers.execute(CUT_WRITERS).finally(() => {
        isCut = true
      })
      while (!isCut) await Promise.all([...shared, ...shared].map(send))
      await cutting
    }
    const [counted] = await ledgers.all<{ requests: number }>(COUNTED)
    expect(lost).toBeGreaterThan(0)
    expect(counted?.requests).toBeGreaterThanOrEqual(granted)
    expect(counted?.requests).toBeLessThanOrEqual(granted + lost)
  })

  test('write nothing for requests that are refused', async () => {
    await forgetAll()
    const [quota] = quotas()
    await quota?.open('192.0.2.1').charge(LIMITS.perClient.requests, NOW)
    const before = await ledgers.all('SELECT * FROM daily_counts')
    expect((await quota?.open('192.0.2.1').charge(1, NOW))?.isAllowed).toBe(false)
    expect(await quota?.open('192.0.2.1').receive({ cards: [], records: 99 }, NOW)).toBe(false)
    expect(await ledgers.all('SELECT * FROM daily_counts')).toEqual(before)
  })

  test('forget past days, but not the one that another clock may still have', async () => {
    await forgetAll()
    const [quota] = quotas()
    const today = dayOf(NOW)
    for (const ago of [0, 1, 2, 3]) {
      const now = new Date(NOW.getTime() - ago * MS_PER_DAY)
      const request = quota?.open('192.0.2.1')
      await request?.charge(1, now)
      await request?.receive({ cards: [7], records: 1 }, now)
    }
    await purge(ledgers.open(), NOW)
    for (const table of TABLES) {
      expect(new Set(await countRows(table))).toEqual(new Set([today - 1, today]))
    }
  })

  test('count visitors of their pages together, and store no address', async () => {
    await forgetAll()
    const env = { VISITOR_DAILY_REQUESTS: '3', TRUST_PROXY: '1' }
    const apps = await Promise.all([1, 2].map(() => createTestApp({ env, ledger: ledgers.open() })))
    const headers = { 'x-cardstock-page': '1', 'x-forwarded-for': '198.51.100.77' }
    const statuses = []
    for (const app of [...apps, ...apps]) {
      statuses.push((await app.client.request('GET', CARD, { headers })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    const rows = await Promise.all(TABLES.map((table) => ledgers.all(`SELECT * FROM ${table}`)))
    expect(rows.flat()).toContainEqual(expect.objectContaining({ name: 'common', count: 3 }))
    expect(JSON.stringify(rows)).not.toContain('198.51')
    for (const app of apps) app.close()
  })
})

describe('without an answer of the database', () => {
  let silent: Server
  let engine: PostgresEngine
  beforeAll(async () => {
    silent = createServer()
    const port = await findFreePort()
    silent.listen(port, '127.0.0.1')
    engine = openPostgresEngine({ url: `postgres://ledger@127.0.0.1:${port}/ledger` })
  })
  afterAll(async () => {
    await engine.close()
    silent.close()
  })

  test('a visitor waits no longer than allowed', async () => {
    const counts = openSharedCounts(engine, { waitMs: 20 })
    const request = createVisitorQuota({ limits: LIMITS, counts }).open('192.0.2.1')
    await expect(request.get(NOW)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  test('pages answer 503, also those that wait for others', async () => {
    const testApp = await createTestApp()
    const dailyCounts = openSharedCounts(engine)
    const apart = await createTestApp({ ledger: { ...testApp.deps.ledger, dailyCounts } })
    const headers = { 'x-cardstock-page': '1' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => apart.client.request('GET', CARD, { headers })),
    )
    for (const { status, body } of answers) {
      expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE'])
      expect(body).not.toHaveProperty('rate_limit')
    }
    apart.close()
    testApp.close()
  })
})
