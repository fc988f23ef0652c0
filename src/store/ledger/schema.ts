import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { TIERS } from '#rules/accounts/tiers.ts'
import { VERDICT_STATUSES } from '#rules/photos/verdict.ts'

// The tables of ledger.db as drizzle knows them. Property = column = field on the wire.

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
  is_operator: integer({ mode: 'boolean' }).notNull().default(false),
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

export const sessions = sqliteTable('sessions', {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
  token_hash: blob({ mode: 'buffer' }).notNull(),
  created_at: integer().notNull(),
  last_seen_at: integer().notNull(),
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
  event: text().notNull(),
  account_id: integer(),
  address: text(),
  detail: text(),
})

export const scanLedger = sqliteTable('scan_ledger', {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
  kind: text().notNull(),
  n: integer().notNull(),
  amount_cents: integer(),
  ref: text().notNull(),
  at: integer().notNull(),
})

export const scanHolds = sqliteTable('scan_holds', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  state: text().notNull(),
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
  provider: text().notNull(),
  item: text().notNull(),
  amount_cents: integer().notNull(),
  state: text().notNull(),
  session: text(),
  url: text(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  closed_at: integer(),
})

export const subscriptions = sqliteTable('subscriptions', {
  ref: text().primaryKey(),
  account_id: integer().notNull(),
  provider: text().notNull(),
  plan: text().notNull(),
  status: text().notNull(),
  period_end: integer(),
  cancels: integer().notNull(),
  next_plan: text(),
  past_due_at: integer(),
  asked: integer().notNull(),
  checked_at: integer().notNull(),
  tier: text({ enum: TIERS }).notNull(),
  changes_at: integer(),
})

export const scanPurchases = sqliteTable('scan_purchases', {
  ref: text().primaryKey(),
  account_id: integer().notNull(),
  item: text().notNull(),
  scans: integer().notNull(),
  amount_cents: integer().notNull(),
  reversed: integer().notNull().default(0),
  at: integer().notNull(),
})

export const billingCharges = sqliteTable('billing_charges', {
  ref: text().primaryKey(),
  account_id: integer().notNull(),
  item: text().notNull(),
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
  provider: text().notNull(),
  item: text().notNull(),
  kind: text().notNull(),
  amount_cents: integer().notNull(),
  ref: text().notNull(),
  at: integer().notNull(),
})

export const billingEvents = sqliteTable('billing_events', {
  id: text().primaryKey(),
  provider: text().notNull(),
  type: text().notNull(),
  account_id: integer(),
  outcome: text().notNull(),
  detail: text(),
  at: integer().notNull(),
})

export const photoPayments = sqliteTable('photo_payments', {
  id: text().primaryKey(),
  payer: text().notNull(),
  fingerprint: text().notNull(),
  state: text().notNull(),
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
  condition: text().notNull(),
  threshold: integer().notNull(),
  revision: integer().notNull().default(1),
  is_paused: integer().notNull().default(0),
  disabled_for: text(),
  failures: integer().notNull().default(0),
  failing_since: integer(),
  secret: blob({ mode: 'buffer' }).notNull(),
  old_secret: blob({ mode: 'buffer' }),
  old_secret_until: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const deliveries = sqliteTable('deliveries', {
  id: text().primaryKey(),
  webhook_id: text().notNull(),
  account_id: integer().notNull(),
  host: text().notNull(),
  kind: text().notNull(),
  body: text().notNull(),
  state: text().notNull(),
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
