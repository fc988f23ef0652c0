/**
 * Stripe's objects, typed by its SDK, with the members that Cardstock, its tests or the fake server read. A test
 * compares them with the official examples.
 */
import type { Stripe } from 'stripe'

/** ID and time of creation in seconds. */
export type ObjectIdentity = { id: string; created: number }

/** In seconds. */
export type Period = { start: number; end: number }

/** Types a Stripe object by the members that it has here. */
function stripeObject<T>(members: Partial<T>): T {
  return members as T // nobody reads the others
}

/** Creates a complete Stripe list. */
export function listObject<Thing>(data: Thing[], url: string): Stripe.ApiList<Thing> {
  return { object: 'list', data, has_more: false, url }
}

export const customerObject = (
  identity: ObjectIdentity,
  terms: Pick<Stripe.Customer, 'email' | 'metadata'>,
) => stripeObject<Stripe.Customer>({ ...identity, ...terms, object: 'customer' })

export const productObject = (identity: ObjectIdentity, name: string) =>
  stripeObject<Stripe.Product>({ ...identity, object: 'product', active: true, name })

export type PriceTerms = {
  product: string
  unit_amount: number
  isMonthly: boolean
  lookup_key: string | null
}

export function priceObject(
  identity: ObjectIdentity,
  { isMonthly, ...terms }: PriceTerms,
): Stripe.Price {
  return stripeObject<Stripe.Price>({
    ...identity,
    ...terms,
    object: 'price',
    active: true,
    currency: 'usd',
    recurring: isMonthly ? stripeObject<Stripe.Price.Recurring>({ interval: 'month' }) : null,
    type: isMonthly ? 'recurring' : 'one_time',
  })
}

export type SessionTerms = Pick<
  Stripe.Checkout.Session,
  | 'cancel_url'
  | 'client_reference_id'
  | 'customer'
  | 'amount_total'
  | 'metadata'
  | 'mode'
  | 'success_url'
  | 'url'
>

/** Creates a checkout page, open for a day. */
export function sessionObject(
  identity: ObjectIdentity,
  terms: SessionTerms,
): Stripe.Checkout.Session {
  return stripeObject<Stripe.Checkout.Session>({
    ...identity,
    ...terms,
    object: 'checkout.session',
    currency: 'usd',
    expires_at: identity.created + A_DAY_S,
    invoice: null,
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
  })
}

const A_DAY_S = 86_400

export type ChargeTerms = Pick<Stripe.Charge, 'amount' | 'customer' | 'payment_intent'>

/** Creates a successful charge. */
export function chargeObject(identity: ObjectIdentity, terms: ChargeTerms): Stripe.Charge {
  return stripeObject<Stripe.Charge>({
    ...identity,
    ...terms,
    object: 'charge',
    amount_captured: terms.amount,
    amount_refunded: 0,
    currency: 'usd',
    disputed: false,
    refunded: false,
    status: 'succeeded',
  })
}

export type DisputeTerms = Pick<Stripe.Dispute, 'amount' | 'charge' | 'payment_intent' | 'status'>

export const disputeObject = (identity: ObjectIdentity, terms: DisputeTerms) =>
  stripeObject<Stripe.Dispute>({ ...identity, ...terms, object: 'dispute', currency: 'usd' })

export function subscriptionObject(
  identity: ObjectIdentity,
  terms: { customer: string; item: Stripe.SubscriptionItem; metadata: Record<string, string> },
): Stripe.Subscription {
  return stripeObject<Stripe.Subscription>({
    ...identity,
    object: 'subscription',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    currency: 'usd',
    customer: terms.customer,
    ended_at: null,
    items: listObject([terms.item], `/v1/subscription_items?subscription=${identity.id}`),
    latest_invoice: null,
    metadata: terms.metadata,
    schedule: null,
    status: 'active',
  })
}

export function itemObject(
  identity: ObjectIdentity,
  terms: { subscription: string; price: Stripe.Price; period: Period },
): Stripe.SubscriptionItem {
  return stripeObject<Stripe.SubscriptionItem>({
    ...identity,
    object: 'subscription_item',
    current_period_end: terms.period.end,
    current_period_start: terms.period.start,
    price: terms.price,
    quantity: 1,
    subscription: terms.subscription,
  })
}

export type LineTerms = { amount: number; price: Stripe.Price; period: Period }

export type InvoiceTerms = {
  customer: string
  subscription: string
  reason: Stripe.Invoice.BillingReason
  lines: LineTerms[]
}

