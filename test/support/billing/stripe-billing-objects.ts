/** Stripe's objects for subscriptions and their changes, typed by its SDK. */
import { Stripe } from 'stripe'
import { listObject, type ObjectIdentity } from './stripe-objects.ts'

/** Seconds. */
export type Period = { start: number; end: number }

export function subscriptionObject(
  identity: ObjectIdentity,
  terms: { customer: string; item: Stripe.SubscriptionItem; metadata: Record<string, string> },
): Stripe.Subscription {
  return {
    ...identity,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: identity.created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'classic' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    currency: 'usd',
    customer: terms.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listObject([terms.item], `/v1/subscription_items?subscription=${identity.id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: terms.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: identity.created,
    status: 'active',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
  }
}

export function itemObject(
  identity: ObjectIdentity,
  terms: { subscription: string; price: Stripe.Price; period: Period },
): Stripe.SubscriptionItem {
  return {
    ...identity,
    object: 'subscription_item',
    billing_thresholds: null,
    current_period_end: terms.period.end,
    current_period_start: terms.period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planObject(terms.price),
    price: terms.price,
    quantity: 1,
    subscription: terms.subscription,
    tax_rates: [],
  }
}

/** The legacy form of prices, which Stripe still returns beside them. */
export function planObject(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: 'month',
    interval_count: 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: null,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

export type LineTerms = { amount: number; price: Stripe.Price; period: Period }

export type InvoiceTerms = {
  customer: string
  subscription: string
  reason: Stripe.Invoice.BillingReason
  lines: LineTerms[]
}

/** An invoice that waits for its payment. */
export function invoiceObject(identity: ObjectIdentity, terms: InvoiceTerms): Stripe.Invoice {
  const { customer, subscription, reason, lines } = terms
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  return {
    ...identity,
    ...INVOICE_DEFAULTS,
    amount_due: total,
    amount_remaining: total,
    billing_reason: reason,
    customer,
    effective_at: identity.created,
    lines: listObject(
      lines.map((line, at) => lineObject(identity.id, at, subscription, line)),
      `/v1/invoices/${identity.id}/lines`,
    ),
    parent: {
      quote_details: null,
      subscription_details: { metadata: {}, subscription },
      type: 'subscription_details',
    },
    period_end: identity.created,
    period_start: identity.created,
    status_transitions: {
      finalized_at: identity.created,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  }
}

type VaryingMember =
  | 'id'
  | 'created'
  | 'amount_due'
  | 'amount_remaining'
  | 'billing_reason'
  | 'customer'
  | 'effective_at'
  | 'lines'
  | 'parent'
  | 'period_end'
  | 'period_start'
  | 'status_transitions'
  | 'subtotal'
  | 'subtotal_excluding_tax'
  | 'total'
  | 'total_excluding_tax'

const INVOICE_DEFAULTS: Omit<Stripe.Invoice, VaryingMember> = {
  object: 'invoice',
  account_country: 'US',
  account_name: null,
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_paid: 0,
  amount_shipping: 0,
  application: null,
  attempt_count: 0,
  attempted: false,
  auto_advance: true,
  automatic_tax: {
    disabled_reason: null,
    enabled: false,
    liability: null,
    provider: null,
    status: null,
  },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  currency: 'usd',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_email: null,
  customer_name: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  number: null,
  on_behalf_of: null,
  payment_settings: {
    default_mandate: null,
    payment_method_options: null,
    payment_method_types: null,
  },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  status: 'open',
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
}

function lineObject(
  invoice: string,
  at: number,
  subscription: string,
  { amount, price, period }: LineTerms,
): Stripe.InvoiceLineItem {
  return {
    id: `il_${invoice.slice(3)}_${at}`,
    object: 'line_item',
    amount,
    currency: 'usd',
    description: null,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: null,
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: {
        price: price.id,
        product: typeof price.product === 'string' ? price.product : price.product.id,
      },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity: 1,
    quantity_decimal: Stripe.Decimal.from('1'),
    subscription,
    subtotal: amount,
    taxes: [],
  }
}

export function invoicePaymentObject(
  identity: ObjectIdentity,
  terms: { invoice: string; amount: number; payment_intent: string },
): Stripe.InvoicePayment {
  return {
    ...identity,
    object: 'invoice_payment',
    amount_paid: terms.amount,
    amount_requested: terms.amount,
    currency: 'usd',
    invoice: terms.invoice,
    is_default: true,
    livemode: false,
    payment: { payment_intent: terms.payment_intent, type: 'payment_intent' },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: identity.created },
  }
}
