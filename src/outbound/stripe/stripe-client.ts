import type { Stripe } from 'stripe'
import type { BillingSettings } from '#config/payments.ts'
import { isPlan } from '#rules/billing/plans.ts'
import { openStripeApi, type StripeApi, stripeErrorDetails } from './stripe-api.ts'
import { findCharge, findInvoice } from './stripe-charges.ts'
import { listUndeliveredEvents, parseStripeEvent } from './stripe-events.ts'
import { createStripeMapper, mapSession, type StripeMapper } from './stripe-mapping.ts'
import {
  type CheckoutRequest,
  CustomerNotFoundError,
  type PortalRequest,
  type StripeCharge,
  type StripeEvent,
  type StripeInvoice,
  type StripeSession,
  type StripeSubscription,
} from './stripe-objects.ts'
import { openStripePortal } from './stripe-portal.ts'
import { openStripePrices, type StripePrices } from './stripe-prices.ts'

/**
 * Client of Stripe's API, and the only code that knows it. Missing objects are undefined. Every
 * other error is ServiceError BILLING_UNAVAILABLE, whose `cause` is for the log.
 */
export type StripeClient = {
  /**
   * Creates a customer; repeated calls return the same one.
   *
   * @param before number of the account's earlier customers, which no longer exist
   */
  createCustomer(account: { account_id: number; email: string; before: number }): Promise<string>
  /**
   * Deletes a customer with its payment methods, and cancels its subscriptions; does nothing if the customer does not
   * exist.
   */
  deleteCustomer(customer: string): Promise<void>
  /**
   * Creates a session, or returns the existing one for the same checkout and customer.
   *
   * @throws CustomerNotFoundError
   */
  createCheckout(request: CheckoutRequest): Promise<StripeSession>
  /** Expires an open session and returns its current state, which is `complete` if it was already paid. */
  expireCheckout(session: string): Promise<StripeSession | undefined>
  /** Returns a checkout session. */
  getSession(session: string): Promise<StripeSession | undefined>
  /** Returns a subscription. */
  getSubscription(ref: string): Promise<StripeSubscription | undefined>
  /** Lists a customer's subscriptions that have not ended. */
  listSubscriptions(customer: string): Promise<StripeSubscription[]>
  /** Returns an invoice. */
  getInvoice(ref: string): Promise<StripeInvoice | undefined>
  /** Returns a payment with its refunds and disputes, by its payment intent. */
  getCharge(payment: string): Promise<StripeCharge | undefined>
  /** Creates a portal page; with `change`, the page that confirms it. @throws CustomerNotFoundError */
  createPortalSession(request: PortalRequest): Promise<string>
  /** Verifies and parses a webhook event, as `parseStripeEvent` does. */
  parseEvent(body: string, signature: string | null, now: Date): Promise<StripeEvent>
  /** Lists the handled events that Stripe could not deliver, oldest first. */
  listUndeliveredEvents(): Promise<StripeEvent[]>
}

