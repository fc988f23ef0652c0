import { heapStats } from 'bun:jsc'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { listNetworks } from '#rules/accounts/client-networks.ts'
import { divideTotal, type VisitorMemory } from '#rules/accounts/visitor-day.ts'
import { createDailyCounts, type DailyCounts } from '#store/memory/daily-counts.ts'
import { createVisitorQuota } from '../../support/accounts/visitors.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'

const NOW = new Date('2026-11-15T21:30:00.000Z')
const MIDNIGHT = '2026-11-16T00:00:00.000Z'

/** The default settings. */
const DEFAULTS = { requests: 500, cards: 3_000, records: 30_000, total: 20_000 }

type Settings = Partial<typeof DEFAULTS>

type QuotaOptions = Settings & { memory?: VisitorMemory; counts?: DailyCounts }

function createQuota({ memory, counts = createDailyCounts(), ...settings }: QuotaOptions = {}) {
  const { total, ...perClient } = { ...DEFAULTS, ...settings }
  const limits = { perClient, total }
  const quota = createVisitorQuota({ limits, counts, ...(memory && { memory }) })
  /** Sends a request; returns true if it was allowed. */
  const send = async (address: string, now = NOW) =>
    (await quota.open(address).charge(1, now)).isAllowed
  return {
    send,
    /** Sends requests at once; returns how many were allowed. */
    async sendMany(address: string, count: number): Promise<number> {
      const answers = await Promise.all(range(0, count).map(() => send(address)))
      return answers.filter(Boolean).length
    },
    receive: (address: string, cards: readonly number[], records = cards.length, now = NOW) =>
      quota.open(address).receive({ cards, records }, now),
    left: async (address: string, now = NOW) =>
      (await quota.open(address).get(now)).daily_remaining,
    open: quota.open,
  }
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)

// Generates addresses in few networks that overlap in every way.
const anyAddress = fc.oneof(
  fc.tuple(fc.nat(1), fc.nat(2), fc.nat(2)).map(([b, c, d]) => `10.${b}.${c}.${d}`),
  fc
    .tuple(fc.nat(1), fc.nat(1), fc.constantFrom('100', '1ff', '200'), fc.nat(2))
    .map(([b, c, d, end]) => `2001:${b}:${c}:${d}::${end}`),
)

const anyLimits = fc.record({
  requests: fc.integer({ min: 1, max: 20 }),
  total: fc.integer({ min: 1, max: 120 }),
})

