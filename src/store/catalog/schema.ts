import { blob, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { MigrationKind } from '#rules/catalog/card-migration.ts'
import type { ProductType } from '#rules/catalog/catalog-records.ts'
import type { SetKeyKind } from '#rules/catalog/set-keys.ts'
import type { Condition } from '#rules/pricing/price-key.ts'
import type { MatchMethod } from '#rules/sync/cardmarket/matchable.ts'

// The tables of catalog.db. Property = column = JSON field. The row types of hand-written statements
// derive from these tables, and tests compare both the migrations and the statements with them.

export const games = sqliteTable('games', {
  id: integer().primaryKey(),
  name: text().notNull(),
  slug: text().notNull(),
  priority: integer().notNull(),
  set_count: integer().notNull().default(0),
  card_count: integer().notNull().default(0),
  image_url: text(),
  logo_url: text(),
  last_synced_at: text(),
  published_at: text(),
  stale_since: text(),
  missing_since: text(),
})

export const sets = sqliteTable('sets', {
  id: integer().primaryKey(),
  game_id: integer().notNull(),
  name: text().notNull(),
  slug: text().notNull(),
  abbreviation: text(),
  release_date: text(),
  card_count: integer().notNull().default(0),
  image_url: text(),
  set_icon_url: text(),
  top_price: integer(),
  last_synced_at: text().notNull(),
  priced_at: integer().notNull().default(0),
  modified_on: text(),
  products_read_at: integer().notNull().default(0),
  missing_since: text(),
  updated_in: integer().notNull().default(0),
})

export const cards = sqliteTable('cards', {
  id: integer().primaryKey(),
  game_id: integer().notNull(),
  set_id: integer().notNull(),
  name: text().notNull(),
  clean_name: text().notNull(),
  number: text(),
  number_key: text().notNull(),
  rarity: text(),
  image_url: text(),
  marketplace_url: text(),
  product_type: text().$type<ProductType>().notNull(),
  foil_only: integer().notNull().default(0),
  told_foil_only: integer(),
  total_listings: integer().notNull().default(0),
  shipping_category_id: integer().notNull(),
  product_status_id: integer().notNull(),
  hp: text(),
  custom_attributes: text().notNull().default('{}'),
  search_text: text().notNull(),
  missing_since: text(),
  updated_in: integer().notNull().default(0),
})

export const printings = sqliteTable('printings', {
  id: integer().primaryKey(),
  name: text().notNull(),
})

export const prices = sqliteTable(
  'prices',
  {
    card_id: integer().notNull(),
    printing_id: integer().notNull(),
    market_price: integer(),
    low_price: integer(),
    median_price: integer(),
    lowest_with_shipping: integer(),
    buylist_price: integer(),
    base_24h: integer(),
    base_7d: integer(),
    base_30d: integer(),
    tracked_since: integer(),
    changed_at: integer().notNull(),
    updated_in: integer().notNull().default(0),
    is_base_printing: integer().notNull().default(0),
    market_since: integer(),
  },
  (table) => [primaryKey({ columns: [table.card_id, table.printing_id] })],
)

export const priceTexts = sqliteTable('price_texts', {
  card_id: integer().primaryKey(),
  set_id: integer().notNull(),
  prices: text().notNull(),
})

export const priceChanges = sqliteTable('price_changes', {
  card_id: integer().primaryKey(),
  changes: text().notNull(),
})

export const priceKinds = sqliteTable('price_kinds', {
  id: integer().primaryKey(),
  printing_id: integer().notNull(),
  source: text().notNull(),
  currency: text().notNull(),
  condition: text().$type<Condition>(),
  grade: text(),
})

export const sourcePrices = sqliteTable(
  'source_prices',
  {
    card_id: integer().notNull(),
    kind_id: integer().notNull(),
    market_price: integer(),
    low_price: integer(),
    median_price: integer(),
    sale_count: integer(),
    base_24h: integer(),
    base_7d: integer(),
    base_30d: integer(),
    tracked_since: integer(),
    changed_at: integer().notNull(),
    updated_in: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.card_id, table.kind_id] })],
)

export const priceSources = sqliteTable(
  'price_sources',
  {
    source: text().notNull(),
    game_id: integer().notNull(),
    published_at: integer(),
    synced_at: text(),
    stale_since: text(),
    failure: text(),
  },
  (table) => [primaryKey({ columns: [table.source, table.game_id] })],
)

export const cardIds = sqliteTable(
  'card_ids',
  {
    source: text().notNull(),
    id: text().notNull(),
    card_id: integer().notNull(),
    printing: text(),
  },
  (table) => [primaryKey({ columns: [table.source, table.id] })],
)

