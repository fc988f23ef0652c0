import type { BillableItem, Pack, Plan } from './plans.ts'

// What providers of billing tell, in words of ours. Stripe's events and the operator's own word become
// these facts, and one transaction (store/ledger/billing.ts) makes tiers, scans and books of them. Times
// are epoch milliseconds, money is US cents.

export type BillingProvider = 'stripe' | 'manual'

/** In Stripe's words; manual billing uses `active`, `past_due` and `canceled`. */
export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'canceled'
  | 'paused'

/** A subscription as its provider says that it is now. */
export type SubscriptionFacts = {
  ref: string
  account_id: number
  provider: BillingProvider
  plan: Plan
  status: SubscriptionStatus
  period_end: number | null
  /** Whether it ends with its period. */
  cancels: boolean
  /** The plan from the period's end on; null: the same one. */
  next_plan: Plan | null
  /** Since when a payment is missing; null unless it is past due. */
  past_due_at: number | null
}

/** A pack that is paid; `ref` is the session's or checkout's, and counts once. */
export type PurchaseFacts = {
  ref: string
  account_id: number
  item: Pack
  /** What was really paid: after discounts, with taxes. */
  amount_cents: number
}

/** Money that came in; one `ref` (invoice, session or checkout) counts once. */
export type PaymentFacts = {
  ref: string
  account_id: number
  provider: BillingProvider
  item: BillableItem
  amount_cents: number
}

/** How much of one payment went back: all of it until now, not only the last part. */
export type ChargeFacts = {
  /** Stripe's payment intent; of manual billing the checkout. */
  ref: string
  account_id: number
  provider: BillingProvider
  item: BillableItem
  /** What was paid with it. */
  amount_cents: number
  /** The pack that it paid (`PurchaseFacts.ref`), or the subscription (`SubscriptionFacts.ref`). */
  purchase: string | null
  subscription: string | null
  refunded_cents: number
  /** In disputes that are open or lost. */
  disputed_cents: number
  paid_at: number
}

/**
 * One thing that an event brings about. `asked` is the question to the provider that it answers, drawn
 * by `billing.ask()` before the question: an answer to an earlier one never replaces it.
 */
export type BillingEffect =
  | { kind: 'subscription'; subscription: SubscriptionFacts; sequence: number }
  | { kind: 'purchase'; purchase: PurchaseFacts }
  | { kind: 'payment'; payment: PaymentFacts }
  | { kind: 'charge'; charge: ChargeFacts; asked: number }
  /** The checkout with this id is over. */
  | { kind: 'checkout'; id: string; state: 'paid' | 'ended' }

/** What was taken in, for the record: `mismatch` is for the operator to look into. */
export type BillingEvent = {
  /** The provider's; counts once. */
  id: string
  provider: BillingProvider
  type: string
  account_id: number | null
  outcome: 'applied' | 'ignored' | 'mismatch'
  detail: string | null
}
