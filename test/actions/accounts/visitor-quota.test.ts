import { heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createVisitorQuota, type VisitorMemory } from '#actions/accounts/visitor-quota.ts'
import { listNetworks } from '#rules/accounts/client-networks.ts'
import { divideTotal } from '#rules/accounts/visitors.ts'

const NOW = new Date('2026-11-15T21:30:00.000Z')
const MIDNIGHT = '2026-11-16T00:00:00.000Z'

/** The default settings. */
const DEFAULTS = { requests: 500, cards: 3_000, records: 30_000, total: 20_000 }

type Settings = Partial<typeof DEFAULTS>

function createQuota(settings: Settings = {}, memory?: VisitorMemory) {
  const { total, ...perClient } = { ...DEFAULTS, ...settings }
  const quota = createVisitorQuota({ perClient, total }, memory)
  return {
    /** Sends one request; returns true if it was allowed. */
    send: (address: string, now = NOW) => quota.open(address).charge(1, now).isAllowed,
    /** Sends requests until one is refused, or `most` were sent; returns how many were allowed. */
    sendMany(address: string, most: number): number {
      for (let sent = 0; sent < most; sent++) {
        if (!quota.open(address).charge(1, NOW).isAllowed) return sent
      }
      return most
    },
    receive: (address: string, cards: readonly number[], records = cards.length, now = NOW) =>
      quota.open(address).receive({ cards, records }, now),
    left: (address: string, now = NOW) => quota.open(address).get(now).daily_remaining,
    open: quota.open,
  }
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)

