import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { TIERS } from '#rules/accounts/tiers.ts'

export const accounts = sqliteTable('accounts', {
  id: integer().primaryKey(),
  email: text().notNull(),
  password_hash: text().notNull(),
  tier: text({ enum: TIERS }).notNull(),
  created_at: integer().notNull(),
  scan_balance: integer().notNull().default(0),
  scan_trial_at: integer(),
  granted_tier: text({ enum: TIERS }).notNull().default('free'),
  scan_debt: integer().notNull().default(0),
  is_operator: integer().$type<0 | 1>().notNull().default(0),
  email_skeleton: text(),
  deleted_at: integer(),
  email_confirmed_at: integer(),
  is_admitted: integer().$type<0 | 1>().notNull().default(0),
})

export const identities = sqliteTable(
  'identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    account_id: integer().notNull(),
    linked_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
)

export const mailedTokens = sqliteTable(
  'mailed_tokens',
  {
    account_id: integer().notNull(),
    purpose: text().$type<'reset' | 'confirm'>().notNull(),
    age: integer().$type<0 | 1>().notNull(),
    token_hash: blob({ mode: 'buffer' }).notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.purpose, table.age] })],
)

export const keys = sqliteTable('keys', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  name: text().notNull(),
  key_hash: blob({ mode: 'buffer' }).notNull(),
  key_prefix: text().notNull(),
  last4: text().notNull(),
  is_active: integer().$type<0 | 1>().notNull().default(1),
  created_at: integer().notNull(),
})

export const usageDaily = sqliteTable(
  'usage_daily',
  {
    account_id: integer().notNull(),
    day: integer().notNull(),
    used: integer().notNull(),
    granted: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.day] })],
)

export const accessVersion = sqliteTable('access_version', {
  id: integer().primaryKey(),
  version: integer().notNull(),
})

export const sessions = sqliteTable('sessions', {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
  token_hash: blob({ mode: 'buffer' }).notNull(),
  created_at: integer().notNull(),
  last_seen_at: integer().notNull(),
  browser: text().notNull().default(''),
  network: text().notNull().default(''),
})

export const loginPlaces = sqliteTable(
  'login_places',
  {
    account_id: integer().notNull(),
    place: blob({ mode: 'buffer' }).notNull(),
    last_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.place] })],
)

export const invitations = sqliteTable('invitations', {
  id: integer().primaryKey(),
  code_hash: blob({ mode: 'buffer' }).notNull(),
  email: text(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  revoked_at: integer(),
  used_at: integer(),
  account_id: integer(),
})

export const attempts = sqliteTable('attempts', {
  name: text().primaryKey(),
  whole_at: integer().notNull(),
})

export const usageByKey = sqliteTable(
  'usage_by_key',
  {
    key_id: text().notNull(),
    day: integer().notNull(),
    endpoint_group: text().notNull(),
    requests: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.key_id, table.day, table.endpoint_group] })],
)

export const keyTotals = sqliteTable('key_totals', {
  key_id: text().primaryKey(),
  requests: integer().notNull(),
  last_used_at: integer().notNull(),
})

/** An account as a hand-written statement returns it, because SQLite has no booleans. */
export type AccountRow = Omit<typeof accounts.$inferSelect, 'is_operator'> & { is_operator: 0 | 1 }
export type IdentityRow = typeof identities.$inferSelect
export type MailedTokenRow = typeof mailedTokens.$inferSelect
export type KeyRow = typeof keys.$inferSelect
export type AccessVersionRow = typeof accessVersion.$inferSelect
export type InvitationRow = typeof invitations.$inferSelect
export type LoginPlaceRow = typeof loginPlaces.$inferSelect
export type AttemptRow = typeof attempts.$inferSelect
export type SessionRow = typeof sessions.$inferSelect
export type UsageDailyRow = typeof usageDaily.$inferSelect
export type UsageByKeyRow = typeof usageByKey.$inferSelect
