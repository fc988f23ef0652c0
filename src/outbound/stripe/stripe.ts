import type { BillingSettings } from '#config.ts'
import type { SubscriptionFacts } from '#rules/billing/billing.ts'
import type { BillableItem, Plan } from '#rules/billing/plans.ts'
import { openStripeApi, type StripeApi, stripeErrorDetails } from './stripe-api.ts'
import { findCharge, findInvoice } from './stripe-charges.ts'
import { createCheckout, expireCheckout, findSession } from './stripe-checkout.ts'
import { listUndeliveredEvents, parseStripeEvent } from './stripe-events.ts'
import { createStripeMapper, type StripeMapper } from './stripe-mapping.ts'
import { openStripePortal } from './stripe-portal.ts'
import { openStripePrices } from './stripe-prices.ts'

// Stripe's objects in Cardstock's terms. Money is in US cents, times are in epoch milliseconds.

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

export type StripeSubscription = Omit<SubscriptionFacts, 'account_id' | 'provider' | 'plan'> & {
  /** Null if it is not one of our plans. */
  plan: Plan | null
  /** The plan that was ordered, if its product is now another one. */
  ordered?: Plan | undefined
  customer: string
  item_id: string
}

export type StripeInvoice = {
  invoice: string
  customer: string | null
  subscription: string | null
  is_paid: boolean
  /** Amount paid so far. */
  amount_cents: number
  plan: Plan | null
}

export type StripeCharge = {
  /** Payment intent. */
  payment: string
  customer: string | null
  amount_cents: number
  refunded_cents: number
  /** Amount in disputes that are open or lost. */
  disputed_cents: number
  paid_at: number
  /** The session or the invoice that it paid. */
  session: StripeSession | undefined
  invoice: StripeInvoice | undefined
}

/** `ref` of a charge is its payment intent; it is empty for `nothing`. */
export type StripeEvent = {
  id: string
  type: string
  about: { kind: 'session' | 'subscription' | 'invoice' | 'charge' | 'nothing'; ref: string }
}

/** Stripe does not know this customer: create a new one. */
export class CustomerNotFoundError extends Error {
  override readonly name = 'NoSuchCustomer'
}

/**
 * Client of Stripe's API, and the only code that knows it. Missing objects are undefined. Every
 * other error is ServiceError BILLING_UNAVAILABLE, whose `cause` is for the log.
 */
export type StripeDoor = {
  /**
   * Creates a customer; repeated calls return the same one.
   *
   * @param before number of the account's earlier customers that no longer exist
   */
  createCustomer(account: { account_id: number; email: string; before: number }): Promise<string>
  /**
   * Creates a checkout session. The idempotency key consists of checkout and customer, so repeated
   * calls return the same session.
   *
   * @throws CustomerNotFoundError
   */
  createCheckout(ask: {
    checkout_id: string
    account_id: number
    item: BillableItem
    customer: string
    return_url: string
  }): Promise<StripeSession>
  /**
   * Expires an open session so that it can no longer be paid.
   *
   * @returns its current state: `complete` if it was paid before
   */
  expireCheckout(session: string): Promise<StripeSession | undefined>
  getSession(session: string): Promise<StripeSession | undefined>
  getSubscription(ref: string): Promise<StripeSubscription | undefined>
  /** Lists a customer's subscriptions that have not ended. */
  listSubscriptions(customer: string): Promise<StripeSubscription[]>
  getInvoice(ref: string): Promise<StripeInvoice | undefined>
  getCharge(payment: string): Promise<StripeCharge | undefined>
  /**
   * Creates a customer portal page, or with `change` the page that confirms that plan change.
   *
   * @throws CustomerNotFoundError
   */
  createPortalSession(ask: {
    customer: string
    return_url: string
    change?: { subscription: string; item_id: string; plan: Plan }
  }): Promise<string>
  /**
   * Verifies and parses a webhook event.
   *
   * @throws ServiceError INVALID_SIGNATURE; VALIDATION_ERROR if it is signed but not readable
   */
  parseEvent(body: string, signature: string | null, now: Date): Promise<StripeEvent>
  /** Lists the handled events that Stripe could not deliver, oldest first. */
  listUndeliveredEvents(): Promise<StripeEvent[]>
}

/** @param timeoutMs of one attempt; there are up to three */
export function openStripe(
  settings: Extract<BillingSettings, { provider: 'stripe' }>,
  { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
): StripeDoor {
  const client = openStripeApi({ ...settings, timeoutMs })
  const prices = openStripePrices(client, settings.prices)
  const facts = createStripeMapper(client, prices)
  const portal = openStripePortal(client, prices)
  // The cached prices or configuration may have caused the error.
  const forget = () => {
    prices.forget()
    portal.forget()
  }
  return {
    async createCustomer({ account_id, email, before }) {
      const metadata = { account_id: String(account_id) }
      // Another ledger may have another account with this number.
      const who = new Bun.CryptoHasher('sha256').update(email).digest('hex').slice(0, 16)
      const idempotencyKey = `customer.${account_id}.${before}.${who}`
      const made = await client.call((stripe) =>
        stripe.customers.create({ email, metadata }, { idempotencyKey }),
      )
      return made.id
    },
    createCheckout: (ask) => forCustomer(() => createCheckout(client, prices, ask), forget),
    expireCheckout: (session) => expireCheckout(client, session),
    getSession: (session) => findSession(client, session),
    async getSubscription(ref) {
      const expand = ['schedule']
      const found = await client.find((stripe) => stripe.subscriptions.retrieve(ref, { expand }))
      return found && facts.subscription(found)
    },
    listSubscriptions: (customer) => subscriptionsOf(client, facts, customer),
    getInvoice: (ref) => findInvoice(client, facts, ref),
    getCharge: (payment) => findCharge(client, facts, payment),
    createPortalSession: (ask) => forCustomer(() => portal.open(ask), forget),
    parseEvent: (body, signature, now) =>
      parseStripeEvent(client, settings.webhookSecrets, { body, signature, now }),
    listUndeliveredEvents: () => listUndeliveredEvents(client),
  }
}

async function forCustomer<Made>(make: () => Promise<Made>, forget: () => void): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    const { code, param } = stripeErrorDetails(error)
    if (code === 'resource_missing' && param === 'customer') {
      throw new CustomerNotFoundError('Stripe does not know this customer.', { cause: error })
    }
    forget()
    throw error
  }
}

async function subscriptionsOf(
  client: StripeApi,
  facts: StripeMapper,
  customer: string,
): Promise<StripeSubscription[]> {
  const expand = ['data.schedule']
  const found = await client.find((stripe) =>
    stripe.subscriptions.list({ customer, limit: 100, expand }).autoPagingToArray({ limit: 500 }),
  )
  const live = (found ?? []).filter(({ status }) => !OVER.has(status))
  return Promise.all(live.map(facts.subscription))
}

const OVER: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired'])
