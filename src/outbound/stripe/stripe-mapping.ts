import { LRUCache } from 'lru-cache'
import type { Stripe } from 'stripe'
import type { SubscriptionStatus } from '#rules/billing/billing.ts'
import { BILLABLE_ITEMS, PLANS, type Plan } from '#rules/billing/plans.ts'
import { createLazy, type Lazy, type StripeApi } from './stripe-api.ts'
import type { StripeInvoice, StripeSession, StripeSubscription } from './stripe-objects.ts'
import type { StripePrices } from './stripe-prices.ts'

export function mapSession(session: Stripe.Checkout.Session): StripeSession {
  const { metadata, status, payment_status } = session
  return {
    session: session.id,
    checkout_id: metadata?.checkout_id ?? null,
    customer: stripeId(session.customer),
    item: BILLABLE_ITEMS.find((item) => item === metadata?.item) ?? null,
    status: (['complete', 'expired'] as const).find((known) => known === status) ?? 'open',
    is_paid: payment_status === 'paid' || payment_status === 'no_payment_required',
    amount_cents: session.amount_total ?? 0,
    subscription: stripeId(session.subscription),
    url: session.url,
    expires_at: toMilliseconds(session.expires_at),
  }
}

/** Maps Stripe objects whose mapping needs further calls. */
export type StripeMapper = {
  /** Maps a subscription, its plan and its next plan. */
  subscription(subscription: Stripe.Subscription): Promise<StripeSubscription>
  /** Maps an invoice and its plan. */
  invoice(invoice: Stripe.Invoice): Promise<StripeInvoice>
}

/** Creates a mapper; it caches the plans of prices. */
export function createStripeMapper(api: StripeApi, prices: StripePrices): StripeMapper {
  const plans = new LRUCache<string, Lazy<Plan | null>>({ max: PLANS_MAX })

  /** Returns the plan of a price by its id. The product of a price never changes. */
  function findPlanOfPrice(price: string): Promise<Plan | null> {
    const known = plans.get(price) ?? createLazy(() => loadPlan(price))
    plans.set(price, known)
    return known.get()
  }

  async function loadPlan(id: string): Promise<Plan | null> {
    const price = await api.find((stripe) => stripe.prices.retrieve(id))
    return prices.findPlan({ id, product: stripeId(price?.product) })
  }

  /** Returns the plan that a schedule starts next; null if it does not change. */
  async function findNextPlan(
    { schedule }: Stripe.Subscription,
    plan: Plan | null,
    periodEnd: number | undefined,
  ): Promise<Plan | null> {
    if (schedule === null || typeof schedule === 'string' || schedule.status !== 'active')
      return null
    const next = schedule.phases.find(
      ({ start_date }) => periodEnd !== undefined && start_date >= periodEnd,
    )
    const price = stripeId(next?.items[0]?.price)
    const planned = price === null ? null : await findPlanOfPrice(price)
    return planned === plan ? null : planned
  }

  /** Returns the creation time of the oldest open invoice; newer ones may follow it. */
  async function findPastDueTime(subscription: Stripe.Subscription): Promise<number | null> {
    const { data } = await api.call((stripe) =>
      stripe.invoices.list({ subscription: subscription.id, status: 'open', limit: 100 }),
    )
    const oldest = data.at(-1)?.created ?? subscription.items.data[0]?.current_period_start
    return oldest === undefined ? null : toMilliseconds(oldest)
  }

  return {
    async subscription(subscription) {
      const { item, plan } = await findPlanItem(subscription.items.data, prices)
      const status = parseStatus(subscription.status)
      const { metadata } = subscription
      return {
        ref: subscription.id,
        customer: stripeId(subscription.customer) ?? '',
        item_id: item?.id ?? '',
        plan,
        ordered: plan === null ? PLANS.find((one) => one === metadata.item) : undefined,
        status,
        period_end: item === undefined ? null : toMilliseconds(item.current_period_end),
        cancels: subscription.cancel_at_period_end || subscription.cancel_at !== null,
        next_plan: await findNextPlan(subscription, plan, item?.current_period_end),
        past_due_at: status === 'past_due' ? await findPastDueTime(subscription) : null,
        anchor_day: null,
      }
    },

    async invoice(invoice) {
      return {
        invoice: invoice.id,
        customer: stripeId(invoice.customer),
        subscription: stripeId(invoice.parent?.subscription_details?.subscription),
        is_paid: invoice.status === 'paid',
        amount_cents: invoice.amount_paid,
        plan: await findBilledPlan(invoice.lines.data, prices),
      }
    },
  }
}

/** Maximum number of cached plans: a shop has few prices, and each entry takes some bytes. */
const PLANS_MAX = 1_000

/** Returns the item that is one of our plans, or the first one. */
async function findPlanItem(items: readonly Stripe.SubscriptionItem[], prices: StripePrices) {
  for (const item of items) {
    const { id, product } = item.price
    const plan = await prices.findPlan({ id, product: stripeId(product) })
    if (plan !== null) return { item, plan }
  }
  return { item: items[0], plan: null }
}

/** Returns the plan of the most expensive line. An upgrade's invoice credits the old plan. */
async function findBilledPlan(
  lines: readonly Stripe.InvoiceLineItem[],
  prices: StripePrices,
): Promise<Plan | null> {
  for (const { pricing } of lines.toSorted((one, other) => other.amount - one.amount)) {
    const details = pricing?.price_details
    const price = stripeId(details?.price)
    if (price === null) continue
    const plan = await prices.findPlan({ id: price, product: details?.product ?? null })
    if (plan !== null) return plan
  }
  return null
}

const STATUSES: readonly SubscriptionStatus[] = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'paused',
]

/** Maps unknown statuses to `paused`, which grants no tier and prevents a second subscription. */
function parseStatus(value: string): SubscriptionStatus {
  return STATUSES.find((status) => status === value) ?? 'paused'
}

/** Returns the id of a Stripe reference, which may be an expanded object. */
export function stripeId(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null)
}

export function toMilliseconds(seconds: number): number {
  return seconds * 1000
}
