/** Stripe's other objects: disputes, schedules, portal sessions and events. */
import { Stripe } from 'stripe'
import type { Period } from './stripe-billing-objects.ts'
import type { ObjectIdentity } from './stripe-objects.ts'

export type DisputeTerms = Pick<Stripe.Dispute, 'amount' | 'charge' | 'payment_intent' | 'status'>

export function disputeObject(identity: ObjectIdentity, terms: DisputeTerms): Stripe.Dispute {
  return {
    ...identity,
    ...terms,
    object: 'dispute',
    balance_transactions: [],
    currency: 'usd',
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: null,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: 'manual',
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    reason: 'fraudulent',
  }
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}

export type ScheduleTerms = {
  customer: string
  subscription: string
  now: { price: string; period: Period }
  next: { price: string; period: Period }
}

/** A subscription that changes to another price when its period ends. */
export function scheduleObject(
  identity: ObjectIdentity,
  terms: ScheduleTerms,
): Stripe.SubscriptionSchedule {
  return {
    ...identity,
    object: 'subscription_schedule',
    application: null,
    billing_mode: { flexible: null, type: 'classic' },
    canceled_at: null,
    completed_at: null,
    current_phase: { end_date: terms.now.period.end, start_date: terms.now.period.start },
    customer: terms.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [phaseOf(terms.now), phaseOf(terms.next)],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: terms.subscription,
    test_clock: null,
  }
}

function phaseOf({ price, period }: ScheduleTerms['now']): Stripe.SubscriptionSchedule.Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: 'usd',
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: period.end,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: price,
        price,
        quantity: 1,
        tax_rates: [],
      },
    ],
    metadata: {},
    on_behalf_of: null,
    proration_behavior: 'none',
    start_date: period.start,
    transfer_data: null,
    trial_end: null,
  }
}

export type PortalProduct = { product: string; prices: string[] }

export function configurationObject(
  { id, created }: ObjectIdentity,
  { products, metadata }: { products: PortalProduct[]; metadata: Record<string, string> },
): Stripe.BillingPortal.Configuration {
  return {
    id,
    created,
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    default_return_url: null,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: true,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: {
        duration: { interval_options: [], type: 'indefinite' },
        enabled: false,
      },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: ['price'],
        enabled: true,
        products: products.map(({ product, prices }) => ({
          adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
          prices,
          product,
        })),
        proration_behavior: 'always_invoice',
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata,
    name: null,
    updated: created,
  }
}

export type PortalTerms = Pick<
  Stripe.BillingPortal.Session,
  'configuration' | 'customer' | 'flow' | 'return_url' | 'url'
>

export function portalSessionObject(
  identity: ObjectIdentity,
  terms: PortalTerms,
): Stripe.BillingPortal.Session {
  return {
    ...identity,
    ...terms,
    object: 'billing_portal.session',
    customer_account: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
  }
}

export function confirmFlow(
  terms: Stripe.BillingPortal.Session.Flow.SubscriptionUpdateConfirm & { return_url: string },
): Stripe.BillingPortal.Session.Flow {
  const { return_url, ...confirm } = terms
  return {
    after_completion: { hosted_confirmation: null, redirect: { return_url }, type: 'redirect' },
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: confirm,
    type: 'subscription_update_confirm',
  }
}

/** Events hold a copy of the object at their time. */
export type EventObject = Omit<Stripe.EventBase, 'data'> & {
  data: { object: Record<string, unknown> }
}

export function eventObject(
  identity: ObjectIdentity,
  type: Stripe.Event['type'],
  shown: object,
): EventObject {
  return {
    ...identity,
    object: 'event',
    api_version: Stripe.API_VERSION,
    data: { object: JSON.parse(JSON.stringify(shown)) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
}
