import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createQuotaCharger } from '#actions/accounts/charge-quota.ts'
import { getUsage } from '#actions/accounts/get-usage.ts'
import { createKey } from '#actions/accounts/manage-keys.ts'
import { createUsageCounter } from '#actions/accounts/record-usage.ts'
import { DAILY_REQUESTS } from '#rules/accounts/tiers.ts'
import { dayOf, nextMidnight } from '#rules/primitives/days.ts'
import { openDatabase } from '#store/db.ts'
import type { KeyUsage } from '#store/ledger/usage.ts'
import { openLedger } from '#store/open-ledger.ts'
import {
  createLedgerFile,
  createTestLog,
  FROZEN_TIME,
  type LogLine,
} from '../../support/test-app.ts'

const TODAY = dayOf(new Date(FROZEN_TIME))
const DAY_MS = 86_400_000

let file: Awaited<ReturnType<typeof createLedgerFile>>
let ledger: ReturnType<typeof openLedger>
let clock: number
let lines: LogLine[]

beforeEach(async () => {
  file = await createLedgerFile()
  ledger = openLedger(file.folder)
  clock = Date.parse(FROZEN_TIME)
  lines = []
})
afterEach(() => {
  ledger.close()
  file.close()
})

const now = () => new Date(clock)

/** The counter of one server. */
function openCounter(on: Pick<ReturnType<typeof openLedger>, 'usage'> = ledger) {
  const deps = { ledger: { ...ledger, ...on }, log: createTestLog(lines), now }
  const counter = createUsageCounter(deps)
  const groups = new Map<string, ReturnType<typeof counter.group>>()
  return {
    flush: counter.flush,
    use(key_id: string, times = 1, group = 'cards'): void {
      const count = groups.get(group) ?? counter.group(group)
      groups.set(group, count)
      const quota = { daily_limit: 1, daily_remaining: 1, daily_reset: nextMidnight(now()) }
      for (let used = 0; used < times; used++) {
        count({ kind: 'key', key_id, account_id: file.accounts.pro, tier: 'pro' }, quota)
      }
    },
  }
}

const makeKey = async () => {
  const key = { account_id: file.accounts.pro, address: undefined, name: 'Counted' }
  return (await createKey({ ledger, now }, key)).id
}

const keyNow = (id: string, today = TODAY) =>
  ledger.keys.get({ id, account_id: file.accounts.pro, today })

/** Number of writes to the file. */
function openCommits(): () => number {
  const db = openDatabase(`${file.folder}/ledger.db`, { readonly: true })
  const version = db.prepare<[], number>('PRAGMA data_version').pluck()
  return () => version.get() ?? 0
}

/** A ledger whose writing of usage fails as long as it should. */
function openFailing() {
  const state = { fails: true, tried: 0 }
  const usage = {
    ...ledger.usage,
    async add(counted: readonly KeyUsage[]): Promise<void> {
      state.tried++
      if (state.fails) throw new Error('the disk is full')
      await ledger.usage.add(counted)
    },
  }
  return { state, usage }
}

