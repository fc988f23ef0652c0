// Catalogs in memory for tests of the search, with a real index.

import { basePrinting } from '#rules/catalog/base-printing.ts'
import type { ProductType } from '#rules/catalog/catalog-records.ts'
import { cleanName, numberKey } from '#rules/catalog/names.ts'
import { buildSearchText } from '#rules/search/search-document.ts'
import type { Lexicon } from '#rules/search/word-matches.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openSearchLexicon } from '#store/catalog/search/query-interpreter.ts'
import { openSearchColumns } from '#store/catalog/search/search-columns.ts'
import {
  openSearchHits,
  openStoredMatches,
  type SearchHits,
} from '#store/catalog/search/search-hits.ts'
import { updateSearch } from '#store/catalog/search/search-index.ts'
import { type Db, inTransaction, openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

export type TestCard = {
  id: number
  set_id: number
  name: string
  number?: string
  rarity?: string
  product_type?: ProductType
  /** Market prices in cents by printing; a number is the price of `Normal`. */
  prices?: number | Record<string, number | null>
  /** Market prices a week ago. */
  before?: Record<string, number | null>
  missing?: boolean
}

export type TestSet = {
  id: number
  game_id: number
  name: string
  abbreviation?: string | null
  release_date?: string | null
}

/** Names of games by id; their slugs are the lower-case names with hyphens. */
export type TestGames = Record<number, string>

/** Creates a catalog of sets and cards with its search index. Unnamed games are `Game`. */
export function createSearchCatalog(
  sets: readonly TestSet[],
  cards: readonly TestCard[],
  games: TestGames = {},
): Db {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  inTransaction(db, () => {
    const putGame = db.prepare('INSERT INTO games (id, name, slug, priority) VALUES (?, ?, ?, 0)')
    for (const id of new Set(sets.map(({ game_id }) => game_id))) {
      const name = games[id]
      putGame.run(id, name ?? 'Game', name?.toLowerCase().replaceAll(' ', '-') ?? id)
    }
    const putSet = db.prepare(
      `INSERT INTO sets (id, game_id, name, slug, abbreviation, release_date, last_synced_at)
       VALUES (?, ?, ?, ?, ?, ?, '')`,
    )
    for (const { id, game_id, name, abbreviation = null, release_date = null } of sets) {
      putSet.run(id, game_id, name, id, abbreviation, release_date)
    }
    for (const card of cards) putSearchCard(db, card)
    updateSearch(db)
  })
  return db
}

/** Adds a card with its prices; the index is unchanged. */
export function putSearchCard(db: Db, card: TestCard): void {
  const { id, set_id, name, number = null, rarity = null, product_type = 'Cards' } = card
  const game_id = db
    .prepare<[number], number>('SELECT game_id FROM sets WHERE id = ?')
    .pluck()
    .get(set_id)
  db.prepare(
    `INSERT INTO cards (id, game_id, set_id, name, clean_name, number, number_key, rarity,
       product_type, shipping_category_id, product_status_id, search_text, missing_since)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, ?, ?)`,
  ).run(
    id,
    game_id,
    set_id,
    name,
    cleanName(name),
    number,
    numberKey(number),
    rarity,
    product_type,
    buildSearchText({ name, number }),
    card.missing ? '2026-01-01' : null,
  )
  const rows = listPrices(card)
  const base = basePrinting(rows)
  const putPrinting = db.prepare('INSERT OR IGNORE INTO printings (name) VALUES (?)')
  const putPrice = db.prepare(
    `INSERT INTO prices (card_id, printing_id, market_price, base_7d, is_base_printing, changed_at)
     SELECT ?, id, ?, ?, ?, 0 FROM printings WHERE name = ?`,
  )
  for (const row of rows) {
    putPrinting.run(row.printing)
    const before = card.before?.[row.printing] ?? null
    putPrice.run(id, row.market_price, before, row === base ? 1 : 0, row.printing)
  }
}

/** Lists the printings of a card with their prices in cents. */
export function listPrices({ prices = {} }: TestCard) {
  const byName = typeof prices === 'number' ? { Normal: prices } : prices
  return Object.entries(byName).map(([printing, market_price]) => {
    return { printing, market_price, low_price: null }
  })
}

/** Opens the hits of a catalog's stored index. */
export function openStoredHits(db: Db): SearchHits {
  const columns = openSearchColumns(db)()
  return openSearchHits(columns, openStoredMatches(db)(columns.cards))
}

/** Returns the lookups of a catalog's index. */
export function openTestLexicon(db: Db): Lexicon {
  return openSearchLexicon(db, openStoredHits(db).exists)()
}
