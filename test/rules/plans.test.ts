import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  highestTier,
  ITEMS,
  isPlan,
  itemName,
  PACK_SCANS,
  PACKS,
  PLANS,
  PRICE_CENTS,
} from '#rules/plans.ts'
import { isReference, maskedEmail, shortReference } from '#rules/references.ts'
import { TIERS } from '#rules/tiers.ts'

describe('what is sold', () => {
  test.each([
    ['hobby', 9.99],
    ['starter', 19.99],
    ['pro', 49.99],
    ['business', 99.99],
    ['scans_1000', 15],
    ['scans_5000', 60],
    ['scans_25000', 250],
    ['scans_100000', 800],
  ] as const)('%s costs $%d, as the specification says', (item, dollars) => {
    expect(PRICE_CENTS[item]).toBe(Math.round(dollars * 100))
  })

  test.each([
    ['scans_1000', 1.5],
    ['scans_5000', 1.2],
    ['scans_25000', 1],
    ['scans_100000', 0.8],
  ] as const)('a scan of %s costs %d cents', (pack, cents) => {
    expect(PRICE_CENTS[pack] / PACK_SCANS[pack]).toBe(cents)
  })

  test('is plans or packs, and every plan is a tier', () => {
    expect(ITEMS.filter(isPlan)).toEqual([...PLANS])
    expect(ITEMS.filter((item) => !isPlan(item))).toEqual([...PACKS])
    for (const plan of PLANS) expect(TIERS).toContain(plan)
  })

  test('has a name that people read', () => {
    expect(ITEMS.map(itemName)).toEqual([
      'Hobby plan',
      'Starter plan',
      'Pro plan',
      'Business plan',
      '1,000 scans',
      '5,000 scans',
      '25,000 scans',
      '100,000 scans',
    ])
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

describe('a reference', () => {
  test('is the beginning of an id, and enough to look it up by', () => {
    const id = 'co_PQI0XvY3USUrfVkHpquACUrd_oBHgzi0'
    expect(shortReference(id)).toBe('co_PQI0XvY3')
    expect(isReference(shortReference(id))).toBe(true)
    expect(isReference(id)).toBe(true)
  })

  test.each(['co_PQI0XvY', 'PQI0XvY3USUrf', '', 'co_'])('%p is not enough', (text) => {
    expect(isReference(text)).toBe(false)
  })
})

describe('an address that others may see', () => {
  test.each([
    ['ann@example.com', 'a***@example.com'],
    ['"a@b"@example.com', '"***@example.com'],
    ['😀x@example.com', '😀***@example.com'],
  ])('of %p is %p', (email, masked) => expect(maskedEmail(email)).toBe(masked))
})
