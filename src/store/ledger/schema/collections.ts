import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { LIST_KINDS } from '#rules/collections/list-kinds.ts'
import type { Condition } from '#rules/pricing/price-key.ts'

/** Lists of cards. Each list counts its copies, its reviewed items and all items that were ever added. */
export const lists = sqliteTable('lists', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  kind: text({ enum: LIST_KINDS }).notNull(),
  name: text().notNull(),
  revision: integer().notNull().default(1),
  items: integer().notNull().default(0),
  copies: integer().notNull().default(0),
  open: integer().notNull().default(0),
  added: integer().notNull().default(0),
  photos: integer().notNull().default(0),
  scans: integer().notNull().default(0),
  content: integer().notNull().default(1),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  deleted_at: integer(),
})

export const listItems = sqliteTable(
  'list_items',
  {
    list_id: text().notNull(),
    id: text().notNull(),
    ordinal: integer().notNull(),
    identification_id: text(),
    copied_from: text(),
    card_id: integer(),
    name: text(),
    number: text(),
    game: text(),
    set_id: integer(),
    set_name: text(),
    printing: text(),
    condition: text().$type<Condition>().notNull(),
    grade: text(),
    language: text(),
    quantity: integer().notNull(),
    is_reviewed: integer().$type<0 | 1>().notNull().default(1),
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
  (table) => [primaryKey({ columns: [table.list_id, table.id] })],
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
  unpriced: integer().notNull(),
  notes: text().notNull(),
  summary: text().notNull(),
  computed_at: integer().notNull(),
})

export const collectionValues = sqliteTable(
  'collection_values',
  {
    collection_id: text().notNull(),
    day: integer().notNull(),
    value: integer().notNull(),
    carried: integer().notNull(),
    cost: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.day] })],
)

export const collectionShares = sqliteTable('collection_shares', {
  collection_id: text().primaryKey(),
  token_hash: blob({ mode: 'buffer' }).notNull(),
  created_at: integer().notNull(),
})

export type ListRow = typeof lists.$inferSelect
export type ListItemRow = typeof listItems.$inferSelect
export type CollectionImportRow = typeof collectionImports.$inferSelect
export type CollectionSummaryRow = typeof collectionSummaries.$inferSelect
export type CollectionValueRow = typeof collectionValues.$inferSelect
