import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { COLLECTION_KINDS } from '#rules/collections/collection-kinds.ts'
import type { Condition } from '#rules/pricing/price-key.ts'

export const collections = sqliteTable('collections', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  kind: text({ enum: COLLECTION_KINDS }).notNull(),
  name: text().notNull(),
  revision: integer().notNull().default(1),
  items: integer().notNull().default(0),
  content: integer().notNull().default(1),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  deleted_at: integer(),
})

export const collectionItems = sqliteTable(
  'collection_items',
  {
    collection_id: text().notNull(),
    id: text().notNull(),
    card_id: integer().notNull(),
    name: text().notNull(),
    number: text(),
    game: text().notNull(),
    set_id: integer().notNull(),
    set_name: text().notNull(),
    printing: text(),
    condition: text().$type<Condition>().notNull(),
    grade: text(),
    language: text(),
    quantity: integer().notNull(),
    price_paid: integer(),
    acquired_on: integer(),
    place: text(),
    note: text(),
    target_price: integer(),
    value: integer(),
    revision: integer().notNull().default(1),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.id] })],
)

export const collectionImports = sqliteTable(
  'collection_imports',
  {
    collection_id: text().notNull(),
    content_hash: text().notNull(),
    run: integer().notNull(),
    done: integer().notNull().default(0),
    imported: integer().notNull().default(0),
    problem_count: integer().notNull().default(0),
    problems: text().notNull().default('[]'),
    completed_at: integer(),
    started_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.content_hash, table.run] })],
)

export const collectionSummaries = sqliteTable('collection_summaries', {
  collection_id: text().primaryKey(),
  content: integer().notNull(),
  catalog_version: integer().notNull(),
  value: integer().notNull(),
  summary: text().notNull(),
  computed_at: integer().notNull(),
})

export const collectionValues = sqliteTable(
  'collection_values',
  {
    collection_id: text().notNull(),
    day: integer().notNull(),
    value: integer().notNull(),
    cost: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.day] })],
)

export const collectionShares = sqliteTable('collection_shares', {
  collection_id: text().primaryKey(),
  token_hash: blob({ mode: 'buffer' }).notNull(),
  created_at: integer().notNull(),
})

export type CollectionStoredRow = typeof collections.$inferSelect
export type CollectionItemRow = typeof collectionItems.$inferSelect
export type CollectionImportRow = typeof collectionImports.$inferSelect
export type CollectionSummaryRow = typeof collectionSummaries.$inferSelect
export type CollectionValueRow = typeof collectionValues.$inferSelect
