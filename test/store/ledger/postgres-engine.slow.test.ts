import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresEngine, type PostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import { toPostgres } from '#store/ledger/engine/postgres-statement.ts'
import { migratePostgres } from '#store/ledger/postgres-migrations.ts'
import { PATIENT_MS } from '../../support/ledger/engines.ts'
import { startLosingProxy } from '../../support/ledger/losing-proxy.ts'
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../support/ledger/postgres-server.ts'

describe('a statement of the common SQL', () => {
  test.each([
    ['SELECT ? + ?', 'SELECT $1 + $2'],
    ['SELECT @a, @b, @a', 'SELECT $1, $2, $1'],
    ["SELECT '?@a''?' FROM t INDEXED BY t_by_a WHERE a = +? AND b = c + ?", null],
  ])('has numbered parameters on PostgreSQL: %s', (sql, text) => {
    expect(toPostgres(sql).text).toBe(text ?? "SELECT '?@a''?' FROM t WHERE a = $1 AND b = c + $2")
  })

  test('takes the time of the database, or of a test', () => {
    const sql = 'SELECT @a WHERE due_at <= clock(@now)'
    expect(toPostgres(sql).text).toMatch(/^SELECT \$1 WHERE due_at <= .*statement_timestamp/)
    expect(toPostgres(sql).values([{ a: 1, now: 2 }])).toEqual([1])
    expect(toPostgres(sql, 'caller').text).toBe('SELECT $1 WHERE due_at <= $2::bigint')
    expect(toPostgres(sql, 'caller').values([{ a: 1, now: 2 }])).toEqual([1, 2])
  })

  test('takes parameters by position or by name', () => {
    expect(toPostgres('SELECT ?, ?').values([1, 'b'])).toEqual([1, 'b'])
    expect(toPostgres('SELECT @b, @a, @b').values([{ a: 1, b: 2 }])).toEqual([2, 1])
  })
})

