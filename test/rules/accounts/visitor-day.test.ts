import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { listNetworks } from '#rules/accounts/client-networks.ts'
import { createVisitorRules, divideTotal } from '#rules/accounts/visitor-day.ts'

// Only limits of single days; visitor-quota.slow.test.ts tests the limits with their counts.

/** Returns a function that sends up to `most` requests, until one is refused; it returns how many were allowed. */
function startDay(total: number) {
  const perClient = { requests: 500, cards: 3_000, records: 30_000 }
  const openDay = createVisitorRules({ perClient, total })
  const day = new Map<string, number>()
  return function sendMany(address: string, most: number): number {
    const client = listNetworks(address)
    for (let sent = 0; sent < most; sent++) {
      if (openDay(day, client).charge(1) === undefined) return sent
    }
    return most
  }
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)

describe('the reserve', () => {
  test('survives any requests of one IPv6 /32: each fresh network elsewhere is served', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const order = fc.array(fc.tuple(fc.nat(3), group), { minLength: 200, maxLength: 400 })
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 200 }), (subnets, burst) => {
        const sendMany = startDay(2_000)
        for (const [c, d] of subnets) {
          sendMany(`2001:db8:${c.toString(16)}:${d.toString(16)}::1`, burst)
        }
        // Then from every /48 of the /32, or from so many that more make no difference.
        for (const c of range(0, 3_000)) sendMany(`2001:db8:${c.toString(16)}::1`, 1)
        expect(sendMany('2001:db9::1', 2)).toBe(2)
        expect(sendMany('192.0.2.1', 2)).toBe(2)
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
          const sendMany = startDay(total)
          const at = (place: number, host: number) => {
            const [b, c] = places[place] ?? [0, 0]
            return isIpv6 ? `2001:${b}:${c}:${host}::1` : `10.${b}.${c}.${host}`
          }
          for (const [place, amount] of amounts.entries()) sendMany(at(place, 1), amount)
          // Then as many requests as are allowed, from many addresses each.
          for (const place of places.keys()) {
            for (const host of range(0, 20)) sendMany(at(place, host), 600)
          }
          const { reserve, reservePerNetwork } = divideTotal(total)
          const honest = range(0, reserve / 2 / reservePerNetwork).map((one) => `11.${one}.0.1`)
          for (const visitor of honest) {
            expect(sendMany(visitor, reservePerNetwork)).toBe(reservePerNetwork)
          }
        },
      ),
      { numRuns: 10 },
    )
  })
})
