import type { SubscriptionFacts } from '#rules/billing/billing.ts'
import type { BillableItem, Plan } from '#rules/billing/plans.ts'

// Stripe's objects in Cardstock's terms. Money is in US cents, times are in epoch milliseconds.

/** A checkout session. */
export type StripeSession = {
  /** cs_… */
  session: string
  /** Our checkout id, from the session's metadata. */
  checkout_id: string | null
  customer: string | null
  /** From the session's metadata; null if the item is not ours. */
  item: BillableItem | null
  status: 'open' | 'complete' | 'expired'
  is_paid: boolean
  /** After discounts, with taxes. */
  amount_cents: number
  subscription: string | null
  /** Payment page while the session is open. */
  url: string | null
  expires_at: number
}

/** A subscription of one plan. */
export type StripeSubscription = Omit<SubscriptionFacts, 'account_id' | 'provider' | 'plan'> & {
  /** Null if it is not one of our plans. */
  plan: Plan | null
  /** The ordered plan, if its product is now a different one. */
  ordered?: Plan | undefined
  customer: string
  item_id: string
}

/** An invoice of a subscription. */
export type StripeInvoice = {
  invoice: string
  customer: string | null
  subscription: string | null
  is_paid: boolean
  /** Amount paid so far. */
  amount_cents: number
  plan: Plan | null
}

/** A payment with its refunds and disputes. */
export type StripeCharge = {
  /** Payment intent. */
  payment: string
  customer: string | null
  amount_cents: number
  refunded_cents: number
  /** Amount in disputes that are open or lost. */
  disputed_cents: number
  paid_at: number
  /** The session or invoice that it paid. */
  session: StripeSession | undefined
  invoice: StripeInvoice | undefined
}

/** A webhook event. `ref` of a charge is its payment intent; it is empty for `nothing`. */
export type StripeEvent = {
  id: string
  type: string
  about: { kind: 'session' | 'subscription' | 'invoice' | 'charge' | 'nothing'; ref: string }
}

/** Stripe does not know this customer: create a new one. */
export class CustomerNotFoundError extends Error {
  override readonly name = 'CustomerNotFoundError'
}

/** Input of a checkout session. */
export type CheckoutRequest = {
  checkout_id: string
  account_id: number
  item: BillableItem
  customer: string
  return_url: string
}

/** Input of a customer portal page; with `change`, the page that confirms that plan change. */
export type PortalRequest = {
  customer: string
  return_url: string
  change?: { subscription: string; item_id: string; plan: Plan }
}
