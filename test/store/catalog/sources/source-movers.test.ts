// Movers of further sources, compared with a plain comparison of all prices.
import { beforeAll, describe, expect, test } from 'bun:test'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { type MoverStore, type MoversQuery, openMoverStore } from '#store/catalog/movers.ts'
import { rebuildMovers } from '#store/catalog/movers-build.ts'
import type { SourcePrice } from '#store/catalog/sources/source-price-writer.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'
import { pick, randomFrom, SEED } from '../../../support/random.ts'

const FIRST_DAY = Date.parse('2026-11-20T01:00:00Z')
const CARDS = 300
const EUROS = { source: 'cardmarket', currency: 'EUR' }

const random = randomFrom(SEED)
/** Cents of each card on both days; game 1 has even ids. */
const drawn = Array.from({ length: CARDS }, (_, index) => {
  const before = pick(random, [50, 100, 250, 4_000])
  return {
    card_id: index + 1,
    before,
    after: Math.round(before * pick(random, [0.05, 0.5, 0.9, 1, 1.3, 2, 11])),
  }
})

let db: Db
let movers: MoverStore

function price(
  card_id: number,
  market_price: number,
  rest: Partial<SourcePrice> = {},
): SourcePrice {
  const kind = { printing: 'Normal', currency: 'EUR', condition: null, grade: null }
  const amounts = { market_price, low_price: market_price, median_price: null, sale_count: null }
  return { card_id, ...kind, ...amounts, ...rest }
}

function publish(day: number, prices: readonly SourcePrice[], source = 'cardmarket'): void {
  const publishedAt = new Date(FIRST_DAY + day * MS_PER_DAY)
  openSourcePublisher(db).publish({ source, game_id: 0, prices, publishedAt, now: publishedAt })
}

beforeAll(() => {
  db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  db.exec(`INSERT INTO games (id, name, slug, priority) VALUES (1, 'A', 'a', 3), (2, 'B', 'b', 3);
    INSERT INTO sets (id, game_id, name, slug, last_synced_at) VALUES (1, 1, 'A', 'a', ''), (2, 2, 'B', 'b', '')`)
  const putCard = db.prepare(
    `INSERT INTO cards (id, game_id, set_id, name, clean_name, number_key, product_type,
       shipping_category_id, product_status_id, search_text)
     VALUES (?, ?, ?, 'Card', 'Card', '', 'Cards', 1, 1, '')`,
  )
  for (const { card_id } of drawn) putCard.run(card_id, (card_id % 2) + 1, (card_id % 2) + 1)
  movers = openMoverStore(db, createPictureUrl('https://cards.example'))
  const noise = [{ condition: 'damaged' as const }, { grade: 'PSA 10' }]
  for (const [day, of] of [
    [0, 'before'],
    [1, 'after'],
  ] as const) {
    publish(
      day,
      drawn.flatMap((card) => [
        price(card.card_id, card[of]),
        // Neither represents its printing, and both move the other way.
        ...noise.map((kind) => price(card.card_id, 9_000 - card[of], kind)),
      ]),
    )
  }
})

const listMovers = (query: Partial<MoversQuery> = {}) =>
  movers.listTop({
    period: '24h',
    direction: 'up',
    game_id: undefined,
    type: undefined,
    printing: undefined,
    limit: 50,
    list: EUROS,
    ...query,
  })

describe('movers of another source', () => {
  test.each(['up', 'down'] as const)('are the largest changes %s of each game', (direction) => {
    for (const game_id of [undefined, 1, 2]) {
      const changed = drawn.filter(
        ({ card_id, before, after }) =>
          (game_id === undefined || (card_id % 2) + 1 === game_id) &&
          // Histories begin with a price of 1.00.
          before >= 100 &&
          before !== after &&
          (direction === 'up') === after > before,
      )
      const plausible = changed.filter(({ before, after }) => {
        const ratio = Math.max(before, after) / Math.min(before, after)
        return Math.min(before, after) >= 100 && ratio <= 10
      })
      const sorted = plausible.sort(
        (a, b) =>
          (direction === 'up' ? 1 : -1) * (b.after / b.before - a.after / a.before) ||
          a.card_id - b.card_id,
      )
      const { rows, excluded } = listMovers({ direction, game_id })
      expect(rows.map(({ card_id, market_price }) => [card_id, market_price])).toEqual(
        sorted.slice(0, 50).map(({ card_id, after }) => [card_id, after / 100]),
      )
      expect(excluded).toBe(changed.length - plausible.length)
    }
  })

  test('are there in the periods and currencies that have a history', () => {
    const has = (currency: string, period: MoversQuery['period'], game_id?: number) =>
      movers.hasAny({ source: 'cardmarket', currency }, { period, game_id })
    expect([has('EUR', '24h'), has('EUR', '24h', 2)]).toEqual([true, true])
    expect([has('EUR', '30d'), has('USD', '24h'), has('EUR', '24h', 3)]).toEqual([
      false,
      false,
      false,
    ])
    expect(listMovers({ period: '30d' })).toEqual({ rows: [], excluded: 0 })
  })

  test('are near mint where a source has conditions, and reliable if that is required', () => {
    const kinds = (cents: number, low_price = cents) => [
      price(1, cents, { condition: 'near_mint', low_price }),
      price(1, 5_000 - cents),
      price(2, 700),
    ]
    publish(0, kinds(1_000), 'my-shop')
    publish(1, kinds(1_100), 'my-shop')
    const list = { source: 'my-shop', currency: 'EUR' }
    const found = { card_id: 1, market_price: 11, price_change: 10 }
    expect(listMovers({ list, min_confidence: 'high' }).rows).toMatchObject([found])
    // The lowest listing costs twice the market price.
    publish(2, kinds(1_200, 2_400), 'my-shop')
    expect(listMovers({ list }).rows).toMatchObject([{ market_price: 12 }])
    expect(listMovers({ list, min_confidence: 'high' }).rows).toEqual([])
  })

  test('are replaced with the prices of their source, and of no other', () => {
    const others = listMovers().rows
    publish(3, [], 'my-shop')
    expect(listMovers({ list: { source: 'my-shop', currency: 'EUR' } }).rows).toEqual([])
    rebuildMovers(db, Math.floor(FIRST_DAY / MS_PER_DAY))
    expect(listMovers().rows).toEqual(others)
  })
})