describe.each(LEDGERS)('visitors, counted beside a ledger on %s,', (name, create) => {
  // A statement takes a hundred times as long as the pure function.
  const [numRuns, maxLength] = name === 'SQLite' ? [100, 200] : [30, 60]
  let ledgers: TestLedgers
  let dailyCounts: DailyCounts
  let days = 0
  beforeAll(async () => {
    ledgers = await create()
    dailyCounts = ledgers.open().dailyCounts
  })
  afterAll(() => ledgers.close())

  /** Returns counts that begin at zero, as on a new day. */
  function freshCounts(): DailyCounts {
    days += 10
    const shift = days
    return {
      ...dailyCounts,
      update: (day, listNames, change) => dailyCounts.update(day + shift, listNames, change),
    }
  }

  const createFreshQuota = (options: Omit<QuotaOptions, 'counts'> = {}) =>
    createQuota({ ...options, counts: freshCounts() })

  test('never exceed a limit of a network or of the total, and are allowed as announced', async () => {
    const requests = fc.array(
      fc.record({ from: anyAddress, credits: fc.integer({ min: 1, max: 5 }), fails: fc.boolean() }),
      { maxLength },
    )
    await fc.assert(
      fc.asyncProperty(anyLimits, requests, async (limits, sequence) => {
        const quota = createFreshQuota(limits)
        const spent = new Map<string, number>()
        let total = 0
        for (const { from, credits, fails } of sequence) {
          const before = await quota.left(from)
          const request = quota.open(from)
          const { isAllowed, quota: charged } = await request.charge(credits, NOW)
          expect(isAllowed).toBe(credits <= before)
          expect(charged.daily_limit).toBe(limits.requests)
          expect(charged.daily_reset).toBe(MIDNIGHT)
          if (!isAllowed) continue
          if (fails) {
            expect((await request.refund(charged, NOW)).daily_remaining).toBe(before)
            continue
          }
          total += credits
          for (const { key, width } of listNetworks(from)) {
            spent.set(key, (spent.get(key) ?? 0) + credits)
            const multiple = { client: 1, home: 2, site: 4, provider: Infinity }[width]
            expect(spent.get(key)).toBeLessThanOrEqual(limits.requests * multiple)
          }
          expect(total).toBeLessThanOrEqual(limits.total)
        }
      }),
      { numRuns },
    )
  })

  test.each([
    ['one address', (at: number) => `192.0.2.${at % 1}`, 1],
    ['an IPv4 /24', (at: number) => `192.0.2.${at % 256}`, 4],
    ['an IPv6 /64', (at: number) => `2001:db8:0:1::${at.toString(16)}`, 1],
    ['an IPv6 /56', (at: number) => `2001:db8:0:${(at % 256).toString(16)}::1`, 2],
    ['an IPv6 /48', (at: number) => `2001:db8:0:${at.toString(16)}::1`, 4],
  ])('of %s are limited', async (_network, addressAt, multiple) => {
    const requests = 100
    const quota = createFreshQuota({ requests })
    const answers = await Promise.all(range(0, 1_000).map((at) => quota.send(addressAt(at))))
    expect(answers.filter(Boolean).length).toBe(multiple * requests)
    expect(await quota.send('203.0.113.1')).toBe(true)
  })

  test('are forgotten at midnight, and a refund of the previous day counts for nothing', async () => {
    const quota = createFreshQuota({ requests: 2, total: 4 })
    const late = new Date('2026-11-15T23:59:59.999Z')
    const request = quota.open('192.0.2.1')
    const { quota: charged } = await request.charge(2, late)
    expect(await quota.left('192.0.2.1', late)).toBe(0)
    const today = new Date(MIDNIGHT)
    expect((await quota.open('192.0.2.1').charge(1, today)).quota).toEqual({
      daily_limit: 2,
      daily_remaining: 1,
      daily_reset: '2026-11-17T00:00:00.000Z',
    })
    expect((await request.refund(charged, today)).daily_remaining).toBe(1)
  })

  test('have a reserve for addresses that were not seen after the others used up their half', async () => {
    const quota = createFreshQuota({ total: 8 })
    expect(await quota.sendMany('192.0.2.1', 9)).toBe(4)
    expect(await quota.sendMany('198.51.100.1', 9)).toBe(1)
    expect(await quota.send('192.0.2.1')).toBe(false)
    expect(await quota.send('203.0.113.1')).toBe(true)
  })

  test('have 25 requests of each new network in the default reserve', async () => {
    expect(divideTotal(20_000)).toEqual({
      common: 10_000,
      reserve: 10_000,
      reservePerNetwork: 25,
      reservePerProvider: 2_500,
    })
    const quota = createFreshQuota()
    await Promise.all(range(0, 20).map((at) => quota.sendMany(`10.${at}.0.1`, 500)))
    expect(await quota.sendMany('192.0.2.1', 99)).toBe(25)
    // Its neighbors share these.
    expect(await quota.send('192.0.2.2')).toBe(false)
    expect(await quota.sendMany('2001:db8::1', 99)).toBe(25)
    expect(await quota.send('2001:db8:0:ffff::1')).toBe(false)
  })

  test('receive a limited number of cards; those already seen stay visible', async () => {
    const quota = createFreshQuota({ cards: 300 })
    expect(await quota.receive('192.0.2.1', range(1, 100))).toBe(true)
    expect(await quota.receive('192.0.2.1', range(51, 250))).toBe(true)
    expect(await quota.receive('192.0.2.1', [301])).toBe(false)
    expect(await quota.receive('192.0.2.1', range(1, 300))).toBe(true)
    expect(await quota.receive('192.0.2.1', [1, 1, 1, 301])).toBe(false)
    expect(await quota.receive('198.51.100.1', [301, 301, 301])).toBe(true)
  })

  test('receive a limited number of records', async () => {
    const quota = createFreshQuota({ records: 100 })
    expect(await quota.receive('192.0.2.1', [1], 90)).toBe(true)
    expect(await quota.receive('192.0.2.1', [1], 11)).toBe(false)
    expect(await quota.receive('192.0.2.1', [1], 10)).toBe(true)
    expect(await quota.receive('192.0.2.1', [], 1)).toBe(false)
    expect(await quota.receive('192.0.2.1', [], 0)).toBe(true)
    expect(await quota.receive('192.0.2.1', [], 1, new Date(MIDNIGHT))).toBe(true)
  })

  test.each([
    ['an IPv4 /24', (at: number) => `192.0.2.${at}`, 4],
    ['an IPv6 /56', (at: number) => `2001:db8:0:${at}::1`, 2],
    ['an IPv6 /48', (at: number) => `2001:db8:0:${at}00::1`, 4],
  ])('in %s receive a limited number of cards', async (_network, addressAt, multiple) => {
    const quota = createFreshQuota({ cards: 10, records: 10 })
    const answers = await Promise.all(
      range(0, 20).map((at) => quota.receive(addressAt(at), range(at * 10, 10))),
    )
    expect(answers.filter(Boolean).length).toBe(multiple)
    expect(await quota.receive('203.0.113.1', range(0, 10))).toBe(true)
  })

  test('never receive more than their limits, however small the memory is', async () => {
    const responses = fc.array(
      fc.record({
        from: fc.tuple(fc.nat(1), fc.nat(2)).map(([c, d]) => `10.0.${c}.${d}`),
        cards: fc.array(fc.nat(40), { maxLength: 15 }),
        more: fc.nat(10),
      }),
      { maxLength },
    )
    const bounds = fc.record({ networks: fc.nat(12), cards: fc.nat(60) })
    await fc.assert(
      fc.asyncProperty(responses, bounds, async (sequence, memory) => {
        const limits = { cards: 20, records: 100 }
        const quota = createFreshQuota({ ...limits, memory })
        const seen = new Map<string, { cards: Set<number>; records: number }>()
        for (const { from, cards, more } of sequence) {
          const records = cards.length + more
          if (!(await quota.receive(from, cards, records))) continue
          const client = seen.get(from) ?? { cards: new Set(), records: 0 }
          for (const card of cards) client.cards.add(card)
          client.records += records
          seen.set(from, client)
          expect(client.cards.size).toBeLessThanOrEqual(limits.cards)
          expect(client.records).toBeLessThanOrEqual(limits.records)
        }
      }),
      { numRuns },
    )
  })

  test('from new networks share the limits of one network when the memory is full', async () => {
    const memory = { networks: 3, cards: 0 }
    const quota = createFreshQuota({ requests: 2, total: 1_000, memory })
    expect(await quota.send('192.0.2.1')).toBe(true)
    const others = await Promise.all(range(0, 100).map((at) => quota.send(`10.${at}.0.1`)))
    expect(others.filter(Boolean).length).toBe(2)
    expect(await quota.sendMany('192.0.2.1', 9)).toBe(1)
  })
})

test('the memory stays small, however many addresses there are', async () => {
  const quota = createQuota({ total: 1_000_000, memory: { networks: 1_000, cards: 1_000 } })
  const grow = async (count: number) => {
    for (let at = 0; at < count; at++) {
      const request = quota.open(`${1 + (at >> 8)}.${at & 255}.0.1`)
      await request.charge(1, NOW)
      await request.receive({ cards: [at, at + 1, at + 2], records: 3 }, NOW)
    }
    Bun.gc(true)
    return heapStats().heapSize
  }
  const full = await grow(1_000)
  // Without the bound it would grow by some 25 MB.
  expect((await grow(40_000)) - full).toBeLessThan(3e6)
})
