// Migration 0016: prices that an older release has rendered.
import { expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { changePercent } from '#rules/pricing/price-changes.ts'
import { formatChanges, formatPrices, type StoredPrice } from '#rules/pricing/price-json.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { migrate } from '#store/migrate.ts'
import { anyStoredPrice } from '../../support/stored-prices.ts'

/** The text of a card's prices before the migration. */
function formatOldPrices(prices: readonly StoredPrice[]): string {
  const texts = prices.map(({ card_id, printing, bases, ...cents }) =>
    JSON.stringify({
      card_id,
      printing,
      market_price: toDollars(cents.market_price),
      low_price: toDollars(cents.low_price),
      median_price: toDollars(cents.median_price),
      lowest_with_shipping: toDollars(cents.lowest_with_shipping),
      buylist_price: toDollars(cents.buylist_price),
      price_change_24h: changePercent(cents.market_price, bases['24h']),
      price_change_7d: changePercent(cents.market_price, bases['7d']),
      price_change_30d: changePercent(cents.market_price, bases['30d']),
      last_updated_at: 'PUBLISHED',
    }).replace(/PUBLISHED"\}$/, '\u0001"}'),
  )
  return `[${texts.join(',')}]`
}

test('the upgrade separates the changes of any prices from their texts', () => {
  const step = CATALOG_MIGRATIONS.findIndex(({ name }) => name === '0016-price-changes')
  const db = new Database(':memory:')
  migrate(db, CATALOG_MIGRATIONS.slice(0, step))
  const cards = fc.sample(fc.array(anyStoredPrice, { maxLength: 5 }), { numRuns: 500, seed: 16 })
  const put = db.prepare('INSERT INTO price_texts VALUES (?, 1, ?)')
  for (const [id, prices] of cards.entries()) put.run(id, formatOldPrices(prices))
  migrate(db, CATALOG_MIGRATIONS)
  const rows = db
    .prepare('SELECT card_id, prices, changes FROM price_texts JOIN price_changes USING (card_id)')
    .all()
  const expected = cards.map((prices, card_id) => {
    return { card_id, prices: formatPrices(prices), changes: formatChanges(prices) }
  })
  for (const [index, row] of rows.entries()) expect(row).toEqual(expected[index])
  expect(rows).toHaveLength(expected.length)
  db.close()
})
