import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { TIERS } from '#rules/accounts/tiers.ts'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import { CHANNEL_KINDS, type ChannelStop } from '#rules/alerts/channel-kinds.ts'
import type { BillingEvent, BillingProvider, SubscriptionStatus } from '#rules/billing/billing.ts'
import type { BillableItem, Plan } from '#rules/billing/plans.ts'
import { COLLECTION_KINDS } from '#rules/collections/collection-kinds.ts'
import { VERDICT_STATUSES } from '#rules/photos/verdict.ts'
import type { ConfidenceLevel } from '#rules/pricing/confidence.ts'
import type { Condition } from '#rules/pricing/price-key.ts'

// The tables of ledger.db; see catalog/schema.ts.

export type AuditEvent =
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
  | 'registered'
  | 'scans_granted'
  | 'settings_changed'
  | 'sync_started'
  | 'tier_changed'
  | 'webhook_created'
  | 'webhook_deleted'
  | 'webhook_secret_rotated'

type ScanEntryKind =
  | 'trial'
  | 'trial_withdrawn'
  | 'purchase'
  | 'grant'
  | 'scan'
  | 'refund'
  | 'rejection'
  | 'reversal'
  | 'reinstatement'
  | 'debt_settled'

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
    token_hash: blob({ mode: 'buffer' }).notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.purpose] })],
)

export const keys = sqliteTable('keys', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  name: text().notNull(),
  key_hash: blob({ mode: 'buffer' }).notNull(),
  key_prefix: text().notNull(),
  last4: text().notNull(),
  is_active: integer().$type<0 | 1>().notNull(),
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
    last_day: integer().notNull(),
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

export const auditLog = sqliteTable('audit_log', {
  id: integer().primaryKey(),
  at: integer().notNull(),
  event: text().$type<AuditEvent>().notNull(),
  account_id: integer(),
  address: text(),
  detail: text(),
})

export const scanLedger = sqliteTable('scan_ledger', {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
  kind: text().$type<ScanEntryKind>().notNull(),
  n: integer().notNull(),
  amount_cents: integer(),
  ref: text().notNull(),
  at: integer().notNull(),
})

export const scanHolds = sqliteTable('scan_holds', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  state: text().$type<'held' | 'done' | 'refunded' | 'rejected'>().notNull(),
  taken_at: integer().notNull(),
  due_at: integer().notNull(),
})

export const identifications = sqliteTable('identifications', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  at: integer().notNull(),
  status: text({ enum: VERDICT_STATUSES }).notNull(),
  game: text(),
  data: text().notNull(),
  feedback_at: integer(),
  feedback_card_id: integer(),
})

export const scanDays = sqliteTable(
  'scan_days',
  {
    account_id: integer().notNull(),
    day: integer().notNull(),
    scans: integer().notNull().default(0),
    refunded: integer().notNull().default(0),
    matched: integer().notNull().default(0),
    ambiguous: integer().notNull().default(0),
    retake: integer().notNull().default(0),
    not_found: integer().notNull().default(0),
    unsupported: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.day] })],
)

export const billingQuestions = sqliteTable('billing_questions', {
  id: integer().primaryKey(),
  asked: integer().notNull(),
})

export const billingCustomers = sqliteTable('billing_customers', {
  customer: text().primaryKey(),
  account_id: integer().notNull(),
  is_current: integer().notNull().default(1),
})

export const checkouts = sqliteTable('checkouts', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  provider: text().$type<BillingProvider>().notNull(),
  item: text().$type<BillableItem>().notNull(),
  amount_cents: integer().notNull(),
  state: text().$type<'open' | 'paid' | 'ended'>().notNull(),
  session: text(),
  url: text(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  closed_at: integer(),
})

export const subscriptions = sqliteTable('subscriptions', {
  ref: text().primaryKey(),
  account_id: integer().notNull(),
  provider: text().$type<BillingProvider>().notNull(),
  plan: text().$type<Plan>().notNull(),
  status: text().$type<SubscriptionStatus>().notNull(),
  period_end: integer(),
  cancels: integer().$type<0 | 1>().notNull(),
  next_plan: text().$type<Plan>(),
  past_due_at: integer(),
  asked: integer().notNull(),
  checked_at: integer().notNull(),
  tier: text({ enum: TIERS }).notNull(),
  changes_at: integer(),
  anchor_day: integer(),
})

