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
  test('are five, the lowest first', () => {
    expect([...TIERS]).toEqual(['free', 'hobby', 'starter', 'pro', 'business'])
  })

  test('have the daily requests of the specification, more the higher they are', () => {
    expect(DAILY_REQUESTS).toEqual({
      free: 100,
      hobby: 1_000,
      starter: 2_500,
      pro: 10_000,
      business: 50_000,
    })
  })

  test('reach themselves and all below', () => {
    for (const [rank, tier] of TIERS.entries()) {
      for (const [needed, other] of TIERS.entries()) {
        expect(isTierAtLeast(tier, other)).toBe(rank >= needed)
      }
    }
  })

  test('are written with a capital', () => {
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

  test('is never lower by the stricter description', () => {
    for (const feature of ['catalog', 'history', 'set_prices', 'detailed_history'] as const) {
      expect(isTierAtLeast(lowestTier(feature, 'strict'), lowestTier(feature, 'five-tier'))).toBe(
        true,
      )
    }
    expect([...ACCESS_POLICIES]).toEqual(['five-tier', 'strict'])
  })
})

describe('the depth of history', () => {
  test('is 7 days of Hobby, 30 of Starter, all of Pro and Business', () => {
    expect(TIERS.map(historyDepth)).toEqual([0, 7, 30, undefined, undefined])
  })
})

describe('the highest of some tiers', () => {
  test('is one of them that none of them is above, in whichever order', () => {
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

  test('of none is free', () => expect(highestTier([])).toBe('free'))
})