export const cardMigrations = sqliteTable('card_migrations', {
  id: integer().primaryKey(),
  kind: text().$type<MigrationKind>().notNull(),
  card_id: integer().notNull(),
  card_name: text().notNull(),
  new_card_id: integer(),
  old_set_id: integer(),
  new_set_id: integer(),
  created_at: integer().notNull(),
})

export const exchangeRates = sqliteTable('exchange_rates', {
  day: integer().primaryKey(),
  per_euro: text().notNull(),
})

export const sourceProducts = sqliteTable(
  'source_products',
  {
    source: text().notNull(),
    id: integer().notNull(),
    source_game: integer().notNull(),
    expansion_id: integer().notNull(),
    name: text().notNull(),
    is_sealed: integer().notNull(),
    added_on: integer(),
    missing_since: text(),
    card_id: integer(),
    printing: text(),
    method: text().$type<MatchMethod>(),
    confidence: real(),
    card_name: text(),
    card_set_id: integer(),
  },
  (table) => [primaryKey({ columns: [table.source, table.id] })],
)

export const sourceExpansions = sqliteTable(
  'source_expansions',
  {
    source: text().notNull(),
    id: integer().notNull(),
    set_id: integer().notNull(),
    confidence: real().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.id] })],
)

export const historyHot = sqliteTable(
  'history_hot',
  {
    month: integer().notNull(),
    series_id: integer().notNull(),
    points: blob({ mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.month, table.series_id] })],
)

export const historyCold = sqliteTable('history_cold', {
  series_id: integer().primaryKey(),
  points: blob({ mode: 'buffer' }).notNull(),
})

export const closedHistory = sqliteTable('closed_history', {
  id: integer().primaryKey(),
  sha256: text().notNull(),
  bytes: integer().notNull(),
  series: integer().notNull(),
})

const moverList = {
  period: text().notNull(),
  direction: text().notNull(),
  game_id: integer().notNull(),
  product_type: integer().notNull(),
  printing_id: integer().notNull(),
}

export const movers = sqliteTable(
  'movers',
  {
    ...moverList,
    position: integer().notNull(),
    card_id: integer().notNull(),
    card_printing_id: integer().notNull(),
    market_price: integer().notNull(),
    price_change: real().notNull(),
    confidence: integer(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.period,
        table.direction,
        table.game_id,
        table.product_type,
        table.printing_id,
        table.position,
      ],
    }),
  ],
)

export const moverExclusions = sqliteTable(
  'mover_exclusions',
  { ...moverList, excluded: integer().notNull() },
  (table) => [
    primaryKey({
      columns: [
        table.period,
        table.direction,
        table.game_id,
        table.product_type,
        table.printing_id,
      ],
    }),
  ],
)

const sourceMoverList = { source: text().notNull(), currency: text().notNull(), ...moverList }

/** Movers of sources beside the mirror. */
export const sourceMovers = sqliteTable(
  'source_movers',
  {
    ...sourceMoverList,
    position: integer().notNull(),
    card_id: integer().notNull(),
    card_printing_id: integer().notNull(),
    market_price: integer().notNull(),
    price_change: real().notNull(),
    confidence: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.source,
        table.currency,
        table.period,
        table.direction,
        table.game_id,
        table.product_type,
        table.printing_id,
        table.position,
      ],
    }),
  ],
)

export const sourceMoverExclusions = sqliteTable(
  'source_mover_exclusions',
  { ...sourceMoverList, excluded: integer().notNull() },
  (table) => [
    primaryKey({
      columns: [
        table.source,
        table.currency,
        table.period,
        table.direction,
        table.game_id,
        table.product_type,
        table.printing_id,
      ],
    }),
  ],
)

export const publication = sqliteTable('publication', {
  id: integer().primaryKey(),
  version: integer().notNull(),
  published_at: text(),
  changed_at: text().notNull(),
})

export const versions = sqliteTable('versions', {
  version: integer().primaryKey(),
  changed_at: integer().notNull(),
})

export const syncRuns = sqliteTable('sync_runs', {
  id: integer().primaryKey(),
  started_at: text().notNull(),
  finished_at: text(),
  outcome: text().$type<'complete' | 'incomplete' | 'failed'>(),
  published_at: text(),
  report: text().notNull().default('{}'),
})

export const upstreamFiles = sqliteTable('upstream_files', {
  path: text().primaryKey(),
  etag: text(),
  last_modified: text(),
})

export const searchDocuments = sqliteTable('search_documents', {
  id: integer().primaryKey(),
  version: text().notNull(),
})

export const searchColumns = sqliteTable('search_columns', {
  name: text()
    .$type<'card' | 'set' | 'price' | 'rank' | 'name' | 'rise' | 'fall' | 'release'>()
    .notNull(),
  numbers: blob({ mode: 'buffer' }).notNull(),
})

export const unindexedCards = sqliteTable('unindexed_cards', {
  card_id: integer().primaryKey(),
})