describe.skipIf(!HAS_POSTGRES)('the engine on PostgreSQL', () => {
  let server: PostgresServer
  let engine: PostgresEngine

  beforeAll(async () => {
    server = await startPostgres()
    engine = openPostgresEngine({ url: server.url, answerMs: PATIENT_MS })
    await migratePostgres(engine)
  })
  afterAll(async () => {
    await engine.close()
    await server.close()
  })

  /**
   * Runs two operations of different accounts concurrently; each adds a request only if the two have none (write
   * skew).
   */
  async function raceAt(engine: PostgresEngine, day: number): Promise<number> {
    const total = engine.prepare<[number], { n: number }>(
      'SELECT coalesce(sum(used), 0) AS n FROM usage_daily WHERE day = ?',
    )
    const add = engine.prepare<[number, number]>(
      'INSERT INTO usage_daily (account_id, day, used) VALUES (?, ?, 1)',
    )
    const { promise: bothHaveRead, resolve } = Promise.withResolvers<void>()
    let reads = 0
    const operation = (account: number) =>
      engine.transact(function* () {
        const row = yield* total.get(day)
        if (++reads === 2) resolve()
        // Waits in the database, where the other operation's snapshot is already taken.
        yield* pause.get()
        if (row?.n === 0) yield* add.run(account, day)
      })
    const pause = engine.prepare<[], unknown>('SELECT pg_sleep(0.2)')
    await Promise.all([operation(await newAccount()), operation(await newAccount()), bothHaveRead])
    return (await engine.query(total.get(day)))?.n ?? 0
  }

  async function newAccount(): Promise<number> {
    const insert = engine.prepare<[string], { id: number }>(
      `INSERT INTO accounts (email, password_hash, tier, created_at) VALUES (?, '', 'free', 0)
       RETURNING id`,
    )
    return (await engine.query(insert.get(`${crypto.randomUUID()}@example.com`)))?.id ?? 0
  }

  test('repeats an operation that met another, so that both cannot take the last one', async () => {
    expect(await raceAt(engine, 1)).toBe(1)
  })

  test('needs SERIALIZABLE for that: READ COMMITTED lets both', async () => {
    const weak = openPostgresEngine({
      url: server.url,
      answerMs: PATIENT_MS,
      isolation: 'READ COMMITTED',
    })
    expect(await raceAt(weak, 2)).toBe(2)
    await weak.close()
  })

  const addOne = `INSERT INTO usage_daily AS today (account_id, day, used) VALUES (?, 3, 1)
     ON CONFLICT (account_id, day) DO UPDATE SET used = today.used + 1`
  const usedThen = 'SELECT used FROM usage_daily WHERE account_id = ? AND day = 3'

  test('locks the account first, so that operations of one account wait for other servers', async () => {
    const account = await newAccount()
    const other = openPostgresEngine({ url: server.url, answerMs: PATIENT_MS })
    const operations = [engine, other].flatMap((server) => {
      const add = server.prepare<[number]>(addOne)
      return Array.from({ length: 4 }, () => server.transact(() => add.run(account), { account }))
    })
    await Promise.all(operations)
    const used = engine.prepare<[number], { used: number }>(usedThen)
    expect(await engine.query(used.get(account))).toEqual({ used: 8 })
    await other.close()
  })

  test('runs the operations of one account in turn, so that none is repeated', async () => {
    const account = await newAccount()
    const add = engine.prepare<[number]>(addOne)
    const fail = engine.prepare<[], unknown>('SELECT 1 / 0')
    const { repeated } = engine.countConnections()
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        engine.transact(() => (index === 5 ? fail.get() : add.run(account)), { account }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(19)
    expect(engine.countConnections().repeated).toBe(repeated)
    const used = engine.prepare<[number], { used: number }>(usedThen)
    expect(await engine.query(used.get(account))).toEqual({ used: 19 })
  })

  test('counts the wait for earlier operations of the account in the time limit', async () => {
    const account = await newAccount()
    const hasty = openPostgresEngine({ url: server.url, answerMs: 400 })
    const slow = hasty.prepare<[], unknown>('SELECT pg_sleep(0.1)')
    const add = hasty.prepare<[number]>(addOne)
    const OPERATIONS = 100
    const ended: number[] = []
    const began = performance.now()
    const operation = async () => {
      const result = hasty.transact(
        function* () {
          yield* slow.get()
          yield* add.run(account)
        },
        { account },
      )
      return result.finally(() => ended.push(performance.now() - began))
    }
    const results = await Promise.allSettled(Array.from({ length: OPERATIONS }, operation))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
    const used = engine.prepare<[number], { used: number }>(usedThen)
    expect(await engine.query(used.get(account))).toEqual({ used: OPERATIONS - refused.length })
    // Run one after another, they would take ten seconds.
    expect(Math.max(...ended)).toBeLessThan(8_000)
    await hasty.close()
  })

  test.each(['before', 'after'] as const)(
    'adds once if the connection ends %s the database has stored the operation',
    async (moment) => {
      const proxy = await startLosingProxy(server.port, moment)
      const remote = openPostgresEngine({
        url: server.url.replace(`${server.port}`, `${proxy.port}`),
        answerMs: PATIENT_MS,
      })
      const account = await newAccount()
      const add = remote.prepare<[number]>(
        'INSERT INTO usage_daily (account_id, day, used) VALUES (?, 4, 1)',
      )
      expect(await remote.transact(() => add.run(account))).toBe(1)
      expect(proxy.lost()).toBe(1)
      const used = engine.prepare<[number], { used: number }>(
        'SELECT used FROM usage_daily WHERE account_id = ? AND day = 4',
      )
      expect(await engine.query(used.all(account))).toEqual([{ used: 1 }])
      await remote.close()
      proxy.close()
    },
  )

  test('reports within two seconds that the ledger does not answer', async () => {
    const gone = openPostgresEngine({ url: 'postgres://ledger@127.0.0.1:1/none' })
    const one = gone.prepare<[], unknown>('SELECT 1')
    await expect(gone.query(one.get())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryAfter: 5,
    })
    await expect(gone.transact(() => one.get())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await gone.close()
    const hasty = openPostgresEngine({ url: server.url })
    const slow = hasty.prepare<[], unknown>('SELECT pg_sleep(5)')
    await expect(hasty.query(slow.get())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await hasty.close()
  })

  test('reports the same for a standby until it is promoted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-standby-'))
    const database = await startPostgres({ folder })
    const remote = openPostgresEngine({ url: database.url, answerMs: PATIENT_MS })
    await migratePostgres(remote)
    const isStandby = remote.prepare<[], { is: boolean }>('SELECT pg_is_in_recovery() AS is')
    const add = remote.prepare<[number]>(
      'INSERT INTO usage_daily (account_id, day, used) VALUES (?, 7, 1)',
    )
    writeFileSync(join(folder, 'data/standby.signal'), '')
    const promoted = database.crash()
    while (!(await remote.query(isStandby.get()).catch(() => undefined))?.is) await Bun.sleep(20)

    await expect(remote.query(add.run(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const operation = remote.transact(() => add.run(1))
    await expect(operation).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await remote.execute('SELECT pg_promote()')
    await promoted
    expect(await remote.transact(() => isStandby.get())).toEqual({ is: false })
    await remote.close()
    await database.close()
    rmSync(folder, { recursive: true })
  })

  test('ends an operation of many slow statements at the time limit', async () => {
    const hasty = openPostgresEngine({ url: server.url, answerMs: 400 })
    const slow = hasty.prepare<[], unknown>('SELECT pg_sleep(0.1)')
    const add = hasty.prepare<[number]>(
      'INSERT INTO usage_daily (account_id, day, used) VALUES (?, 6, 1)',
    )
    const account = await newAccount()
    const operation = hasty.transact(function* () {
      yield* add.run(account)
      for (let step = 0; step < 20; step++) yield* slow.get()
    })
    await expect(operation).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const used = hasty.prepare<[number], unknown>(
      'SELECT used FROM usage_daily WHERE account_id = ? AND day = 6',
    )
    expect(await hasty.query(used.get(account))).toBeUndefined()
    await hasty.close()
  })

  test('forgets after an hour which operations were stored', async () => {
    const count = engine.prepare<[], { n: number }>('SELECT count(*) AS n FROM stored_transactions')
    const one = engine.prepare<[], unknown>('SELECT 1')
    await engine.execute("UPDATE stored_transactions SET at = at - INTERVAL '61 minutes'")
    const old = (await engine.query(count.get()))?.n ?? 0
    await engine.transact(() => one.get())
    expect(await engine.forgetOperations(1)).toBe(1)
    expect(await engine.forgetOperations(old)).toBe(old - 1)
    expect(await engine.query(count.get())).toEqual({ n: 1 })
  })
})