describe('the usage of a key', () => {
  test('is written only by a flush, and once', async () => {
    const id = await makeKey()
    const counter = openCounter()
    const commits = openCommits()
    const before = commits()
    counter.use(id, 1_000)
    expect(commits()).toBe(before)
    expect(await keyNow(id)).toMatchObject({ requests_today: 0, last_used_at: null })
    await counter.flush()
    expect(commits()).not.toBe(before)
    const used = { requests_today: 1_000, requests_total: 1_000, last_used_at: clock }
    expect(await keyNow(id)).toMatchObject(used)
    const after = commits()
    for (let again = 0; again < 5; again++) await counter.flush()
    expect(commits()).toBe(after)
    expect(await keyNow(id)).toMatchObject(used)
  })

  test('adds up over flushes, groups and keys', async () => {
    const [first, second] = [await makeKey(), await makeKey()]
    const counter = openCounter()
    for (let round = 1; round <= 4; round++) {
      counter.use(first, round, 'cards')
      counter.use(first, 1, 'search')
      counter.use(second, 2, 'cards')
      await counter.flush()
    }
    expect(await keyNow(first)).toMatchObject({ requests_today: 14, requests_total: 14 })
    expect(await keyNow(second)).toMatchObject({ requests_today: 8 })
    const { days, keys } = await getUsage({ ledger, now }, file.accounts.pro)
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toEqual({
      date: '2026-11-15',
      requests: 22,
      groups: { cards: 18, search: 4 },
    })
    expect(keys.find((key) => key.id === first)?.days).toEqual([
      { date: '2026-11-15', requests: 14, groups: { cards: 10, search: 4 } },
    ])
  })

  test('adds up over two servers on one file that write concurrently', async () => {
    const id = await makeKey()
    const other = openLedger(file.folder)
    const counters = [openCounter(), openCounter(other)]
    for (let round = 0; round < 20; round++) {
      for (const counter of counters) counter.use(id, 3)
      await Promise.all(counters.map((counter) => counter.flush()))
    }
    expect(await keyNow(id)).toMatchObject({ requests_today: 120, requests_total: 120 })
    other.close()
  })

  test('of a killed server is lost only since the last flush', async () => {
    const id = await makeKey()
    const killed = openCounter()
    killed.use(id, 40)
    await killed.flush()
    killed.use(id, 7)
    const next = openCounter()
    next.use(id, 1)
    await next.flush()
    expect(await keyNow(id)).toMatchObject({ requests_today: 41, requests_total: 41 })
  })

  test('is retained while the ledger fails, and written completely afterwards', async () => {
    const id = await makeKey()
    const { state, usage } = openFailing()
    const counter = openCounter({ usage })
    for (let failed = 0; failed < 5; failed++) {
      counter.use(id, 10)
      await counter.flush()
    }
    expect(await keyNow(id)).toMatchObject({ requests_today: 0 })
    expect(lines.map(({ event }) => event)).toEqual(Array(5).fill('failed to write usage'))
    state.fails = false
    counter.use(id, 1)
    await Promise.all([counter.flush(), counter.flush(), counter.flush()])
    expect(await keyNow(id)).toMatchObject({ requests_today: 51, requests_total: 51 })
    expect(state.tried).toBe(6)
  })

  test('of very many keys is also retained while the ledger fails', async () => {
    const { state, usage } = openFailing()
    let written = 0
    const add = async (counted: readonly KeyUsage[]) => {
      await usage.add([])
      written = counted.length
    }
    const counter = openCounter({ usage: { ...usage, add } })
    for (const group of ['cards', 'sets', 'search']) {
      for (let key = 0; key < 300_000; key++) counter.use(`key ${key}`, 1, group)
    }
    await counter.flush()
    await counter.flush()
    expect(written).toBe(0)
    state.fails = false
    await counter.flush()
    expect(written).toBe(900_000)
  })

  test('is written without that of keys that are gone', async () => {
    const id = await makeKey()
    const row = { key_id: id, day: TODAY, endpoint_group: 'cards', last_used_at: clock }
    await ledger.usage.add([
      { ...row, requests: 5 },
      { ...row, key_id: 'no such key', requests: 5 },
    ])
    expect(await keyNow(id)).toMatchObject({ requests_today: 5, requests_total: 5 })
  })
})

