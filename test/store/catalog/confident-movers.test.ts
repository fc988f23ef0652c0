// Lists of movers by their minimum confidence, against a plain filter of all movers.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { assessPrice, CONFIDENCE_LEVELS, isConfident } from '#rules/pricing/confidence.ts'
import { MOVER_PRICES } from '#rules/pricing/movers.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { type MoverRecord, openMoverStore } from '#store/catalog/movers.ts'
import { rebuildMovers } from '#store/catalog/movers-build.ts'
import { openPrintingStore } from '#store/catalog/printings.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

const TODAY = 20_000
const PRINTINGS = ['Normal', 'Foil'] as const

/** A price that rose within a day; its lowest listing determines its reliability. */
type Mover = {
  game_id: number
  printing: 'Normal' | 'Foil'
  base: number
  rise: number
  low: number
}

const anyMover: fc.Arbitrary<Mover> = fc.record({
  game_id: fc.constantFrom(1, 2),
  printing: fc.constantFrom(...PRINTINGS),
  base: fc.constantFrom(300, 1_000, 4_000, 20_000),
  rise: fc.integer({ min: 1, max: 400 }),
  // At the market price, 50 % above it, and at twice the price.
  low: fc.constantFrom(1, 1.5, 2),
})

function openWith(movers: readonly Mover[]): Db {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  db.exec(`INSERT INTO games (id, name, slug, priority) VALUES (1, 'A', 'a', 3), (2, 'B', 'b', 3);
    INSERT INTO sets (id, game_id, name, slug, last_synced_at, priced_at)
    VALUES (1, 1, 'A', 'a', '', ${TODAY * 86_400}), (2, 2, 'B', 'b', '', ${TODAY * 86_400})`)
  const printings = openPrintingStore(db)
  const putCard = db.prepare(
    `INSERT INTO cards (id, game_id, set_id, name, clean_name, number_key, product_type, shipping_category_id,
       product_status_id, search_text) VALUES (?, ?, ?, 'Card', 'Card', '', 'Cards', 1, 1, '')`,
  )
  const putPrice = db.prepare(
    `INSERT INTO prices (card_id, printing_id, market_price, low_price, median_price, base_24h, tracked_since,
       changed_at, market_since) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)`,
  )
  for (const [index, mover] of movers.entries()) {
    const { market_price, low_price } = pricesOf(mover)
    putCard.run(index + 1, mover.game_id, mover.game_id)
    const rest = [market_price, low_price, low_price, mover.base, TODAY * 86_400, TODAY]
    putPrice.run(index + 1, printings.getOrCreateId(mover.printing), ...rest)
  }
  rebuildMovers(db, TODAY)
  return db
}

function ratioOf({ base, rise }: Mover): number {
  return (base + rise) / base
}

function pricesOf({ base, rise, low }: Mover) {
  const market_price = base + rise
  return { market_price, low_price: Math.round(market_price * low) }
}

function levelOf(mover: Mover) {
  const { market_price, low_price } = pricesOf(mover)
  const facts = { market_price, low_price, median_price: low_price, published_day: TODAY }
  const bases = { '24h': mover.base, '7d': null, '30d': null }
  const rest = { unchanged_days: 0, sale_count: null, other_price: null }
  return assessPrice({ ...facts, bases, ...rest }, TODAY).level
}

describe('movers with a minimum confidence and price', () => {
  test('are the first fifty of all movers that reach it, whatever else is filtered', () => {
    const question = fc.record({
      min_confidence: fc.constantFrom(...CONFIDENCE_LEVELS),
      game_id: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
      printing: fc.option(fc.constantFrom(...PRINTINGS), { nil: undefined }),
      min_price: fc.constantFrom(...MOVER_PRICES),
      limit: fc.constantFrom(1, 20, 50),
    })
    const movers = fc.array(anyMover, { minLength: 200, maxLength: 400, size: 'max' })
    const property = fc.property(
      movers,
      fc.array(question, { minLength: 10 }),
      (all, questions) => {
        const db = openWith(all)
        const store = openMoverStore(db, createPictureUrl('http://localhost'))
        for (const query of questions) {
          const { game_id, printing, min_confidence: minimum, min_price, limit } = query
          const expected = [...all.entries()]
            .filter(([, mover]) => game_id === undefined || mover.game_id === game_id)
            .filter(([, mover]) => printing === undefined || mover.printing === printing)
            .filter(([, mover]) => mover.base + mover.rise >= Number(min_price) * 100)
            .filter(([, mover]) => isConfident(levelOf(mover), minimum))
            .toSorted(([a, one], [b, other]) => ratioOf(other) - ratioOf(one) || a - b)
            .map(([index]) => index + 1)
          const filter = { ...query, period: '24h', direction: 'up', type: undefined } as const
          const ids = store.listTop(filter).rows.map(({ card_id }: MoverRecord) => card_id)
          expect(ids).toEqual(expected.slice(0, limit))
        }
        db.close()
      },
    )
    fc.assert(property, { numRuns: 8 })
  })
})
