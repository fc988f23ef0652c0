import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { getUsage } from '#actions/accounts/get-usage.ts'
import { createKey } from '#actions/accounts/manage-keys.ts'
import { createUsageCounter } from '#actions/accounts/record-usage.ts'
import { dayOf, nextMidnight } from '#rules/primitives/days.ts'
import { openDatabase } from '#store/db.ts'
import type { KeyUsage } from '#store/ledger/usage.ts'
import {
  createLedgerFile,
  createTestLog,
  FROZEN_TIME,
  type LogLine,
  openLedgerFile,
} from '../../support/test-app.ts'

const TODAY = dayOf(new Date(FROZEN_TIME))
const DAY_MS = 86_400_000

let file: Awaited<ReturnType<typeof createLedgerFile>>
let ledger: ReturnType<typeof openLedgerFile>
let clock: number
let lines: LogLine[]

beforeEach(async () => {
  file = await createLedgerFile()
  ledger = openLedgerFile(file.folder)
  clock = Date.parse(FROZEN_TIME)
  lines = []
})
afterEach(() => {
  ledger.close()
  file.close()
})

const now = () => new Date(clock)

/** Opens the usage counter of a server. */
function openCounter(on: Pick<ReturnType<typeof openLedgerFile>, 'usage'> = ledger) {
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

/** Opens a ledger on which writing usage fails as long as the test wants. */
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
    const other = openLedgerFile(file.folder)
    const counters = [openCounter(), openCounter(other)]
    for (let round = 0; round < 20; round++) {
      for (const counter of counters) counter.use(id, 3)
      await Promise.all(counters.map((counter) => counter.flush()))
    }
    expect(await keyNow(id)).toMatchObject({ requests_today: 120, requests_total: 120 })
    other.close()
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
})
