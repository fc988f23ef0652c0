/** Stripe's objects for products and payments, typed by its SDK. */
import { Stripe } from 'stripe'

/** ID and time of creation in seconds. */
export type ObjectIdentity = { id: string; created: number }

export function customerObject(
  identity: ObjectIdentity,
  { email, metadata }: { email: string | null; metadata: Record<string, string> },
): Stripe.Customer {
  return {
    ...identity,
    object: 'customer',
    balance: 0,
    default_source: null,
    description: null,
    email,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata,
    shipping: null,
  }
}

export function productObject({ id, created }: ObjectIdentity, name: string): Stripe.Product {
  return {
    id,
    created,
    object: 'product',
    active: true,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name,
    package_dimensions: null,
    shippable: null,
    tax_details: null,
    type: 'service',
    updated: created,
    url: null,
  }
}

export type PriceTerms = {
  product: string
  unit_amount: number
  isMonthly: boolean
  lookup_key: string | null
}

export function priceObject(identity: ObjectIdentity, terms: PriceTerms): Stripe.Price {
  const { product, unit_amount, isMonthly, lookup_key } = terms
  return {
    ...identity,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    currency: 'usd',
    custom_unit_amount: null,
    livemode: false,
    lookup_key,
    metadata: {},
    nickname: null,
    product,
    recurring: isMonthly
      ? {
          interval: 'month',
          interval_count: 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: isMonthly ? 'recurring' : 'one_time',
    unit_amount,
    unit_amount_decimal: Stripe.Decimal.from(String(unit_amount)),
  }
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

/** A page where something is paid; open for a day. */
export function sessionObject(
  identity: ObjectIdentity,
  terms: SessionTerms,
): Stripe.Checkout.Session {
  return {
    ...identity,
    ...terms,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: terms.amount_total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: null,
    discounts: [],
    expires_at: identity.created + A_DAY_S,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    wallet_options: null,
  }
}

const A_DAY_S = 86_400

export type ChargeTerms = Pick<Stripe.Charge, 'amount' | 'customer' | 'payment_intent'>

/** A charge that went well. */
export function chargeObject(identity: ObjectIdentity, terms: ChargeTerms): Stripe.Charge {
  return {
    ...identity,
    ...terms,
    object: 'charge',
    amount_captured: terms.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: true,
    currency: 'usd',
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_method: null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

/** A list of Stripe, whole. */
export function listObject<Thing>(data: Thing[], url: string): Stripe.ApiList<Thing> {
  return { object: 'list', data, has_more: false, url }
}