/** Creates an unpaid invoice. */
export function invoiceObject(identity: ObjectIdentity, terms: InvoiceTerms): Stripe.Invoice {
  const { customer, subscription, reason, lines } = terms
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  return stripeObject<Stripe.Invoice>({
    ...identity,
    object: 'invoice',
    amount_paid: 0,
    amount_remaining: total,
    attempt_count: 0,
    attempted: false,
    billing_reason: reason,
    currency: 'usd',
    customer,
    lines: listObject(
      lines.map((line, at) => lineObject(identity.id, at, line)),
      `/v1/invoices/${identity.id}/lines`,
    ),
    parent: {
      quote_details: null,
      subscription_details: { metadata: {}, subscription },
      type: 'subscription_details',
    },
    status: 'open',
    total,
  })
}

function lineObject(
  invoice: string,
  at: number,
  { amount, price, period }: LineTerms,
): Stripe.InvoiceLineItem {
  const product = typeof price.product === 'string' ? price.product : price.product.id
  return stripeObject<Stripe.InvoiceLineItem>({
    id: `il_${invoice.slice(3)}_${at}`,
    object: 'line_item',
    amount,
    currency: 'usd',
    invoice,
    period,
    pricing: stripeObject<Stripe.InvoiceLineItem.Pricing>({
      price_details: { price: price.id, product },
      type: 'price_details',
    }),
  })
}

export function invoicePaymentObject(
  identity: ObjectIdentity,
  terms: { invoice: string; amount: number; payment_intent: string },
): Stripe.InvoicePayment {
  return stripeObject<Stripe.InvoicePayment>({
    ...identity,
    object: 'invoice_payment',
    amount_paid: terms.amount,
    currency: 'usd',
    invoice: terms.invoice,
    payment: { payment_intent: terms.payment_intent, type: 'payment_intent' },
    status: 'paid',
  })
}

export type ScheduleTerms = {
  customer: string
  subscription: string
  now: { price: string; period: Period }
  next: { price: string; period: Period }
}

/** Creates a subscription that changes to another price when its period ends. */
export function scheduleObject(
  identity: ObjectIdentity,
  terms: ScheduleTerms,
): Stripe.SubscriptionSchedule {
  return stripeObject<Stripe.SubscriptionSchedule>({
    ...identity,
    object: 'subscription_schedule',
    customer: terms.customer,
    end_behavior: 'release',
    phases: [phaseOf(terms.now), phaseOf(terms.next)],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: terms.subscription,
  })
}

function phaseOf({ price, period }: ScheduleTerms['now']): Stripe.SubscriptionSchedule.Phase {
  return stripeObject<Stripe.SubscriptionSchedule.Phase>({
    end_date: period.end,
    items: [stripeObject<Stripe.SubscriptionSchedule.Phase.Item>({ price, quantity: 1 })],
    start_date: period.start,
  })
}

export type PortalProduct = { product: string; prices: string[] }

export function configurationObject(
  identity: ObjectIdentity,
  { products, metadata }: { products: PortalProduct[]; metadata: Record<string, string> },
): Stripe.BillingPortal.Configuration {
  return stripeObject<Stripe.BillingPortal.Configuration>({
    ...identity,
    object: 'billing_portal.configuration',
    active: true,
    features: stripeObject<Stripe.BillingPortal.Configuration.Features>({
      subscription_update:
        stripeObject<Stripe.BillingPortal.Configuration.Features.SubscriptionUpdate>({
          enabled: true,
          products: products.map((listed) =>
            stripeObject<Stripe.BillingPortal.Configuration.Features.SubscriptionUpdate.Product>({
              ...listed,
            }),
          ),
        }),
    }),
    metadata,
  })
}

export type PortalTerms = Pick<
  Stripe.BillingPortal.Session,
  'configuration' | 'customer' | 'flow' | 'return_url' | 'url'
>

export const portalSessionObject = (identity: ObjectIdentity, terms: PortalTerms) =>
  stripeObject<Stripe.BillingPortal.Session>({
    ...identity,
    ...terms,
    object: 'billing_portal.session',
  })

export function confirmFlow(
  terms: Stripe.BillingPortal.Session.Flow.SubscriptionUpdateConfirm & { return_url: string },
): Stripe.BillingPortal.Session.Flow {
  const { return_url, ...confirm } = terms
  return stripeObject<Stripe.BillingPortal.Session.Flow>({
    after_completion: { hosted_confirmation: null, redirect: { return_url }, type: 'redirect' },
    subscription_update_confirm: confirm,
    type: 'subscription_update_confirm',
  })
}
