import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import type { ChannelKind, ChannelStop } from '#rules/alerts/channel-kinds.ts'
import type { ConfidenceLevel } from '#rules/pricing/confidence.ts'

/** Rules of accounts; a rule with its own channel is a webhook. */
export const priceRules = sqliteTable('price_rules', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  channel_id: text(),
  card_id: integer().notNull(),
  printing: text(),
  condition: text().$type<AlertCondition>().notNull(),
  threshold: integer().notNull(),
  currency: text(),
  source: text(),
  min_confidence: text().$type<ConfidenceLevel>().notNull().default('low'),
  revision: integer().notNull().default(1),
  is_paused: integer().$type<0 | 1>().notNull().default(0),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const notifications = sqliteTable('notifications', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  kind: text().$type<'alert' | 'channel'>().notNull(),
  source_id: text().notNull(),
  body: text().notNull(),
  created_at: integer().notNull(),
  read_at: integer(),
  is_waiting: integer().$type<0 | 1>().notNull().default(0),
})

export const alertChannels = sqliteTable('alert_channels', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  kind: text().$type<ChannelKind | 'webhook'>().notNull(),
  url: text(),
  secret: blob({ mode: 'buffer' }).notNull(),
  old_secret: blob({ mode: 'buffer' }),
  old_secret_until: integer(),
  address_hash: blob({ mode: 'buffer' }),
  host: text().notNull(),
  confirmed_at: integer(),
  is_paused: integer().$type<0 | 1>().notNull().default(0),
  disabled_for: text().$type<ChannelStop>(),
  last_error: text(),
  failures: integer().notNull().default(0),
  failing_since: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const alertMessages = sqliteTable('alert_messages', {
  id: text().primaryKey(),
  channel_id: text().notNull(),
  account_id: integer().notNull(),
  host: text().notNull(),
  channel_kind: text().$type<ChannelKind | 'webhook'>().notNull(),
  kind: text().$type<'alert' | 'test' | 'confirmation'>().notNull(),
  body: text().notNull(),
  state: text().$type<'pending' | 'delivered' | 'dead'>().notNull(),
  tries: integer().notNull().default(0),
  next_at: integer().notNull(),
  owner: text(),
  created_at: integer().notNull(),
  ended_at: integer(),
})

export const messageAttempts = sqliteTable('message_attempts', {
  message_id: text().notNull(),
  at: integer().notNull(),
  status: integer(),
  error: text(),
  latency_ms: integer().notNull(),
  answer: text(),
})

export const alertPreferences = sqliteTable('alert_preferences', {
  account_id: integer().primaryKey(),
  digest_hour: integer(),
})

export type PriceRuleRow = typeof priceRules.$inferSelect
export type NotificationRow = typeof notifications.$inferSelect
export type AlertChannelRow = typeof alertChannels.$inferSelect
export type AlertMessageRow = typeof alertMessages.$inferSelect
export type MessageAttemptRow = typeof messageAttempts.$inferSelect
