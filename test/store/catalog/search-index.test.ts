// The index is written card by card. After any changes, it must equal that of a new catalog.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { buildSearchText } from '#rules/search/search-document.ts'
import { updateSearch } from '#store/catalog/search/search-index.ts'
import { type Db, inTransaction } from '#store/db.ts'
import { SEED } from '../../support/random.ts'
import { createSearchCatalog, putSearchCard } from '../../support/search-catalog.ts'
import { readContents } from '../../support/sync/upstream-fixture.ts'

const SETS = [
  { id: 1, game_id: 1, name: 'Lantern Season' },
  { id: 2, game_id: 1, name: 'Emberwake', abbreviation: 'EMB' },
  { id: 3, game_id: 2, name: 'Promo' },
]
const NAMES = ['Cindle', 'Cindle Cat', 'Hesper Ring', 'Ring of Cats', 'Lantern']
const RARITIES = ['Rare', 'rare', 'UltraRare', null]

type Change = (db: Db) => void

const cardId = fc.integer({ min: 1, max: 12 })

const change: fc.Arbitrary<Change> = fc.oneof(
  fc
    .tuple(cardId, fc.constantFrom(...SETS), fc.constantFrom(...NAMES), fc.nat(900))
    .map(([id, set, name, prices]) => (db: Db) => {
      const isKnown = db.prepare('SELECT 1 FROM cards WHERE id = ?').get(id) !== undefined
      if (!isKnown) putSearchCard(db, { id, set_id: set.id, name, prices })
    }),
  fc.tuple(cardId, fc.constantFrom(...NAMES)).map(([id, name]) => (db: Db) => {
    db.prepare('UPDATE cards SET name = ?, clean_name = ?, search_text = ? WHERE id = ?').run(
      name,
      name,
      buildSearchText({ name, number: null }),
      id,
    )
  }),
  fc.tuple(cardId, fc.constantFrom(...RARITIES)).map(([id, rarity]) => (db: Db) => {
    db.prepare('UPDATE cards SET rarity = ? WHERE id = ?').run(rarity, id)
  }),
  fc.tuple(cardId, fc.constantFrom('2026-01-01', null)).map(([id, since]) => (db: Db) => {
    db.prepare('UPDATE cards SET missing_since = ? WHERE id = ?').run(since, id)
  }),
  fc.tuple(cardId, fc.constantFrom('Foil', 'Chrome Foil')).map(([id, printing]) => (db: Db) => {
    db.prepare('INSERT OR IGNORE INTO printings (name) VALUES (?)').run(printing)
    db.prepare(
      `INSERT OR IGNORE INTO prices (card_id, printing_id, market_price, changed_at)
       SELECT cards.id, printings.id, 5, 0 FROM cards, printings
        WHERE cards.id = ? AND printings.name = ?`,
    ).run(id, printing)
  }),
  fc.tuple(cardId, fc.option(fc.nat(900))).map(([id, price]) => (db: Db) => {
    db.prepare('UPDATE prices SET market_price = ? WHERE card_id = ? AND is_base_printing = 1').run(
      price,
      id,
    )
  }),
  fc
    .tuple(fc.constantFrom(...SETS), fc.constantFrom('Emberfall', 'Lantern Season'))
    .map(([{ id }, name]) => (db: Db) => {
      db.prepare('UPDATE sets SET name = ? WHERE id = ?').run(name, id)
    }),
  fc.constantFrom('Wickerwild', 'Lantern Game').map((name) => (db: Db) => {
    db.prepare('UPDATE games SET name = ? WHERE id = 1').run(name)
  }),
)

const addLast: Change = (db) => putSearchCard(db, { id: 99, set_id: 1, name: 'Last' })

function publish(db: Db, changes: readonly Change[]): void {
  inTransaction(db, () => {
    for (const one of changes) one(db)
    updateSearch(db)
  })
}

describe('the search index', () => {
  test('equals, after any changes, an index that is built from the same cards in one step', () => {
    const publications = fc.array(fc.array(change, { maxLength: 6 }), {
      minLength: 1,
      maxLength: 6,
    })
    const property = fc.property(publications, (lists) => {
      const updated = createSearchCatalog(SETS, [])
      for (const changes of lists) publish(updated, changes)
      // Names without cards are updated with the next card.
      publish(updated, [addLast])
      const built = createSearchCatalog(SETS, [])
      publish(built, [...lists.flat(), addLast])
      const [found, wanted] = [readContents(updated), readContents(built)]
      for (const table of [
        'card_search',
        'search_columns',
        'search_terms',
        'search_words',
        'search_sets',
      ]) {
        expect(found[table]).toEqual(wanted[table] ?? [])
      }
    })
    fc.assert(property, { seed: SEED, numRuns: 150, endOnFailure: true })
  })

  test('stays unchanged, page by page, if nothing has changed', () => {
    const db = createSearchCatalog(SETS, [{ id: 1, set_id: 1, name: 'Cindle', prices: 5 }])
    const before = db.serialize()
    publish(db, [])
    expect(db.serialize().equals(before)).toBe(true)
  })

  test('keeps its documents if only prices change', () => {
    const db = createSearchCatalog(SETS, [
      { id: 1, set_id: 1, name: 'Cindle', prices: 5 },
      { id: 2, set_id: 1, name: 'Hesper Ring', prices: 9 },
    ])
    const before = readContents(db, { exact: true })
    publish(db, [(one) => one.exec('UPDATE prices SET market_price = 12 WHERE card_id = 1')])
    const after = readContents(db, { exact: true })
    const changed = Object.keys(after).filter(
      (table) => !Bun.deepEquals(after[table], before[table]),
    )
    expect(changed).toEqual(['prices', 'search_columns'])
  })
})
