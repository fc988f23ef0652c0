import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { MatchMethod } from '#rules/sync/cardmarket/matchable.ts'

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

export type SourceProductRow = typeof sourceProducts.$inferSelect
export type SourceExpansionRow = typeof sourceExpansions.$inferSelect
export type SyncRunRow = typeof syncRuns.$inferSelect
export type UpstreamFileRow = typeof upstreamFiles.$inferSelect
