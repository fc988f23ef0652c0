// Prices for properties, with names that look like JSON.
import fc from 'fast-check'
import type { StoredPrice } from '#rules/pricing/price-json.ts'

const cents = fc.option(fc.integer({ min: 1, max: 100_000_000 }), { nil: null })

export const anyStoredPrice: fc.Arbitrary<StoredPrice> = fc.record({
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
