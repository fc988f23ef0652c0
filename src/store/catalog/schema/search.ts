import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const searchDocuments = sqliteTable('search_documents', {
  id: integer().primaryKey(),
  version: text().notNull(),
})

export const searchColumns = sqliteTable('search_columns', {
  name: text().notNull(),
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

export const searchTerms = sqliteTable('search_terms', {
  length: integer().primaryKey(),
  terms: text().notNull(),
  cards: blob({ mode: 'buffer' }).notNull(),
  letters: blob({ mode: 'buffer' }).notNull(),
})

export type SearchDocumentRow = typeof searchDocuments.$inferSelect
export type SearchColumnRow = typeof searchColumns.$inferSelect
export type SearchTagRow = typeof searchTags.$inferSelect
export type SearchTermRow = typeof searchTerms.$inferSelect
export type SearchWordRow = typeof searchWords.$inferSelect
