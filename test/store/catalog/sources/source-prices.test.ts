import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { CONDITIONS, type PriceKey } from '#rules/pricing/price-key.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { openHistoryStore } from '#store/catalog/history/history.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import type { SourcePrice } from '#store/catalog/sources/source-price-writer.ts'
import { openSourcePriceStore } from '#store/catalog/sources/source-prices.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

const FIRST_DAY = new Date('2026-11-20T01:00:00Z')
const onDay = (day: number) => new Date(FIRST_DAY.getTime() + day * MS_PER_DAY)

let db: Db

beforeEach(() => {
  db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  db.exec(`INSERT INTO games (id, name, slug, priority) VALUES (3, 'Pokemon', 'pokemon', 3), (1, 'Magic', 'magic', 3);
    INSERT INTO sets (id, game_id, name, slug, last_synced_at) VALUES (30, 3, 'A', 'a', ''), (10, 1, 'B', 'b', '');
    INSERT INTO cards (id, game_id, set_id, name, clean_name, number_key, product_type, shipping_category_id,
      product_status_id, search_text)
    VALUES (301, 3, 30, 'Oddish', 'Oddish', '', 'Cards', 1, 1, ''), (302, 3, 30, 'Gloom', 'Gloom', '', 'Cards', 1, 1, ''),
      (101, 1, 10, 'Opt', 'Opt', '', 'Cards', 1, 1, '')`)
})

function price(
  card_id: number,
  market_price: number | null,
  rest: Partial<SourcePrice> = {},
): SourcePrice {
  const amounts = { market_price, low_price: null, median_price: null, sale_count: null }
  return {
    card_id,
    printing: 'Normal',
    currency: 'EUR',
    condition: null,
    grade: null,
    ...amounts,
    ...rest,
  }
}

function publish(day: number, prices: readonly SourcePrice[], game_id = 3, source = 'cardmarket') {
  const publishedAt = onDay(day)
  return openSourcePublisher(db).publish({ source, game_id, prices, publishedAt, now: publishedAt })
}

describe('prices of a source', () => {
  test('are read back by card, with every part of their key', () => {
    const key = fc.record({
      card_id: fc.constantFrom(301, 302),
      printing: fc.constantFrom('Normal', 'Reverse Holofoil', 'A new one'),
      currency: fc.constantFrom('EUR', 'USD'),
      condition: fc.constantFrom(null, ...CONDITIONS),
      grade: fc.constantFrom(null, 'PSA 10', 'BGS 9.5'),
    })
    const amount = fc.option(fc.integer({ min: 1, max: 9_999_999 }), { nil: null })
    const amounts = fc.record({
      market_price: fc.integer({ min: 1, max: 9_999_999 }),
      low_price: amount,
      median_price: amount,
      sale_count: amount,
    })
    const row = fc.tuple(key, amounts).map(([a, b]) => ({ ...a, ...b }))
    const rows = fc.uniqueArray(row, { selector: keyText, maxLength: 30 })
    fc.assert(
      fc.property(rows, (prices) => {
        publish(0, prices)
        const stored = [...openSourcePriceStore(db).listByCards([301, 302]).values()].flat()
        const expected = stored.map(
          ({ bases, series, tracked_since, changed_at, published_at, source, ...rest }) => rest,
        )
        expect(expected.toSorted(byKey)).toEqual(prices.toSorted(byKey))
      }),
      { numRuns: 50 },
    )
  })

  test('keep a history per kind, apart from that of the mirror', () => {
    for (const [day, euros] of [
      [0, 250],
      [1, 300],
      [3, 275],
    ] as const)
      publish(day, [price(301, euros)])
    const [stored] = openSourcePriceStore(db).listByCard(301)
    expect(stored).toMatchObject({
      market_price: 275,
      bases: { '24h': null, '7d': null, '30d': null },
    })
    const points = openHistoryStore(db, '').getPoints(stored?.series ?? 0, 0)
    expect(points.map(({ market_price }) => market_price)).toEqual([250, 300, 275])
    expect(stored?.series).toBeLessThan(0)
  })

  test('have their changes', () => {
    for (let day = 0; day <= 8; day++) publish(day, [price(301, 200 + day)])
    expect(openSourcePriceStore(db).listByCard(301)[0]?.bases).toEqual({
      '24h': 207,
      '7d': 201,
      '30d': null,
    })
  })

  test('become unknown when the source no longer lists them, and keep their history', () => {
    publish(0, [price(301, 200), price(302, 300)])
    expect(publish(1, [price(302, 300)])).toMatchObject({ prices: 1, changed: 1 })
    expect(openSourcePriceStore(db).listByCard(301)).toEqual([])
    publish(2, [price(301, 250), price(302, 300)])
    const [stored] = openSourcePriceStore(db).listByCard(301)
    const points = openHistoryStore(db, '').getPoints(stored?.series ?? 0, 0)
    expect(points.map(({ market_price }) => market_price)).toEqual([200, null, 250])
  })

  test('of one game leave those of other games and sources alone', () => {
    publish(0, [price(101, 500)], 1)
    publish(0, [price(301, 700)], 0, 'my-shop')
    publish(0, [price(301, 200)])
    publish(1, [])
    const all = [...openSourcePriceStore(db).listByCards([101, 301]).values()].flat()
    expect(all.map(({ card_id, source }) => [card_id, source])).toEqual([
      [101, 'cardmarket'],
      [301, 'my-shop'],
    ])
  })

  test('of cards that the catalog does not have are counted and skipped', () => {
    expect(publish(0, [price(301, 200), price(999, 100)])).toMatchObject({ prices: 1, orphans: 1 })
  })

  test('that are the same as before write no row', () => {
    publish(0, [price(301, 50)])
    const before = db.prepare('SELECT * FROM source_prices').all()
    expect(publish(1, [price(301, 50)])).toMatchObject({ prices: 1, changed: 0 })
    expect(db.prepare('SELECT * FROM source_prices').all()).toEqual(before)
  })

  test('are a new version of the catalog', () => {
    const { version } = publish(0, [price(301, 200)])
    expect(db.prepare('SELECT version FROM publication').pluck().get()).toBe(version)
  })
})

describe('the state of a source', () => {
  test('is stale from the first failed import on, until one succeeds', () => {
    const states = () => openSourcePriceStore(db).listSources()
    publish(0, [])
    const publisher = openSourcePublisher(db)
    publisher.markFailed('cardmarket', 3, 'The file is cut off.', onDay(1))
    publisher.markFailed('cardmarket', 3, 'The file is missing.', onDay(2))
    expect(states()).toEqual([
      {
        source: 'cardmarket',
        game_id: 3,
        published_at: onDay(0).getTime() / 1000,
        synced_at: onDay(0).toISOString(),
        stale_since: onDay(1).toISOString(),
        failure: 'The file is missing.',
      },
    ])
    publish(3, [])
    expect(states()).toMatchObject([{ stale_since: null, failure: null }])
  })
})

function keyText({
  card_id,
  printing,
  currency,
  condition,
  grade,
}: Omit<PriceKey, 'source'>): string {
  return [card_id, printing, currency, condition, grade].join('|')
}

function byKey(a: Omit<PriceKey, 'source'>, b: Omit<PriceKey, 'source'>): number {
  return keyText(a) < keyText(b) ? -1 : 1
}
