import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { DRAFT_STATES } from '#rules/collections/import-draft.ts'
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
    import_id: text(),
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
    paid_currency: text().notNull().default('USD'),
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
    id: text().notNull(),
    revision: integer().notNull().default(1),
    done: integer().notNull().default(0),
    imported: integer().notNull().default(0),
    unowned: integer().notNull().default(0),
    unowned_list_id: text(),
    problem_count: integer().notNull().default(0),
    problems: text().notNull().default('[]'),
    first_item: text(),
    last_item: text(),
    removed: integer().notNull().default(0),
    started_at: integer(),
    completed_at: integer(),
    undone_at: integer(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.content_hash, table.run] })],
)

export const importDrafts = sqliteTable(
  'import_drafts',
  {
    collection_id: text().notNull(),
    import_id: text().notNull(),
    is_read: integer().$type<0 | 1>().notNull().default(0),
    reader: integer().notNull().default(0),
    read_rows: integer().notNull().default(0),
    direct_hash: text().notNull(),
    unowned: text().notNull().default('leave_out'),
    file_name: text(),
    columns: text().notNull().default('[]'),
    header: text().notNull().default('[]'),
    states: text().notNull().default('{}'),
    totals: text().notNull().default('{}'),
    changed_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.import_id] })],
)

export const importRows = sqliteTable(
  'import_rows',
  {
    collection_id: text().notNull(),
    import_id: text().notNull(),
    kind: text().notNull(),
    part: integer().notNull(),
    content: blob({ mode: 'buffer' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.collection_id, table.import_id, table.kind, table.part] }),
  ],
)

export const importChanges = sqliteTable(
  'import_changes',
  {
    collection_id: text().notNull(),
    import_id: text().notNull(),
    kind: text().notNull(),
    position: integer().notNull(),
    state: text({ enum: DRAFT_STATES }),
    changed: text(),
    revision: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.collection_id, table.import_id, table.kind, table.position] }),
  ],
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
    foreign_costs: text(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.day] })],
)

export const collectionShares = sqliteTable('collection_shares', {
  collection_id: text().primaryKey(),
  token_hash: blob({ mode: 'buffer' }).notNull(),
  sealed_token: blob({ mode: 'buffer' }).notNull(),
  created_at: integer().notNull(),
})

export type ListRow = typeof lists.$inferSelect
export type ListItemRow = typeof listItems.$inferSelect
export type CollectionImportRow = typeof collectionImports.$inferSelect
export type ImportDraftRow = typeof importDrafts.$inferSelect
export type ImportChangeRow = typeof importChanges.$inferSelect
export type CollectionShareRow = typeof collectionShares.$inferSelect
export type CollectionSummaryRow = typeof collectionSummaries.$inferSelect
export type CollectionValueRow = typeof collectionValues.$inferSelect