export const scanPurchases = sqliteTable('scan_purchases', {
  ref: text().primaryKey(),
  account_id: integer().notNull(),
  item: text().$type<BillableItem>().notNull(),
  scans: integer().notNull(),
  amount_cents: integer().notNull(),
  reversed: integer().notNull().default(0),
  at: integer().notNull(),
})

export const billingCharges = sqliteTable('billing_charges', {
  ref: text().primaryKey(),
  account_id: integer().notNull(),
  item: text().$type<BillableItem>().notNull(),
  purchase: text(),
  subscription: text(),
  refunded_cents: integer().notNull().default(0),
  disputed_cents: integer().notNull().default(0),
  paid_at: integer().notNull(),
  asked: integer().notNull(),
})

export const billingPayments = sqliteTable('billing_payments', {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
  provider: text().$type<BillingProvider>().notNull(),
  item: text().$type<BillableItem>().notNull(),
  kind: text().$type<'payment' | 'refund' | 'dispute' | 'dispute_won'>().notNull(),
  amount_cents: integer().notNull(),
  ref: text().notNull(),
  at: integer().notNull(),
})

export const billingEvents = sqliteTable('billing_events', {
  id: text().primaryKey(),
  provider: text().$type<BillingProvider>().notNull(),
  type: text().notNull(),
  account_id: integer(),
  outcome: text().$type<BillingEvent['outcome']>().notNull(),
  detail: text(),
  at: integer().notNull(),
})

export const photoPayments = sqliteTable('photo_payments', {
  id: text().primaryKey(),
  payer: text().notNull(),
  fingerprint: text().notNull(),
  state: text()
    .$type<'reserved' | 'worked' | 'unknown' | 'settled' | 'released' | 'failed'>()
    .notNull(),
  payment: text().notNull(),
  result: text(),
  settlement: text(),
  valid_before: integer().notNull(),
  owner: text(),
  due_at: integer().notNull(),
  next_at: integer(),
  tries: integer().notNull().default(0),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

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

export const serviceSettings = sqliteTable('service_settings', {
  name: text().primaryKey(),
  value: text().notNull(),
  changed_at: integer().notNull(),
})

export const jobLeases = sqliteTable('job_leases', {
  job: text().primaryKey(),
  holder: text().notNull(),
  token: integer().notNull(),
  expires_at: integer().notNull(),
  begun_for: integer(),
  ended_at: integer(),
})

export const collections = sqliteTable('collections', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  kind: text({ enum: COLLECTION_KINDS }).notNull(),
  name: text().notNull(),
  revision: integer().notNull().default(1),
  items: integer().notNull().default(0),
  content: integer().notNull().default(1),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  deleted_at: integer(),
})

export const collectionItems = sqliteTable(
  'collection_items',
  {
    collection_id: text().notNull(),
    id: text().notNull(),
    card_id: integer().notNull(),
    name: text().notNull(),
    number: text(),
    game: text().notNull(),
    set_id: integer().notNull(),
    set_name: text().notNull(),
    printing: text(),
    condition: text().$type<Condition>().notNull(),
    grade: text(),
    language: text(),
    quantity: integer().notNull(),
    price_paid: integer(),
    acquired_on: integer(),
    place: text(),
    note: text(),
    target_price: integer(),
    value: integer(),
    revision: integer().notNull().default(1),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.id] })],
)

export const collectionImports = sqliteTable(
  'collection_imports',
  {
    collection_id: text().notNull(),
    content_hash: text().notNull(),
    run: integer().notNull(),
    done: integer().notNull().default(0),
    imported: integer().notNull().default(0),
    problem_count: integer().notNull().default(0),
    problems: text().notNull().default('[]'),
    completed_at: integer(),
    started_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.content_hash, table.run] })],
)

export const collectionSummaries = sqliteTable('collection_summaries', {
  collection_id: text().primaryKey(),
  content: integer().notNull(),
  catalog_version: integer().notNull(),
  value: integer().notNull(),
  summary: text().notNull(),
  computed_at: integer().notNull(),
})

