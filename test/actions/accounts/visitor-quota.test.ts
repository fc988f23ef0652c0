import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createVisitorQuota } from '#actions/accounts/visitor-quota.ts'

const NOW = new Date('2026-11-15T21:30:00.000Z')
const MIDNIGHT = '2026-11-16T00:00:00.000Z'

const limits = fc.record({
  each: fc.integer({ min: 1, max: 20 }),
  all: fc.integer({ min: 1, max: 60 }),
})
const requests = fc.array(
  fc.record({
    client: fc.constantFrom('a', 'b', 'c', 'd'),
    credits: fc.integer({ min: 1, max: 5 }),
    fails: fc.boolean(),
  }),
  { maxLength: 200 },
)

describe('the quota of visitors', () => {
  test('is never exceeded, per client or in total, and never rejects a request if enough is left', () => {
    fc.assert(
      fc.property(limits, requests, ({ each, all }, sequence) => {
        const count = createVisitorQuota({ perClient: each, total: all })
        const spent = new Map<string, number>()
        let total = 0
        for (const { client, credits, fails } of sequence) {
          const own = spent.get(client) ?? 0
          const fits = own + credits <= each && total + credits <= all
          const { isAllowed, quota } = count.consume(client, credits, NOW)
          expect(isAllowed).toBe(fits)
          if (isAllowed && fails) count.refund(client, quota, credits, NOW)
          if (isAllowed && !fails) {
            spent.set(client, own + credits)
            total += credits
          }
          const left = Math.min(each - (spent.get(client) ?? 0), all - total)
          expect(count.get(client, NOW)).toEqual({
            daily_limit: each,
            daily_remaining: left,
            daily_reset: MIDNIGHT,
          })
        }
      }),
    )
  })

  test('limits the total beyond the remembered clients', () => {
    fc.assert(
      fc.property(limits, requests, ({ each, all }, sequence) => {
        const count = createVisitorQuota({ perClient: each, total: all }, 2)
        let total = 0
        for (const { client, credits, fails } of sequence) {
          const { isAllowed, quota } = count.consume(client, credits, NOW)
          if (!isAllowed) continue
          if (fails) count.refund(client, quota, credits, NOW)
          else total += credits
          expect(total).toBeLessThanOrEqual(all)
        }
        expect(count.get('new', NOW).daily_remaining).toBe(Math.min(each, all - total))
      }),
    )
  })

  test('remembers a limited number of clients', () => {
    const count = createVisitorQuota({ perClient: 1, total: 10 }, 2)
    for (const client of ['a', 'b', 'c']) {
      expect(count.consume(client, 1, NOW).isAllowed).toBe(true)
    }
    expect(count.consume('b', 1, NOW).isAllowed).toBe(false)
    expect(count.consume('c', 1, NOW).isAllowed).toBe(true)
  })

  test('resets at midnight, and ignores refunds of the previous day', () => {
    const count = createVisitorQuota({ perClient: 2, total: 3 })
    const late = new Date('2026-11-15T23:59:59.999Z')
    const { quota } = count.consume('a', 2, late)
    expect(count.get('b', late).daily_remaining).toBe(1)
    const today = new Date(MIDNIGHT)
    expect(count.consume('a', 1, today).quota).toEqual({
      daily_limit: 2,
      daily_remaining: 1,
      daily_reset: '2026-11-17T00:00:00.000Z',
    })
    expect(count.refund('a', quota, 2, today).daily_remaining).toBe(1)
    expect(count.get('b', today).daily_remaining).toBe(2)
  })
})
