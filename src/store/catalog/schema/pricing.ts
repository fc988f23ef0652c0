import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Condition } from '#rules/pricing/price-key.ts'

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
    preferred_since: integer(),
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

export const exchangeRates = sqliteTable('exchange_rates', {
  day: integer().primaryKey(),
  per_euro: text().notNull(),
})

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

export type PriceRow = typeof prices.$inferSelect
export type PriceTextRow = typeof priceTexts.$inferSelect
export type PriceKindRow = typeof priceKinds.$inferSelect
export type SourcePriceRow = typeof sourcePrices.$inferSelect
export type PriceSourceRow = typeof priceSources.$inferSelect
export type ExchangeRateRow = typeof exchangeRates.$inferSelect
export type HistoryHotRow = typeof historyHot.$inferSelect
export type ClosedHistoryRow = typeof closedHistory.$inferSelect