/** Opens the client; nothing is requested yet. The timeout applies to each of up to three attempts. */
export function openStripeClient(
  settings: Extract<BillingSettings, { provider: 'stripe' }>,
  { timeoutMs = 10_000 } = {},
): StripeClient {
  const api = openStripeApi(settings, timeoutMs)
  const prices = openStripePrices(api, settings.prices)
  const mapper = createStripeMapper(api, prices)
  const portal = openStripePortal(api, prices)
  // The cached prices or configuration may have caused the error.
  const forget = () => {
    prices.forget()
    portal.forget()
  }
  return {
    async createCustomer({ account_id, email, before }) {
      const metadata = { account_id: String(account_id) }
      // Includes the e-mail address, because another ledger may have another account with this number.
      const owner = new Bun.CryptoHasher('sha256').update(email).digest('hex').slice(0, 16)
      const idempotencyKey = `customer.${account_id}.${before}.${owner}`
      const customer = await api.call((stripe) =>
        stripe.customers.create({ email, metadata }, { idempotencyKey }),
      )
      return customer.id
    },
    deleteCustomer: async (customer) =>
      void (await api.find((stripe) => stripe.customers.del(customer))),
    createCheckout: (request) => forCustomer(() => createCheckout(api, prices, request), forget),
    expireCheckout: (session) => expireCheckout(api, session),
    getSession: (session) => findSession(api, session),
    async getSubscription(ref) {
      const expand = ['schedule']
      const found = await api.find((stripe) => stripe.subscriptions.retrieve(ref, { expand }))
      return found && mapper.subscription(found)
    },
    listSubscriptions: (customer) => listSubscriptions(api, mapper, customer),
    getInvoice: (ref) => findInvoice(api, mapper, ref),
    getCharge: (payment) => findCharge(api, mapper, payment),
    createPortalSession: (request) => forCustomer(() => portal.createSession(request), forget),
    parseEvent: (body, signature, now) =>
      parseStripeEvent(api, settings.webhookSecrets, { body, signature, now }),
    listUndeliveredEvents: () => listUndeliveredEvents(api),
  }
}

async function forCustomer<T>(create: () => Promise<T>, forget: () => void): Promise<T> {
  try {
    return await create()
  } catch (error) {
    const { code, param } = stripeErrorDetails(error)
    if (code === 'resource_missing' && param === 'customer') {
      throw new CustomerNotFoundError('Customer not found at Stripe.', { cause: error })
    }
    forget()
    throw error
  }
}

async function listSubscriptions(
  api: StripeApi,
  mapper: StripeMapper,
  customer: string,
): Promise<StripeSubscription[]> {
  const expand = ['data.schedule']
  const found = await api.find((stripe) =>
    stripe.subscriptions.list({ customer, limit: 100, expand }).autoPagingToArray({ limit: 500 }),
  )
  const ongoing = (found ?? []).filter(({ status }) => !ENDED.has(status))
  return Promise.all(ongoing.map(mapper.subscription))
}

const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired'])

/** Creates a checkout session. Repeated calls for a checkout and customer return the same one. */
async function createCheckout(
  api: StripeApi,
  prices: StripePrices,
  { checkout_id, account_id, item, customer, return_url }: CheckoutRequest,
): Promise<StripeSession> {
  const metadata = { account_id: String(account_id), checkout_id, item }
  const params: Stripe.Checkout.SessionCreateParams = {
    customer,
    client_reference_id: String(account_id),
    line_items: [await prices.lineItem(item)],
    metadata,
    success_url: returnUrl(return_url, 'done'),
    cancel_url: returnUrl(return_url, 'cancelled'),
    ...(isPlan(item)
      ? { mode: 'subscription', subscription_data: { metadata } }
      : { mode: 'payment', payment_intent_data: { metadata } }),
  }
  // Stripe also repeats errors, so another customer needs another key.
  const idempotencyKey = `${checkout_id}.${customer}`
  return mapSession(
    await api.call((stripe) => stripe.checkout.sessions.create(params, { idempotencyKey })),
  )
}

function returnUrl(address: string, outcome: 'done' | 'cancelled'): string {
  const url = new URL(address)
  url.searchParams.set('checkout', outcome)
  return url.href
}

async function findSession(api: StripeApi, id: string): Promise<StripeSession | undefined> {
  const found = await api.find((stripe) => stripe.checkout.sessions.retrieve(id))
  return found && mapSession(found)
}

/** Expires a session, or returns how it ended. */
async function expireCheckout(api: StripeApi, id: string): Promise<StripeSession | undefined> {
  try {
    const expired = await api.find((stripe) => stripe.checkout.sessions.expire(id))
    return expired && mapSession(expired)
  } catch (error) {
    if (stripeErrorDetails(error).type !== 'StripeInvalidRequestError') throw error
    // Only open sessions expire. If it is still open, the call failed for another reason.
    const found = await findSession(api, id)
    if (found?.status === 'open') throw error
    return found
  }
}
