import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export type AuditEvent =
  | 'history_import_started'
  | 'key_created'
  | 'key_revoked'
  | 'login'
  | 'login_failed'
  | 'logout'
  | 'operator_granted'
  | 'operator_revoked'
  | 'email_confirmed'
  | 'password_changed'
  | 'password_reset'
  | 'provider_linked'
  | 'provider_unlinked'
  | 'reference_removed'
  | 'registered'
  | 'scans_granted'
  | 'settings_changed'
  | 'sync_started'
  | 'tier_changed'
  | 'webhook_created'
  | 'webhook_deleted'
  | 'webhook_secret_rotated'

export const auditLog = sqliteTable('audit_log', {
  id: integer().primaryKey(),
  at: integer().notNull(),
  event: text().$type<AuditEvent>().notNull(),
  account_id: integer(),
  address: text(),
  detail: text(),
})

export const serviceSettings = sqliteTable('service_settings', {
  name: text().primaryKey(),
  value: text().notNull(),
  changed_at: integer().notNull(),
})

export const setupTokens = sqliteTable('setup_tokens', {
  token_hash: blob({ mode: 'buffer' }).primaryKey(),
  created_at: integer().notNull(),
})

export const jobLeases = sqliteTable('job_leases', {
  job: text().primaryKey(),
  holder: text().notNull(),
  token: integer().notNull(),
  expires_at: integer().notNull(),
  begun_for: integer(),
  ended_at: integer(),
})

export const ledgerInstallation = sqliteTable('installation', {
  id: text().notNull(),
  probed_at: integer(),
})

export type AuditLogRow = typeof auditLog.$inferSelect
export type JobLeaseRow = typeof jobLeases.$inferSelect
export type ServiceSettingRow = typeof serviceSettings.$inferSelect