describe('midnight', () => {
  test('separates counts before and after it', async () => {
    const id = await makeKey()
    const counter = openCounter()
    clock = Date.parse('2026-11-15T23:59:59.999Z')
    counter.use(id, 5)
    clock = Date.parse('2026-11-16T00:00:00.000Z')
    counter.use(id, 3)
    clock += 3_600_000
    await counter.flush()
    expect(await keyNow(id)).toMatchObject({ requests_today: 5, requests_total: 8 })
    expect(await keyNow(id, TODAY + 1)).toMatchObject({ requests_today: 3, last_used_at: clock })
  })

  test('before the flush leaves the usage on its day', async () => {
    const id = await makeKey()
    const counter = openCounter()
    counter.use(id, 5)
    clock = Date.parse('2026-11-16T00:00:04.000Z')
    await counter.flush()
    expect(await keyNow(id)).toMatchObject({
      requests_today: 5,
      last_used_at: Date.parse('2026-11-15T23:59:59.999Z'),
    })
    expect(await keyNow(id, TODAY + 1)).toMatchObject({ requests_today: 0 })
  })

  test('during a burst, with a clock that jumps, gives each day its own quota and usage', async () => {
    const id = await makeKey()
    const counter = openCounter()
    const other = openLedger(file.folder)
    const servers = [ledger, other].map((on) => createQuotaCharger({ ledger: on, now }))
    const who = { account_id: file.accounts.free, tier: 'free' } as const
    const granted = new Map<string, number>()
    const burst = (count: number) =>
      Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const spent = await servers[index % 2]?.charge(who)
          if (spent?.isAllowed !== true) return
          const { daily_reset } = spent.quota
          granted.set(daily_reset, (granted.get(daily_reset) ?? 0) + 1)
          // Booked as of the quota that it was charged to.
          if (daily_reset === nextMidnight(now())) counter.use(id)
        }),
      )
    const moments = ['2026-11-15T23:59:59.000Z', '2026-11-16T00:00:01.000Z']
    for (let turn = 0; turn < 12; turn++) {
      clock = Date.parse(moments[turn % 2] ?? FROZEN_TIME)
      const running = burst(30)
      // Some of the burst still waits for the file while the day changes under it.
      if (turn % 3 === 2) clock = Date.parse(moments[(turn + 1) % 2] ?? FROZEN_TIME)
      await running
      if (turn % 4 === 1) await counter.flush()
    }
    for (const moment of moments) {
      clock = Date.parse(moment)
      await burst(300)
    }
    expect([...granted.keys()].sort()).toEqual([
      '2026-11-16T00:00:00.000Z',
      '2026-11-17T00:00:00.000Z',
    ])
    for (const [day, count] of granted) {
      expect([day, count <= DAILY_REQUESTS.free]).toEqual([day, true])
      expect(count).toBeGreaterThan(0)
    }
    await counter.flush()
    for (const [day, reset] of [...granted.keys()].sort().entries()) {
      const { requests_today = -1 } = (await keyNow(id, TODAY + day)) ?? {}
      expect(requests_today).toBeLessThanOrEqual(granted.get(reset) ?? 0)
    }
    for (const server of servers) await server.close()
    // Returned leases can be granted again, never more than was left.
    for (const [index, moment] of moments.entries()) {
      clock = Date.parse(moment)
      const taken = await ledger.usage.getUsed(who.account_id, TODAY + index)
      expect(taken).toBeLessThanOrEqual(DAILY_REQUESTS.free)
    }
    other.close()
  })
})

describe('the usage report', () => {
  test('covers thirty days, and older usage is deleted', async () => {
    const id = await makeKey()
    const counter = openCounter()
    for (let ago = 40; ago >= 0; ago--) {
      clock = Date.parse(FROZEN_TIME) - ago * DAY_MS
      counter.use(id, ago + 1)
    }
    await counter.flush()
    const { days, keys } = await getUsage({ ledger, now }, file.accounts.pro)
    expect(days.map(({ requests }) => requests)).toEqual(
      Array.from({ length: 30 }, (_, index) => 30 - index),
    )
    const total = (41 * 42) / 2
    expect(keys.find((key) => key.id === id)?.requests_total).toBe(total)
    await ledger.usage.deleteBefore(TODAY - 29, 100)
    expect((await getUsage({ ledger, now }, file.accounts.pro)).days).toEqual(days)
    expect(await ledger.usage.listByAccount(file.accounts.pro, 0)).toHaveLength(30)
    expect(await keyNow(id)).toMatchObject({ requests_total: total })
  })

  test('belongs to one account', async () => {
    const counter = openCounter()
    counter.use(await makeKey(), 9)
    await counter.flush()
    const { days, keys } = await getUsage({ ledger, now }, file.accounts.hobby)
    expect(days.every(({ requests }) => requests === 0)).toBe(true)
    expect(keys.every(({ requests_total }) => requests_total === 0)).toBe(true)
  })
})