export const searchTags = sqliteTable('search_tags', {
  id: integer().primaryKey(),
  kind: text().notNull(),
  value: text().notNull(),
  tag: text().notNull(),
})

export const searchWords = sqliteTable('search_words', {
  word: text().primaryKey(),
  tag: text().notNull(),
  is_printing: integer().$type<0 | 1>().notNull(),
})

export const searchSets = sqliteTable(
  'search_sets',
  {
    phrase: text().notNull(),
    tag: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.phrase, table.tag] })],
)

export const setKeys = sqliteTable(
  'set_keys',
  {
    key: text().notNull(),
    kind: text().$type<SetKeyKind>().notNull(),
    set_id: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.kind, table.set_id] })],
)

export const searchTerms = sqliteTable('search_terms', {
  length: integer().primaryKey(),
  terms: text().notNull(),
  cards: blob({ mode: 'buffer' }).notNull(),
  letters: blob({ mode: 'buffer' }).notNull(),
})

export const cardPictures = sqliteTable('card_pictures', {
  card_id: integer().primaryKey(),
  game_id: integer().notNull(),
  model: text().notNull(),
  image_url: text().notNull(),
  etag: text(),
  vector: blob({ mode: 'buffer' }),
  hash: blob({ mode: 'buffer' }),
  art_group: integer(),
  status: text().notNull(),
  tries: integer().notNull().default(0),
  next_try_at: integer(),
  updated_at: text().notNull(),
  version: integer().notNull(),
})

export const cardNames = sqliteTable('card_names', {
  place: integer().primaryKey(),
  game_id: integer().notNull(),
  name: text().notNull(),
  spelling: text().notNull(),
  backwards: text().notNull(),
  is_whole: integer().$type<0 | 1>().notNull(),
  cards: text().notNull(),
})

export const cardNamePrices = sqliteTable('card_name_prices', {
  first_place: integer().primaryKey(),
  ranks: blob({ mode: 'buffer' }).notNull(),
  ends: blob({ mode: 'buffer' }).notNull(),
  top_cards: blob({ mode: 'buffer' }).notNull(),
})

export const cardNameGames = sqliteTable('card_name_games', {
  game_id: integer().primaryKey(),
  first_place: integer().notNull(),
  sizes: blob({ mode: 'buffer' }).notNull(),
})

export const cardNameTrigrams = sqliteTable('card_name_trigrams', {
  trigram: integer().primaryKey(),
  places: blob({ mode: 'buffer' }).notNull(),
})

export const numberShapes = sqliteTable(
  'number_shapes',
  {
    game_id: integer().notNull(),
    shape: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.game_id, table.shape] })],
)

export const alertOutbox = sqliteTable('alert_outbox', {
  place: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  webhook_id: text().notNull(),
  body: text().notNull(),
  created_at: integer().notNull(),
})

export const alertedWebhooks = sqliteTable('alerted_watches', {
  webhook_id: text().primaryKey(),
  revision: integer().notNull(),
})

export const catalogInstallation = sqliteTable('installation', {
  id: text().notNull(),
})

export type GameRow = typeof games.$inferSelect
export type SetRow = typeof sets.$inferSelect
export type CardRow = typeof cards.$inferSelect
export type PriceRow = typeof prices.$inferSelect
export type PriceTextRow = typeof priceTexts.$inferSelect
export type PriceKindRow = typeof priceKinds.$inferSelect
export type SourcePriceRow = typeof sourcePrices.$inferSelect
export type PriceSourceRow = typeof priceSources.$inferSelect
export type CardIdRow = typeof cardIds.$inferSelect
export type CardMigrationRow = typeof cardMigrations.$inferSelect
export type ExchangeRateRow = typeof exchangeRates.$inferSelect
export type SourceProductRow = typeof sourceProducts.$inferSelect
export type SourceExpansionRow = typeof sourceExpansions.$inferSelect
export type HistoryHotRow = typeof historyHot.$inferSelect
export type ClosedHistoryRow = typeof closedHistory.$inferSelect
export type SyncRunRow = typeof syncRuns.$inferSelect
export type UpstreamFileRow = typeof upstreamFiles.$inferSelect
export type SearchDocumentRow = typeof searchDocuments.$inferSelect
export type SearchColumnRow = typeof searchColumns.$inferSelect
export type SearchTagRow = typeof searchTags.$inferSelect
export type SearchTermRow = typeof searchTerms.$inferSelect
export type SetKeyRow = typeof setKeys.$inferSelect
export type SearchWordRow = typeof searchWords.$inferSelect
export type CardPictureRow = typeof cardPictures.$inferSelect
export type CardNameRow = typeof cardNames.$inferSelect
export type CardNamePriceRow = typeof cardNamePrices.$inferSelect
export type CardNameGameRow = typeof cardNameGames.$inferSelect
export type AlertOutboxRow = typeof alertOutbox.$inferSelect
