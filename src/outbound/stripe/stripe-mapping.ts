import type { Stripe } from 'stripe'
import type { SubscriptionStatus } from '#rules/billing/billing.ts'
import { ITEMS, PLANS, type Plan } from '#rules/billing/plans.ts'
import type { InvoiceSeen, SessionSeen, SubscriptionSeen } from './stripe.ts'
import { once, type StripeClient } from './stripe-client.ts'
import type { StripePrices } from './stripe-prices.ts'

export function sessionSeen(session: Stripe.Checkout.Session): SessionSeen {
  const { metadata, status, payment_status } = session
  return {
    session: session.id,
    checkout_id: metadata?.checkout_id ?? null,
    customer: idOf(session.customer),
    item: ITEMS.find((item) => item === metadata?.item) ?? null,
    status: (['complete', 'expired'] as const).find((word) => word === status) ?? 'open',
    is_paid: payment_status === 'paid' || payment_status === 'no_payment_required',
    amount_cents: session.amount_total ?? 0,
    subscription: idOf(session.subscription),
    url: session.url,
    expires_at: msOf(session.expires_at),
  }
}

export type StripeFacts = ReturnType<typeof openStripeFacts>

/** Makes our facts of Stripe's objects where that takes further questions. */
export function openStripeFacts(client: StripeClient, prices: StripePrices) {
  const named = new Map<string, ReturnType<typeof once<Plan | null>>>()

  /** Of a price that is known by its id alone; what product it belongs to never changes. */
  function planNamed(price: string): Promise<Plan | null> {
    const known = named.get(price) ?? once(() => askPlan(price))
    named.set(price, known)
    return known.get()
  }

  async function askPlan(id: string): Promise<Plan | null> {
    const price = await client.find((stripe) => stripe.prices.retrieve(id))
    return prices.planOf({ id, product: idOf(price?.product) })
  }

  /** The plan of what a schedule brings next; null where it brings nothing new. */
  async function nextPlanOf(
    { schedule }: Stripe.Subscription,
    plan: Plan | null,
    periodEnd: number | undefined,
  ): Promise<Plan | null> {
    if (schedule === null || typeof schedule === 'string' || schedule.status !== 'active')
      return null
    const next = schedule.phases.find(
      ({ start_date }) => periodEnd !== undefined && start_date >= periodEnd,
    )
    const price = idOf(next?.items[0]?.price)
    const planned = price === null ? null : await planNamed(price)
    return planned === plan ? null : planned
  }

  /** Since when a payment is missing: the oldest invoice that is open, since newer ones may follow it. */
  async function pastDueAt(subscription: Stripe.Subscription): Promise<number | null> {
    const { data } = await client.ask((stripe) =>
      stripe.invoices.list({ subscription: subscription.id, status: 'open', limit: 100 }),
    )
    const oldest = data.at(-1)?.created ?? subscription.items.data[0]?.current_period_start
    return oldest === undefined ? null : msOf(oldest)
  }

  return {
    async subscription(subscription: Stripe.Subscription): Promise<SubscriptionSeen> {
      const { item, plan } = await mainItem(subscription.items.data, prices)
      const status = statusOf(subscription.status)
      const { metadata } = subscription
      return {
        ref: subscription.id,
        customer: idOf(subscription.customer) ?? '',
        item_id: item?.id ?? '',
        plan,
        ordered: plan === null ? PLANS.find((one) => one === metadata.item) : undefined,
        status,
        period_end: item === undefined ? null : msOf(item.current_period_end),
        cancels: subscription.cancel_at_period_end || subscription.cancel_at !== null,
        next_plan: await nextPlanOf(subscription, plan, item?.current_period_end),
        past_due_at: status === 'past_due' ? await pastDueAt(subscription) : null,
      }
    },

    async invoice(invoice: Stripe.Invoice): Promise<InvoiceSeen> {
      return {
        invoice: invoice.id,
        customer: idOf(invoice.customer),
        subscription: idOf(invoice.parent?.subscription_details?.subscription),
        is_paid: invoice.status === 'paid',
        amount_cents: invoice.amount_paid,
        plan: await planBilled(invoice.lines.data, prices),
      }
    },
  }
}

/** The item that is a plan of ours, or the first one. */
async function mainItem(items: readonly Stripe.SubscriptionItem[], prices: StripePrices) {
  for (const item of items) {
    const { id, product } = item.price
    const plan = await prices.planOf({ id, product: idOf(product) })
    if (plan !== null) return { item, plan }
  }
  return { item: items[0], plan: null }
}

/** Of the line that costs most: an invoice for an upgrade gives the old plan back, below 0. */
async function planBilled(
  lines: readonly Stripe.InvoiceLineItem[],
  prices: StripePrices,
): Promise<Plan | null> {
  for (const { pricing } of lines.toSorted((one, other) => other.amount - one.amount)) {
    const details = pricing?.price_details
    const price = idOf(details?.price)
    if (price === null) continue
    const plan = await prices.planOf({ id: price, product: details?.product ?? null })
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

/** A word that Stripe may add gives nothing, and nobody is to pay a second time: like `paused`. */
function statusOf(word: string): SubscriptionStatus {
  return STATUSES.find((status) => status === word) ?? 'paused'
}

/** Stripe names things by their ids, or shows them whole where it was asked to. */
export function idOf(thing: string | { id: string } | null | undefined): string | null {
  return typeof thing === 'string' ? thing : (thing?.id ?? null)
}

export function msOf(seconds: number): number {
  return seconds * 1000
}