export const collectionValues = sqliteTable(
  'collection_values',
  {
    collection_id: text().notNull(),
    day: integer().notNull(),
    value: integer().notNull(),
    cost: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection_id, table.day] })],
)

export const collectionShares = sqliteTable('collection_shares', {
  collection_id: text().primaryKey(),
  token_hash: blob({ mode: 'buffer' }).notNull(),
  created_at: integer().notNull(),
})

export const scanSessions = sqliteTable('scan_sessions', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  name: text().notNull(),
  photos: integer().notNull().default(0),
  scans: integer().notNull().default(0),
  items: integer().notNull().default(0),
  copies: integer().notNull().default(0),
  open: integer().notNull().default(0),
  added: integer().notNull().default(0),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  deleted_at: integer(),
})

export const scanSessionPhotos = sqliteTable(
  'scan_session_photos',
  {
    scan_session_id: text().notNull(),
    photo: text().notNull(),
    width: integer(),
    height: integer(),
    unread: text().notNull().default('[]'),
    scans: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.scan_session_id, table.photo] })],
)

export const scanSessionCards = sqliteTable(
  'scan_session_cards',
  {
    scan_session_id: text().notNull(),
    identification_id: text().notNull(),
    photo: text().notNull(),
    page_row: integer(),
    page_column: integer(),
    outline: text(),
    data: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.scan_session_id, table.identification_id] })],
)

export const scanSessionItems = sqliteTable(
  'scan_session_items',
  {
    scan_session_id: text().notNull(),
    id: text().notNull(),
    ordinal: integer().notNull(),
    identification_id: text().notNull(),
    copied_from: text(),
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
    is_reviewed: integer().$type<0 | 1>().notNull(),
    revision: integer().notNull().default(1),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.scan_session_id, table.id] })],
)

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

/** An account as a hand-written statement returns it: SQLite has no booleans. */
export const ledgerInstallation = sqliteTable('installation', {
  id: text().notNull(),
  probed_at: integer(),
})

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
export type AuditLogRow = typeof auditLog.$inferSelect
export type ScanLedgerRow = typeof scanLedger.$inferSelect
export type ScanHoldRow = typeof scanHolds.$inferSelect
export type IdentificationRow = typeof identifications.$inferSelect
export type ScanDayRow = typeof scanDays.$inferSelect
export type CheckoutRow = typeof checkouts.$inferSelect
export type SubscriptionRow = typeof subscriptions.$inferSelect
export type ScanPurchaseRow = typeof scanPurchases.$inferSelect
export type BillingCustomerRow = typeof billingCustomers.$inferSelect
export type BillingChargeRow = typeof billingCharges.$inferSelect
export type BillingPaymentRow = typeof billingPayments.$inferSelect
export type BillingEventRow = typeof billingEvents.$inferSelect
export type PhotoPaymentRow = typeof photoPayments.$inferSelect
export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof deliveries.$inferSelect
export type DeliveryAttemptRow = typeof deliveryAttempts.$inferSelect
export type PriceAlertRow = typeof priceAlerts.$inferSelect
export type NotificationRow = typeof notifications.$inferSelect
export type AlertChannelRow = typeof alertChannels.$inferSelect
export type ChannelMessageRow = typeof channelMessages.$inferSelect
export type JobLeaseRow = typeof jobLeases.$inferSelect
export type ServiceSettingRow = typeof serviceSettings.$inferSelect
export type CollectionStoredRow = typeof collections.$inferSelect
export type CollectionItemRow = typeof collectionItems.$inferSelect
export type CollectionImportRow = typeof collectionImports.$inferSelect
export type CollectionSummaryRow = typeof collectionSummaries.$inferSelect
export type CollectionValueRow = typeof collectionValues.$inferSelect
export type ScanSessionRow = typeof scanSessions.$inferSelect
export type ScanSessionPhotoRow = typeof scanSessionPhotos.$inferSelect
export type ScanSessionCardRow = typeof scanSessionCards.$inferSelect
export type ScanSessionItemRow = typeof scanSessionItems.$inferSelect
