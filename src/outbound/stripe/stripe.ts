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

// What Stripe says, in words of ours. Money is US cents, times are epoch milliseconds.

export type StripeSession = {
  /** cs_… */
  session: string
  /** Ours, as we told it to Stripe. */
  checkout_id: string | null
  customer: string | null
  /** As we told it to Stripe; null where it is none of ours. */
  item: BillableItem | null
  status: 'open' | 'complete' | 'expired'
  is_paid: boolean
  /** After discounts, with taxes. */
  amount_cents: number
  subscription: string | null
  /** Where to pay, while it is open. */
  url: string | null
  expires_at: number
}

export type StripeSubscription = Omit<SubscriptionFacts, 'account_id' | 'provider' | 'plan'> & {
  /** Null: none of our plans. */
  plan: Plan | null
  /** What was ordered, where that is sold as another product by now. */
  ordered?: Plan | undefined
  customer: string
  item_id: string
}

export type StripeInvoice = {
  invoice: string
  customer: string | null
  subscription: string | null
  is_paid: boolean
  /** What was paid of it until now. */
  amount_cents: number
  plan: Plan | null
}

export type StripeCharge = {
  /** The payment intent. */
  payment: string
  customer: string | null
  amount_cents: number
  refunded_cents: number
  /** In disputes that are open or lost. */
  disputed_cents: number
  paid_at: number
  /** What it paid: one of the two. */
  session: StripeSession | undefined
  invoice: StripeInvoice | undefined
}

/** `ref` of a charge is its payment intent; of nothing it is empty. */
export type StripeEvent = {
  id: string
  type: string
  about: { kind: 'session' | 'subscription' | 'invoice' | 'charge' | 'nothing'; ref: string }
}

/** Stripe does not know this customer any more, or never did: make a new one. */
export class CustomerNotFoundError extends Error {
  override readonly name = 'NoSuchCustomer'
}

/**
 * The one place that knows Stripe. What is not there is undefined; whatever else fails is ServiceError
 * BILLING_UNAVAILABLE, whose `cause` is for the log.
 */
export type StripeDoor = {
  /**
   * Asked again, it answers the same customer.
   *
   * @param before how many of the account are known and gone
   */
  createCustomer(account: { account_id: number; email: string; before: number }): Promise<string>
  /**
   * The idempotency key is the checkout's id with the customer: asked again, it answers the same session.
   *
   * @throws NoSuchCustomer
   */
  createCheckout(ask: {
    checkout_id: string
    account_id: number
    item: BillableItem
    customer: string
    return_url: string
  }): Promise<StripeSession>
  /**
   * Ends an open session so that it cannot be paid any more.
   *
   * @returns how it stands now: `complete` where it was paid before
   */
  expireCheckout(session: string): Promise<StripeSession | undefined>
  getSession(session: string): Promise<StripeSession | undefined>
  getSubscription(ref: string): Promise<StripeSubscription | undefined>
  /** All of a customer's subscriptions that are not over. */
  listSubscriptions(customer: string): Promise<StripeSubscription[]>
  getInvoice(ref: string): Promise<StripeInvoice | undefined>
  getCharge(payment: string): Promise<StripeCharge | undefined>
  /**
   * A page where a customer manages subscription and payment; with `change`, where that change is
   * confirmed.
   *
   * @throws NoSuchCustomer
   */
  createPortalSession(ask: {
    customer: string
    return_url: string
    change?: { subscription: string; item_id: string; plan: Plan }
  }): Promise<string>
  /**
   * @throws ServiceError INVALID_SIGNATURE; VALIDATION_ERROR for what is signed and cannot be read
   */
  parseEvent(body: string, signature: string | null, now: Date): Promise<StripeEvent>
  /** Events that Stripe could not deliver, of the types that are taken in, oldest first. */
  listUndeliveredEvents(): Promise<StripeEvent[]>
}

/** @param timeoutMs for one attempt; there are three of them */
export function openStripe(
  settings: Extract<BillingSettings, { provider: 'stripe' }>,
  { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
): StripeDoor {
  const client = openStripeApi({ ...settings, timeoutMs })
  const prices = openStripePrices(client, settings.prices)
  const facts = createStripeMapper(client, prices)
  const portal = openStripePortal(client, prices)
  // What is remembered of Stripe may be what failed.
  const forget = () => {
    prices.forget()
    portal.forget()
  }
  return {
    async createCustomer({ account_id, email, before }) {
      const metadata = { account_id: String(account_id) }
      // Another ledger may have another account of this number.
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
