import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  ACCESS_POLICIES,
  DAILY_REQUESTS,
  highestTier,
  historyDepth,
  isTierAtLeast,
  lowestTier,
  TIERS,
  tierName,
} from '#rules/accounts/tiers.ts'

describe('the tiers', () => {
  test('are five, lowest first', () => {
    expect([...TIERS]).toEqual(['free', 'hobby', 'starter', 'pro', 'business'])
  })

  test('have the daily quota of the specification, increasing with the tier', () => {
    expect(DAILY_REQUESTS).toEqual({
      free: 100,
      hobby: 1_000,
      starter: 2_500,
      pro: 10_000,
      business: 50_000,
    })
  })

  test('include themselves and all lower tiers', () => {
    for (const [rank, tier] of TIERS.entries()) {
      for (const [needed, other] of TIERS.entries()) {
        expect(isTierAtLeast(tier, other)).toBe(rank >= needed)
      }
    }
  })

  test('are capitalized', () => {
    expect(TIERS.map(tierName)).toEqual(['Free', 'Hobby', 'Starter', 'Pro', 'Business'])
  })
})

describe('the lowest tier', () => {
  test.each([
    ['catalog', 'free', 'free'],
    ['history', 'hobby', 'pro'],
    ['set_prices', 'starter', 'pro'],
    ['detailed_history', 'pro', 'business'],
  ] as const)('for %s is %s, and by the stricter description %s', (feature, fiveTier, strict) => {
    expect(lowestTier(feature, 'five-tier')).toBe(fiveTier)
    expect(lowestTier(feature, 'strict')).toBe(strict)
  })

  test('is never lower under the strict policy', () => {
    for (const feature of ['catalog', 'history', 'set_prices', 'detailed_history'] as const) {
      expect(isTierAtLeast(lowestTier(feature, 'strict'), lowestTier(feature, 'five-tier'))).toBe(
        true,
      )
    }
    expect([...ACCESS_POLICIES]).toEqual(['five-tier', 'strict'])
  })
})

describe('the depth of history', () => {
  test('is 7 days for Hobby, 30 for Starter, unlimited for Pro and Business', () => {
    expect(TIERS.map(historyDepth)).toEqual([0, 7, 30, undefined, undefined])
  })
})

describe('the highest of some tiers', () => {
  test('is the maximum, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TIERS), { minLength: 1 }), (tiers) => {
        const highest = highestTier(tiers)
        expect(tiers).toContain(highest)
        for (const tier of tiers) {
          expect(TIERS.indexOf(highest)).toBeGreaterThanOrEqual(TIERS.indexOf(tier))
        }
      }),
    )
  })

  test('of an empty list is free', () => expect(highestTier([])).toBe('free'))
})
