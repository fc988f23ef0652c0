import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { MigrationKind, ProductType } from '#rules/catalog/catalog-records.ts'

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
  prices_since: integer(),
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
  single_count: integer().notNull().default(0),
  priced_count: integer().notNull().default(0),
  value: integer().notNull().default(0),
  image_url: text(),
  set_icon_url: text(),
  top_price: integer(),
  is_top_doubtful: integer().notNull().default(0),
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

export const catalogInstallation = sqliteTable('installation', {
  id: text().notNull(),
})

export type GameRow = typeof games.$inferSelect
export type SetRow = typeof sets.$inferSelect
export type CardRow = typeof cards.$inferSelect
export type CardIdRow = typeof cardIds.$inferSelect
export type CardMigrationRow = typeof cardMigrations.$inferSelect