describe('the requests of visitors', () => {
  // Few networks that overlap in every way.
  const address = fc.oneof(
    fc.tuple(fc.nat(1), fc.nat(2), fc.nat(2)).map(([b, c, d]) => `10.${b}.${c}.${d}`),
    fc
      .tuple(fc.nat(1), fc.nat(1), fc.constantFrom('100', '1ff', '200'), fc.nat(2))
      .map(([b, c, d, end]) => `2001:${b}:${c}:${d}::${end}`),
  )
  const requests = fc.array(
    fc.record({ from: address, credits: fc.integer({ min: 1, max: 5 }), fails: fc.boolean() }),
    { maxLength: 200 },
  )
  const settings = fc.record({
    requests: fc.integer({ min: 1, max: 20 }),
    total: fc.integer({ min: 1, max: 120 }),
  })

  test('never exceed a limit of a network or of the total, and are allowed as announced', () => {
    fc.assert(
      fc.property(settings, requests, (limits, sequence) => {
        const quota = createQuota(limits)
        const spent = new Map<string, number>()
        let total = 0
        for (const { from, credits, fails } of sequence) {
          const before = quota.left(from)
          const request = quota.open(from)
          const { isAllowed, quota: charged } = request.charge(credits, NOW)
          expect(isAllowed).toBe(credits <= before)
          expect(charged.daily_limit).toBe(limits.requests)
          expect(charged.daily_reset).toBe(MIDNIGHT)
          if (!isAllowed) continue
          if (fails) {
            expect(request.refund(charged, NOW).daily_remaining).toBe(before)
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
    )
  })

  test.each([
    ['one address', (at: number) => `192.0.2.${at % 1}`, 500],
    ['an IPv4 /24', (at: number) => `192.0.2.${at % 256}`, 2_000],
    ['an IPv6 /64', (at: number) => `2001:db8:0:1::${at.toString(16)}`, 500],
    ['an IPv6 /56', (at: number) => `2001:db8:0:${(at % 256).toString(16)}::1`, 1_000],
    ['an IPv6 /48', (at: number) => `2001:db8:0:${at.toString(16)}::1`, 2_000],
  ])('of %s are limited', (_name, addressAt, limit) => {
    const quota = createQuota()
    const allowed = range(0, 30_000).filter((at) => quota.send(addressAt(at)))
    expect(allowed.length).toBe(limit)
    expect(quota.send('203.0.113.1')).toBe(true)
  })

  test('are forgotten at midnight, and a refund of the previous day counts for nothing', () => {
    const quota = createQuota({ requests: 2, total: 4 })
    const late = new Date('2026-11-15T23:59:59.999Z')
    const request = quota.open('192.0.2.1')
    const { quota: charged } = request.charge(2, late)
    expect(quota.left('192.0.2.1', late)).toBe(0)
    const today = new Date(MIDNIGHT)
    expect(quota.open('192.0.2.1').charge(1, today).quota).toEqual({
      daily_limit: 2,
      daily_remaining: 1,
      daily_reset: '2026-11-17T00:00:00.000Z',
    })
    expect(request.refund(charged, today).daily_remaining).toBe(1)
  })
})

describe('the reserve', () => {
  test('serves an address that was not seen today after the others used up their half', () => {
    const quota = createQuota({ total: 8 })
    expect(quota.sendMany('192.0.2.1', 9)).toBe(4)
    expect(quota.sendMany('198.51.100.1', 9)).toBe(1)
    expect(quota.send('192.0.2.1')).toBe(false)
    expect(quota.send('203.0.113.1')).toBe(true)
  })

  test('of the default serves 25 requests of each new network', () => {
    expect(divideTotal(20_000)).toEqual({
      common: 10_000,
      reserve: 10_000,
      reservePerNetwork: 25,
      reservePerProvider: 2_500,
    })
    const quota = createQuota()
    for (const at of range(0, 20)) quota.sendMany(`10.${at}.0.1`, 500)
    expect(quota.sendMany('192.0.2.1', 99)).toBe(25)
    // Its neighbours share these.
    expect(quota.send('192.0.2.2')).toBe(false)
    expect(quota.sendMany('2001:db8::1', 99)).toBe(25)
    expect(quota.send('2001:db8:0:ffff::1')).toBe(false)
  })

  test('survives any requests of one IPv6 /32: each fresh network elsewhere is served', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const order = fc.array(fc.tuple(fc.nat(3), group), { minLength: 200, maxLength: 400 })
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 200 }), (subnets, burst) => {
        const quota = createQuota({ total: 2_000 })
        for (const [c, d] of subnets) {
          quota.sendMany(`2001:db8:${c.toString(16)}:${d.toString(16)}::1`, burst)
        }
        // Then from every /48 of the /32, or so many that it makes no difference.
        for (const c of range(0, 3_000)) quota.send(`2001:db8:${c.toString(16)}::1`)
        expect(quota.sendMany('2001:db9::1', 2)).toBe(2)
        expect(quota.sendMany('192.0.2.1', 2)).toBe(2)
      }),
      { numRuns: 20 },
    )
  })

  test('survives any requests of 200 networks: half of it is left for fresh ones', () => {
    const networks = fc.uniqueArray(fc.tuple(fc.nat(255), fc.nat(255)), {
      minLength: 200,
      maxLength: 200,
      selector: String,
    })
    fc.assert(
      fc.property(
        networks,
        fc.array(fc.nat(600), { minLength: 200, maxLength: 200 }),
        fc.boolean(),
        (places, amounts, isIpv6) => {
          const total = 4_000
          const quota = createQuota({ total })
          const at = (place: number, host: number) => {
            const [b, c] = places[place] ?? [0, 0]
            return isIpv6 ? `2001:${b}:${c}:${host}::1` : `10.${b}.${c}.${host}`
          }
          for (const [place, amount] of amounts.entries()) quota.sendMany(at(place, 1), amount)
          // Then as much as they get, from many addresses each.
          for (const place of places.keys()) {
            for (const host of range(0, 20)) quota.sendMany(at(place, host), 600)
          }
          const { reserve, reservePerNetwork } = divideTotal(total)
          const honest = range(0, reserve / 2 / reservePerNetwork).map((one) => `11.${one}.0.1`)
          for (const visitor of honest) {
            expect(quota.sendMany(visitor, reservePerNetwork)).toBe(reservePerNetwork)
          }
        },
      ),
      { numRuns: 10 },
    )
  })
})

