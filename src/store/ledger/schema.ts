import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { TIERS } from '#rules/tiers.ts'

// The tables of ledger.db as drizzle knows them. Property = column = field on the wire.

export const accounts = sqliteTable('accounts', {
  id: integer().primaryKey(),
  email: text().notNull(),
  password_hash: text().notNull(),
  tier: text({ enum: TIERS }).notNull(),
  created_at: integer().notNull(),
})

export const keys = sqliteTable('keys', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  name: text().notNull(),
  key_hash: blob({ mode: 'buffer' }).notNull(),
  key_prefix: text().notNull(),
  last4: text().notNull(),
  is_active: integer({ mode: 'boolean' }).notNull(),
  created_at: integer().notNull(),
})

export const usageDaily = sqliteTable(
  'usage_daily',
  {
    account_id: integer().notNull(),
    day: integer().notNull(),
    used: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.day] })],
)

export const accessVersion = sqliteTable('access_version', {
  id: integer().primaryKey(),
  version: integer().notNull(),
})
