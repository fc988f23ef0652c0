import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createVisitorQuota } from '#actions/accounts/visitor-quota.ts'

const NOW = new Date('2026-11-15T21:30:00.000Z')
const MIDNIGHT = '2026-11-16T00:00:00.000Z'

const terms = fc.record({
  each: fc.integer({ min: 1, max: 20 }),
  all: fc.integer({ min: 1, max: 60 }),
})
const asks = fc.array(
  fc.record({
    place: fc.constantFrom('a', 'b', 'c', 'd'),
    credits: fc.integer({ min: 1, max: 5 }),
    fails: fc.boolean(),
  }),
  { maxLength: 200 },
)

describe('the allowance of visitors', () => {
  test('is never exceeded, by one place or by all, and never refused where it is left', () => {
    fc.assert(
      fc.property(terms, asks, ({ each, all }, asked) => {
        const count = createVisitorQuota({ perClient: each, total: all })
        const spent = new Map<string, number>()
        let total = 0
        for (const { place, credits, fails } of asked) {
          const own = spent.get(place) ?? 0
          const fits = own + credits <= each && total + credits <= all
          const { isAllowed, quota } = count.consume(place, credits, NOW)
          expect(isAllowed).toBe(fits)
          if (isAllowed && fails) count.refund(place, quota, credits, NOW)
          if (isAllowed && !fails) {
            spent.set(place, own + credits)
            total += credits
          }
          const left = Math.min(each - (spent.get(place) ?? 0), all - total)
          expect(count.get(place, NOW)).toEqual({
            daily_limit: each,
            daily_remaining: left,
            daily_reset: MIDNIGHT,
          })
        }
      }),
    )
  })

  test('holds for all places also beyond those that are remembered', () => {
    fc.assert(
      fc.property(terms, asks, ({ each, all }, asked) => {
        const count = createVisitorQuota({ perClient: each, total: all }, 2)
        let total = 0
        for (const { place, credits, fails } of asked) {
          const { isAllowed, quota } = count.consume(place, credits, NOW)
          if (!isAllowed) continue
          if (fails) count.refund(place, quota, credits, NOW)
          else total += credits
          expect(total).toBeLessThanOrEqual(all)
        }
        expect(count.get('new', NOW).daily_remaining).toBe(Math.min(each, all - total))
      }),
    )
  })

  test('is remembered for so many places and no more', () => {
    const count = createVisitorQuota({ perClient: 1, total: 10 }, 2)
    for (const place of ['a', 'b', 'c']) {
      expect(count.consume(place, 1, NOW).isAllowed).toBe(true)
    }
    expect(count.consume('b', 1, NOW).isAllowed).toBe(false)
    expect(count.consume('c', 1, NOW).isAllowed).toBe(true)
  })

  test('is whole again at midnight, and what is given back then is nothing of the new day', () => {
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
