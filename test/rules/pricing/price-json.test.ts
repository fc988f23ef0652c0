import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { changePercent, type Period } from '#rules/pricing/price-changes.ts'
import {
  briefPrices,
  completePrices,
  formatChanges,
  formatPrices,
  type PriceJson,
  type PriceTexts,
  parsePrices,
  type StoredPrice,
  singlePrice,
} from '#rules/pricing/price-json.ts'

const cents = fc.option(fc.integer({ min: 1, max: 100_000_000 }), { nil: null })

/** Prices for properties, with names that look like JSON. */
const anyStoredPrice: fc.Arbitrary<StoredPrice> = fc.record({
  card_id: fc.integer({ min: 1, max: 2 ** 40 }),
  printing: fc.oneof(
    fc.constantFrom(
      'Normal',
      'Cold Foil',
      '"}',
      '\u0001',
      '"\u0001"',
      '},{"card_id":1',
      '\\u0001',
      '\\',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
  ),
  market_price: cents,
  low_price: cents,
  median_price: cents,
  lowest_with_shipping: cents,
  buylist_price: cents,
  bases: fc.record({ '24h': cents, '7d': cents, '30d': cents }),
})

const PUBLISHED = '2026-11-15T20:05:50.000Z'

const format = (prices: readonly StoredPrice[]): PriceTexts => {
  return { prices: formatPrices(prices), changes: formatChanges(prices) }
}

const complete = (prices: readonly StoredPrice[]): string =>
  completePrices(format(prices), PUBLISHED)

const read = (prices: readonly StoredPrice[]): PriceJson[] => JSON.parse(complete(prices))

/** JSON has no negative zero. */
const changeOf = ({ market_price, bases }: StoredPrice, period: Period) => {
  const change = changePercent(market_price, bases[period])
  return change === null ? null : change + 0
}

describe('the JSON of a card’s prices', () => {
  test('matches the specification for any printing names', () => {
    fc.assert(
      fc.property(fc.array(anyStoredPrice, { maxLength: 5 }), (prices) => {
        const parsed = read(prices)
        expect(parsed).toHaveLength(prices.length)
        for (const [index, price] of prices.entries()) {
          expect(parsed[index]).toMatchObject({
            card_id: price.card_id,
            printing: price.printing,
            market_price: price.market_price === null ? null : price.market_price / 100,
            low_price: price.low_price === null ? null : price.low_price / 100,
            median_price: price.median_price === null ? null : price.median_price / 100,
            price_change_24h: changeOf(price, '24h'),
            price_change_7d: changeOf(price, '7d'),
            price_change_30d: changeOf(price, '30d'),
            last_updated_at: PUBLISHED,
          })
        }
      }),
      { numRuns: 300 },
    )
  })

  test('is that of the objects parsed from the stored texts', () => {
    fc.assert(
      fc.property(fc.array(anyStoredPrice, { maxLength: 5 }), (prices) => {
        expect(JSON.stringify(parsePrices(format(prices), PUBLISHED))).toBe(complete(prices))
      }),
      { numRuns: 300 },
    )
    const none = { prices: null, changes: null }
    expect(JSON.stringify(parsePrices(none, PUBLISHED))).toBe(completePrices(none, PUBLISHED))
  })

  test('has the printing and the two prices cut out of it for any printing names', () => {
    fc.assert(
      fc.property(fc.array(anyStoredPrice, { maxLength: 5 }), (prices) => {
        const brief = read(prices).map(({ printing, market_price, low_price }) => {
          return { printing, market_price, low_price }
        })
        expect(JSON.parse(briefPrices(complete(prices)))).toEqual(brief)
      }),
      { numRuns: 300 },
    )
  })

  test('has the summary of a single price cut out of it, and none of several', () => {
    fc.assert(
      fc.property(fc.array(anyStoredPrice, { maxLength: 2 }), (prices) => {
        const text = singlePrice(format(prices), PUBLISHED)
        const [price, ...others] = read(prices)
        if (price === undefined || others.length > 0) return expect(text).toBeUndefined()
        const { card_id, printing, market_price, low_price, price_change_24h } = price
        const shown = { card_id, printing, market_price, low_price, foil_market_price: null }
        expect(JSON.parse(text ?? '')).toEqual({
          ...shown,
          price_change_24h,
          last_updated_at: PUBLISHED,
        })
      }),
      { numRuns: 300 },
    )
  })

  test('is one array of the separate objects', () => {
    fc.assert(
      fc.property(fc.array(anyStoredPrice, { maxLength: 4 }), (prices) => {
        const text = complete(prices)
        expect(text.split('},{"card_id":')).toHaveLength(Math.max(1, prices.length))
      }),
    )
  })

  test('of no prices is an empty array', () => {
    expect(complete([])).toBe('[]')
  })
})
