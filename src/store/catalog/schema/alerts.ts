import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const alertOutbox = sqliteTable('alert_outbox', {
  place: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  rule_id: text().notNull(),
  body: text().notNull(),
  created_at: integer().notNull(),
})

export const alertedRules = sqliteTable('alerted_rules', {
  rule_id: text().primaryKey(),
  revision: integer().notNull(),
})

export type AlertOutboxRow = typeof alertOutbox.$inferSelect
