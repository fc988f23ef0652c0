import { describe, expect, test } from 'bun:test'
import { TIERS } from '#rules/accounts/tiers.ts'
import {
  BILLABLE_ITEMS,
  isPlan,
  itemName,
  PACK_SCANS,
  PACKS,
  PLANS,
  PRICE_CENTS,
} from '#rules/billing/plans.ts'

describe('billable items', () => {
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

  test('are plans or packs, and every plan is a tier', () => {
    expect(BILLABLE_ITEMS.filter(isPlan)).toEqual([...PLANS])
    expect(BILLABLE_ITEMS.filter((item) => !isPlan(item))).toEqual([...PACKS])
    for (const plan of PLANS) expect(TIERS).toContain(plan)
  })

  test('have a display name', () => {
    expect(BILLABLE_ITEMS.map(itemName)).toEqual([
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
