import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { TIERS } from '#rules/accounts/tiers.ts'
import type { BillingEvent, BillingProvider, SubscriptionStatus } from '#rules/billing/billing.ts'
import type { BillableItem, Plan } from '#rules/billing/plans.ts'

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

export type CheckoutRow = typeof checkouts.$inferSelect
export type SubscriptionRow = typeof subscriptions.$inferSelect
export type ScanPurchaseRow = typeof scanPurchases.$inferSelect
export type BillingCustomerRow = typeof billingCustomers.$inferSelect
export type BillingChargeRow = typeof billingCharges.$inferSelect
export type BillingPaymentRow = typeof billingPayments.$inferSelect
export type BillingEventRow = typeof billingEvents.$inferSelect
