import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  assessPrice,
  CONFIDENCE_LEVELS,
  CONFIDENCE_REASONS,
  isConfident,
  type PriceFacts,
} from '#rules/pricing/confidence.ts'

const TODAY = 20_000

const NO_BASES = { '24h': null, '7d': null, '30d': null }

/** A card at $10 whose listings agree, with a sale yesterday. */
const PLAIN: PriceFacts = {
  market_price: 1_000,
  low_price: 900,
  median_price: 1_100,
  bases: NO_BASES,
  published_day: TODAY,
  unchanged_days: 1,
  sale_count: null,
  other_price: null,
}

const assess = (facts: Partial<PriceFacts>) => assessPrice({ ...PLAIN, ...facts }, TODAY)

describe('the confidence in a price', () => {
  test('is high if there is no reason for doubt', () => {
    expect(assess({})).toEqual({ level: 'high', reasons: [] })
  })

  // Real prices in cents, as rated by a trader.
  test.each([
    [
      'Skyridge Pikachu',
      12_635,
      30_998,
      32_499,
      'low',
      ['low_above_market', 'median_above_market'],
    ],
    ['Arceus Kabuto', 400, 40_030, 45_386, 'low', ['low_above_market', 'median_above_market']],
    ['Tyranitar ex', 49_999, 16_000, 21_000, 'medium', ['median_below_market']],
    ['Expedition Kadabra', 8_000, 2_999, 3_000, 'low', ['median_below_market']],
    ['Aquapolis Quagsire', 9_303, 15_999, 19_251, 'medium', ['low_above_market']],
    ['Expedition Tyranitar', 30_000, 12_999, 165_990, 'low', ['median_above_market']],
    ['Platinum Turtwig', 625, 625, 2_963, 'medium', ['median_above_market']],
    ['POP 4 Flygon', 10_134, 493, 10_246, 'medium', ['low_far_below_market']],
    ['Base Set Ninetales', 3_565, 1_701, 3_070, 'high', []],
    ['Unleashed Beedrill', 1_499, 1_303, 3_000, 'high', []],
    ['a common', 35, 1, 25, 'high', []],
  ] as const)(
    '%s at %i, from %i, median %i is %s',
    (_, market_price, low_price, median_price, level, reasons) => {
      expect(assess({ market_price, low_price, median_price })).toEqual({
        level,
        reasons: [...reasons],
      })
    },
  )

  test.each([
    [{ market_price: null }, 'low', ['no_market_price']],
    [{ low_price: null, median_price: null }, 'medium', ['no_listings']],
    [{ bases: { ...NO_BASES, '24h': 700 } }, 'medium', ['sudden_change']],
    [{ bases: { '24h': 300, '7d': 250, '30d': null } }, 'low', ['sudden_change']],
    // After a gap, a month ago takes the place of a week ago.
    [{ bases: { ...NO_BASES, '30d': 600 } }, 'medium', ['sudden_change']],
    [{ bases: { ...NO_BASES, '7d': 900, '30d': 600 } }, 'high', []],
    [{ sale_count: 3 }, 'high', []],
    [{ sale_count: 2 }, 'medium', ['few_sales']],
    [{ sale_count: 0 }, 'low', ['few_sales']],
    [{ unchanged_days: 29 }, 'high', []],
    [{ unchanged_days: 30 }, 'medium', ['unchanged']],
    [{ unchanged_days: 90 }, 'low', ['unchanged']],
    [{ market_price: 60, low_price: 50, median_price: 60, unchanged_days: 90 }, 'high', []],
    [{ published_day: TODAY - 8 }, 'high', []],
    [{ published_day: TODAY - 9 }, 'medium', ['outdated']],
    [{ published_day: TODAY - 31 }, 'low', ['outdated']],
    [{ other_price: 600 }, 'high', []],
    [{ other_price: 500 }, 'medium', ['other_source_differs']],
    [{ other_price: 4_000 }, 'low', ['other_source_differs']],
    // Two doubts of the same kind count once, of two kinds twice.
    [{ unchanged_days: 40, sale_count: 2 }, 'medium', ['few_sales', 'unchanged']],
    [{ low_price: 1_300, unchanged_days: 40 }, 'low', ['low_above_market', 'unchanged']],
  ] as const)('with %j is %s', (facts, level, reasons) => {
    expect(assess(facts)).toEqual({ level, reasons: [...reasons] })
  })

  const cents = fc.option(fc.integer({ min: 1, max: 500_000 }), { nil: null })
  const days = fc.integer({ min: 0, max: 200 })
  const anyFacts: fc.Arbitrary<PriceFacts> = fc.record({
    market_price: cents,
    low_price: cents,
    median_price: cents,
    bases: fc.record({ '24h': cents, '7d': cents, '30d': cents }),
    published_day: days.map((age) => TODAY - age),
    unchanged_days: days,
    sale_count: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }),
    other_price: cents,
  })
  const factor = fc.double({ min: 1, max: 20, noNaN: true })

  /** Moves a price further away from another one. */
  const apart = (price: number | null, from: number, by: number) => {
    if (price === null) return null
    return price < from ? Math.floor(price / by) : Math.ceil(price * by)
  }

  test.each([
    [
      'a lower or higher cheapest listing',
      (facts, market, by) => ({ low_price: apart(facts.low_price, market, by) }),
    ],
    [
      'a wider spread of the median',
      (facts, market, by) => ({ median_price: apart(facts.median_price, market, by) }),
    ],
    ['a greater age', (facts, _, by) => ({ published_day: facts.published_day - Math.ceil(by) })],
    [
      'more days without a change',
      (facts, _, by) => ({ unchanged_days: facts.unchanged_days + Math.ceil(by) }),
    ],
    [
      'fewer sales',
      (facts, _, by) => ({
        sale_count: facts.sale_count === null ? null : Math.floor(facts.sale_count / by),
      }),
    ],
    [
      'a larger jump',
      (facts, market, by) => ({
        bases: { ...facts.bases, '7d': apart(facts.bases['7d'], market, by) },
      }),
    ],
    [
      'a greater difference to the other source',
      (facts, market, by) => ({ other_price: apart(facts.other_price, market, by) }),
    ],
    ['no market price', () => ({ market_price: null })],
  ] satisfies [string, (facts: PriceFacts, market: number, by: number) => Partial<PriceFacts>][])(
    'is never raised by %s',
    (_, worsen) => {
      fc.assert(
        fc.property(anyFacts, factor, (facts, by) => {
          const worse = { ...facts, ...worsen(facts, facts.market_price ?? 0, by) }
          const { level } = assessPrice(facts, TODAY)
          expect(isConfident(level, assessPrice(worse, TODAY).level)).toBe(true)
        }),
        { numRuns: 500 },
      )
    },
  )

  test('is high if and only if there is no reason, and lists each reason once, in order', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { level, reasons } = assessPrice(facts, TODAY)
        expect(level === 'high').toBe(reasons.length === 0)
        expect(CONFIDENCE_REASONS.filter((reason) => reasons.includes(reason))).toEqual(reasons)
      }),
      { numRuns: 500 },
    )
  })
})

test('a level reaches itself and those below', () => {
  const reached = CONFIDENCE_LEVELS.map((level) =>
    CONFIDENCE_LEVELS.filter((minimum) => isConfident(level, minimum)),
  )
  expect(reached).toEqual([['high', 'medium', 'low'], ['medium', 'low'], ['low']])
})
