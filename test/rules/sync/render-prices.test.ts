import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { renderPricesFile } from '#rules/sync/render-prices.ts'
import { parsePricesFile } from '#rules/sync/upstream.ts'

const cents = fc.option(fc.integer({ min: 1, max: 100_000_000 }), { nil: null })

test('a rendered file of prices is read as the same prices', () => {
  const price = fc.record({
    card_id: fc.integer({ min: 1, max: 10_000_000 }),
    printing: fc.constantFrom('Normal', 'Foil & Gilded', 'R&D', '"1st" <Edition>', '銀'),
    market_price: cents,
    low_price: cents,
    avg_sales_price: cents,
    sales_volume: fc.option(fc.nat(1_000_000), { nil: null }),
  })
  const prices = fc.uniqueArray(price, {
    selector: ({ card_id, printing }) => `${card_id} ${printing}`,
    maxLength: 50,
  })
  fc.assert(
    fc.property(prices, (all) => {
      const { records, rejected } = parsePricesFile(renderPricesFile(all))
      expect(rejected).toEqual([])
      const unknown = { median_price: null, lowest_with_shipping: null, buylist_price: null }
      expect(records).toEqual(all.map((one) => ({ ...one, ...unknown })))
    }),
    { numRuns: 200 },
  )
})

test('members of which nothing is known are null or left out', () => {
  const [market_price, low_price] = [1_205, null]
  const price = { card_id: 7, printing: 'Normal', market_price, low_price }
  expect(
    JSON.parse(renderPricesFile([{ ...price, avg_sales_price: null, sales_volume: null }])),
  ).toEqual({
    success: true,
    errors: [],
    results: [{ productId: 7, lowPrice: null, marketPrice: 12.05, subTypeName: 'Normal' }],
  })
})
