import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { leaseOf } from '#rules/accounts/tiers.ts'

describe('a lease', () => {
  test('never exceeds what is left or wanted, and is 0 only if nothing is left', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 1, max: 1_000 }),
        (left, wanted) => {
          const granted = leaseOf(left, { wanted, needed: 1 })
          expect(granted).toBeLessThanOrEqual(Math.min(left, wanted))
          expect(granted > 0).toBe(left > 0)
          expect(Number.isInteger(granted)).toBe(true)
        },
      ),
    )
  })

  test('is complete far from the limit and a single request close to it', () => {
    expect(leaseOf(50_000, { wanted: 64, needed: 1 })).toBe(64)
    expect(leaseOf(512, { wanted: 64, needed: 1 })).toBe(64)
    expect(leaseOf(100, { wanted: 64, needed: 1 })).toBe(12)
    expect([7, 3, 1].map((left) => leaseOf(left, { wanted: 64, needed: 1 }))).toEqual([1, 1, 1])
  })

  test('is at least the needed number, or 0', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 1_000 }),
        (left, wanted, needed) => {
          const granted = leaseOf(left, { wanted, needed })
          if (left < needed) expect(granted).toBe(0)
          else {
            expect(granted).toBeGreaterThanOrEqual(needed)
            expect(granted).toBeLessThanOrEqual(left)
          }
        },
      ),
    )
  })

  test('after lease adds up to exactly the limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60_000 }),
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 5 }),
        (limit, servers) => {
          let left = limit
          let taken = 0
          for (let turn = 0; left > 0; turn++) {
            const granted = leaseOf(left, {
              wanted: servers[turn % servers.length] ?? 1,
              needed: 1,
            })
            left -= granted
            taken += granted
          }
          expect([left, taken]).toEqual([0, limit])
        },
      ),
      { numRuns: 50 },
    )
  })
})
