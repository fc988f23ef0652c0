import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import { CHANNEL_KINDS, type ChannelStop } from '#rules/alerts/channel-kinds.ts'
import type { ConfidenceLevel } from '#rules/pricing/confidence.ts'

export const webhooks = sqliteTable('webhooks', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  url: text().notNull(),
  card_id: integer().notNull(),
  printing: text(),
  condition: text().$type<AlertCondition>().notNull(),
  threshold: integer().notNull(),
  revision: integer().notNull().default(1),
  is_paused: integer().$type<0 | 1>().notNull().default(0),
  disabled_for: text().$type<'gone' | 'failing'>(),
  failures: integer().notNull().default(0),
  failing_since: integer(),
  secret: blob({ mode: 'buffer' }).notNull(),
  old_secret: blob({ mode: 'buffer' }),
  old_secret_until: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  min_confidence: text().$type<ConfidenceLevel>().notNull().default('low'),
  currency: text(),
  source: text(),
})

export const deliveries = sqliteTable('deliveries', {
  id: text().primaryKey(),
  webhook_id: text().notNull(),
  account_id: integer().notNull(),
  host: text().notNull(),
  kind: text().$type<'alert' | 'test'>().notNull(),
  body: text().notNull(),
  state: text().$type<'pending' | 'delivered' | 'dead'>().notNull(),
  tries: integer().notNull().default(0),
  next_at: integer().notNull(),
  owner: text(),
  created_at: integer().notNull(),
  ended_at: integer(),
})

export const deliveryAttempts = sqliteTable('delivery_attempts', {
  delivery_id: text().notNull(),
  at: integer().notNull(),
  status: integer(),
  error: text(),
  latency_ms: integer().notNull(),
  answer: text(),
})

export const priceAlerts = sqliteTable('price_alerts', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  card_id: integer().notNull(),
  printing: text(),
  condition: text().$type<AlertCondition>().notNull(),
  threshold: integer().notNull(),
  currency: text(),
  source: text(),
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
  kind: text({ enum: CHANNEL_KINDS }).notNull(),
  target: blob({ mode: 'buffer' }).notNull(),
  target_hash: blob({ mode: 'buffer' }).notNull(),
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

export const channelMessages = sqliteTable('channel_messages', {
  id: text().primaryKey(),
  channel_id: text().notNull(),
  account_id: integer().notNull(),
  host: text().notNull(),
  kind: text().$type<'alert' | 'test' | 'confirmation'>().notNull(),
  body: text().notNull(),
  state: text().$type<'pending' | 'delivered' | 'dead'>().notNull(),
  tries: integer().notNull().default(0),
  next_at: integer().notNull(),
  owner: text(),
  created_at: integer().notNull(),
  ended_at: integer(),
})

export const alertPreferences = sqliteTable('alert_preferences', {
  account_id: integer().primaryKey(),
  digest_hour: integer(),
})

export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof deliveries.$inferSelect
export type DeliveryAttemptRow = typeof deliveryAttempts.$inferSelect
export type PriceAlertRow = typeof priceAlerts.$inferSelect
export type NotificationRow = typeof notifications.$inferSelect
export type AlertChannelRow = typeof alertChannels.$inferSelect
export type ChannelMessageRow = typeof channelMessages.$inferSelect
