import type { BillableItem, Pack, Plan } from './plans.ts'

// Provider-neutral billing facts. Stripe's events and the operator's manual entries become these facts, which one
// transaction (store/ledger/billing.ts) applies to tiers, scans and books. Times are in epoch milliseconds, money in
// US cents.

export type BillingProvider = 'stripe' | 'manual'

/** Stripe's values. Manual billing uses `active`, `past_due` and `canceled`. */
export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'canceled'
  | 'paused'

/** A subscription in its provider's current state. */
export type SubscriptionFacts = {
  ref: string
  account_id: number
  provider: BillingProvider
  plan: Plan
  status: SubscriptionStatus
  period_end: number | null
  /** True if it ends with its period. */
  cancels: boolean
  /** Plan after the end of the period; null if it stays the same. */
  next_plan: Plan | null
  /** Time since which a payment is missing; null unless it is past due. */
  past_due_at: number | null
  /**
   * Day of the month on which its periods end; in a shorter month they end on the last day. Null for the day of
   * `period_end`, or the provider's own.
   */
  anchor_day: number | null
}

/** A paid scan pack. `ref` is the id of the session or checkout, and each `ref` counts once. */
export type PurchaseFacts = {
  ref: string
  account_id: number
  item: Pack
  /** Amount paid, after discounts and with taxes. */
  amount_cents: number
}

/** Money received. Each `ref` (invoice, session or checkout) counts once. */
export type PaymentFacts = {
  ref: string
  account_id: number
  provider: BillingProvider
  item: BillableItem
  amount_cents: number
}

/**
 * Total refunds and disputes of one payment so far. `ref` is Stripe's payment intent, or the checkout of manual
 * billing.
 */
export type ChargeFacts = PaymentFacts & {
  /** The pack (`PurchaseFacts.ref`) or the subscription (`SubscriptionFacts.ref`) that it paid. */
  purchase: string | null
  subscription: string | null
  refunded_cents: number
  /** Amount in disputes that are open or lost. */
  disputed_cents: number
  paid_at: number
}

/**
 * Effect of a billing event. `sequence` orders queries to the provider: it is drawn before the
 * query, and the result of an earlier query never replaces that of a later one.
 */
export type BillingEffect =
  | { kind: 'subscription'; subscription: SubscriptionFacts; sequence: number }
  | { kind: 'purchase'; purchase: PurchaseFacts }
  | { kind: 'payment'; payment: PaymentFacts }
  | { kind: 'charge'; charge: ChargeFacts; sequence: number }
  /** Ends the checkout with this id. */
  | { kind: 'checkout'; id: string; state: 'paid' | 'ended' }

/** Audit record of one event. `mismatch` needs the operator's attention. */
export type BillingEvent = {
  /** Id at the provider; each counts once. */
  id: string
  provider: BillingProvider
  type: string
  account_id: number | null
  outcome: 'applied' | 'ignored' | 'mismatch'
  detail: string | null
}

/** Length of a short reference: the prefix and eight characters. */
const SHORT = 11

/** Returns the short reference to a checkout for customers and the operator. */
export function shortReference(id: string): string {
  return id.slice(0, SHORT)
}

/** Returns true if the text is long enough to look up a checkout by it. */
export function isCheckoutReference(text: string): boolean {
  return text.startsWith('co_') && text.length >= SHORT
}

/** Masks an e-mail address for people who open the link to a checkout: a***@example.com. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email.slice(0, at)][0] ?? ''}***${email.slice(at)}`
}

/**
 * Returns the number of scans to remove from a pack after a partial or full refund: the refunded share, rounded in
 * the customer's favor.
 *
 * @param gone_cents amount refunded, or in disputes that are open or lost
 */
export function countReversedScans(
  pack: { scans: number; amount_cents: number },
  gone_cents: number,
): number {
  if (gone_cents <= 0) return 0
  if (gone_cents >= pack.amount_cents) return pack.scans
  return Math.floor((pack.scans * gone_cents) / pack.amount_cents)
}
