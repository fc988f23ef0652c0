import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { openHistoryImport } from '#store/catalog/history/history-import.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openPriceWriter } from '#store/catalog/price-writer.ts'
import { openExchangeRateStore } from '#store/catalog/sources/exchange-rates.ts'
import { openPriceFactStore } from '#store/catalog/sources/price-facts.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

const FIRST_DAY = 20_000
const CARD = 301

let db: Db

beforeEach(() => {
  db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  db.exec(`INSERT INTO games (id, name, slug, priority) VALUES (3, 'Pokemon', 'pokemon', 3);
    INSERT INTO sets (id, game_id, name, slug, last_synced_at) VALUES (30, 3, 'A', 'a', '');
    INSERT INTO cards (id, game_id, set_id, name, clean_name, number_key, product_type, shipping_category_id,
      product_status_id, search_text) VALUES (${CARD}, 3, 30, 'Oddish', 'Oddish', '', 'Cards', 1, 1, '')`)
})

const seconds = (day: number) => day * (MS_PER_DAY / 1_000)

function price(market_price: number | null, low_price: number | null) {
  const others = { median_price: null, lowest_with_shipping: null, buylist_price: null }
  const sales = { avg_sales_price: null, sales_volume: null }
  return { card_id: CARD, printing: 'Normal', market_price, low_price, ...others, ...sales }
}

/** Publishes a day's price, like a sync. */
function publish(day: number, market_price: number | null, low_price: number | null = null): void {
  openPriceWriter(db).replace({
    set_id: 30,
    day,
    published_at: seconds(day),
    version: 1,
    prices: [price(market_price, low_price)],
    unreadable: new Set(),
  })
  db.prepare('UPDATE sets SET priced_at = ?').run(seconds(day))
}

function readFacts() {
  const rates = openExchangeRateStore(db, { onChange: () => {} })
  return openPriceFactStore(db, rates).listByCards([CARD])
}

describe('the days for which a market price has not changed', () => {
  test('count from its last change, whatever the listings do', () => {
    const dollars = fc.constantFrom(null, 500, 600)
    const days = fc.array(fc.tuple(dollars, fc.constantFrom(300, 400)), {
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(days, (published) => {
        db.exec('DELETE FROM prices; DELETE FROM history_hot; DELETE FROM price_texts')
        let since = 0
        for (const [index, [market, low]] of published.entries()) {
          publish(FIRST_DAY + index, market, low)
          if (market !== published[index - 1]?.[0]) since = index
          expect(readFacts()).toMatchObject([
            { market_price: market, unchanged_days: index - since },
          ])
        }
      }),
      { numRuns: 40 },
    )
  })

  test('count from the last change before an upgrade, at least', () => {
    publish(FIRST_DAY, 500, 300)
    db.exec('UPDATE prices SET market_since = NULL')
    publish(FIRST_DAY + 4, 500, 300)
    expect(readFacts()).toMatchObject([{ unchanged_days: 4 }])
    publish(FIRST_DAY + 6, 500, 400)
    expect(readFacts()).toMatchObject([{ unchanged_days: 6 }])
  })

  test('go back through imported days', () => {
    publish(FIRST_DAY, 500)
    const history = openHistoryImport(db)
    for (const [ago, market] of [
      [40, 400],
      [39, 500],
      [20, 500],
      [1, 500],
    ] as const) {
      history.putDays([{ day: FIRST_DAY - ago, files: [[price(market, null)]] }])
    }
    openPriceWriter(db).recount(30, seconds(FIRST_DAY), 2)
    expect(readFacts()).toMatchObject([{ unchanged_days: 39 }])
  })
})

describe('the price of the other source', () => {
  const publishSource = (
    market_price: number,
    rest: { condition?: 'damaged'; grade?: string } = {},
  ) => {
    const publishedAt = new Date(seconds(FIRST_DAY) * 1_000)
    const amounts = { market_price, low_price: null, median_price: null, sale_count: 4 }
    const kind = { condition: rest.condition ?? null, grade: rest.grade ?? null }
    const prices = [{ card_id: CARD, printing: 'Normal', currency: 'EUR', ...kind, ...amounts }]
    const source = { source: 'cardmarket', game_id: 3, prices, publishedAt, now: publishedAt }
    openSourcePublisher(db).publish(source)
  }
  const putRate = () =>
    openSourcePublisher(db).putRates([{ day: FIRST_DAY, perEuro: { USD: 1.25 } }], new Date(0))

  test('is converted at the rate of the day, in both directions', () => {
    publish(FIRST_DAY, 500)
    publishSource(300)
    putRate()
    expect(readFacts()).toMatchObject([
      { source: 'tcgplayer', market_price: 500, other_price: 375, sale_count: null },
      { source: 'cardmarket', market_price: 300, other_price: 400, sale_count: 4 },
    ])
  })

  test('is unknown without a rate', () => {
    publish(FIRST_DAY, 500)
    publishSource(300)
    expect(readFacts().map(({ other_price }) => other_price)).toEqual([null, null])
  })

  test.each([{ condition: 'damaged' }, { grade: 'PSA 10' }] as const)(
    'is never that of %j',
    (rest) => {
      publish(FIRST_DAY, 500)
      publishSource(300, rest)
      putRate()
      expect(readFacts().map(({ other_price }) => other_price)).toEqual([null, null])
    },
  )

  test('is the only one of a card that the mirror has no price of', () => {
    publishSource(300)
    putRate()
    expect(readFacts()).toMatchObject([{ source: 'cardmarket', other_price: null }])
  })
})