describe('the data for visitors', () => {
  test('is limited by different cards; those already seen stay visible', () => {
    const quota = createQuota({ cards: 300 })
    expect(quota.receive('192.0.2.1', range(1, 100))).toBe(true)
    expect(quota.receive('192.0.2.1', range(51, 250))).toBe(true)
    expect(quota.receive('192.0.2.1', [301])).toBe(false)
    expect(quota.receive('192.0.2.1', range(1, 300))).toBe(true)
    expect(quota.receive('192.0.2.1', [1, 1, 1, 301])).toBe(false)
    expect(quota.receive('198.51.100.1', [301, 301, 301])).toBe(true)
  })

  test('is limited by records', () => {
    const quota = createQuota({ records: 100 })
    expect(quota.receive('192.0.2.1', [1], 90)).toBe(true)
    expect(quota.receive('192.0.2.1', [1], 11)).toBe(false)
    expect(quota.receive('192.0.2.1', [1], 10)).toBe(true)
    expect(quota.receive('192.0.2.1', [], 1)).toBe(false)
    expect(quota.receive('192.0.2.1', [], 0)).toBe(true)
    expect(quota.receive('192.0.2.1', [], 1, new Date(MIDNIGHT))).toBe(true)
  })

  test.each([
    ['an IPv4 /24', (at: number) => `192.0.2.${at}`, 4],
    ['an IPv6 /56', (at: number) => `2001:db8:0:${at}::1`, 2],
    ['an IPv6 /48', (at: number) => `2001:db8:0:${at}00::1`, 4],
  ])('is limited for %s', (_name, addressAt, multiple) => {
    const quota = createQuota({ cards: 10, records: 10 })
    const allowed = range(0, 20).filter((at) => quota.receive(addressAt(at), range(at * 10, 10)))
    expect(allowed.length).toBe(multiple)
    expect(quota.receive('203.0.113.1', range(0, 10))).toBe(true)
  })

  test('never exceeds the limits, whatever is asked and however little is remembered', () => {
    const responses = fc.array(
      fc.record({
        from: fc.tuple(fc.nat(1), fc.nat(2)).map(([c, d]) => `10.0.${c}.${d}`),
        cards: fc.array(fc.nat(40), { maxLength: 15 }),
        more: fc.nat(10),
      }),
      { maxLength: 120 },
    )
    const memory = fc.record({ networks: fc.nat(12), cards: fc.nat(60) })
    fc.assert(
      fc.property(responses, memory, (sequence, bounds) => {
        const limits = { cards: 20, records: 100 }
        const quota = createQuota(limits, bounds)
        const seen = new Map<string, { cards: Set<number>; records: number }>()
        for (const { from, cards, more } of sequence) {
          const records = cards.length + more
          if (!quota.receive(from, cards, records)) continue
          const client = seen.get(from) ?? { cards: new Set(), records: 0 }
          for (const card of cards) client.cards.add(card)
          client.records += records
          seen.set(from, client)
          expect(client.cards.size).toBeLessThanOrEqual(limits.cards)
          expect(client.records).toBeLessThanOrEqual(limits.records)
        }
      }),
    )
  })
})

describe('the memory', () => {
  test('beyond it, new networks share the limits of one, and known ones keep theirs', () => {
    const quota = createQuota({ requests: 2, total: 1_000 }, { networks: 3, cards: 0 })
    expect(quota.send('192.0.2.1')).toBe(true)
    const others = range(0, 100).filter((at) => quota.send(`10.${at}.0.1`))
    expect(others.length).toBe(2)
    expect(quota.sendMany('192.0.2.1', 9)).toBe(1)
  })

  test('stays small, however many addresses there are', () => {
    const quota = createQuota({ total: 1_000_000 }, { networks: 1_000, cards: 1_000 })
    const grow = (count: number) => {
      for (let at = 0; at < count; at++) {
        const request = quota.open(`${1 + (at >> 8)}.${at & 255}.0.1`)
        request.charge(1, NOW)
        request.receive({ cards: [at, at + 1, at + 2], records: 3 }, NOW)
      }
      Bun.gc(true)
      return heapStats().heapSize
    }
    const full = grow(1_000)
    // Without the bound it would grow by some 25 MB.
    expect(grow(40_000) - full).toBeLessThan(3e6)
  })
})
