import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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

export type AlertOutboxRow = typeof alertOutbox.$inferSelect
