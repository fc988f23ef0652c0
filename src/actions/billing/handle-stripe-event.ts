import type { Deps } from '#deps.ts'
import type { StripeClient } from '#outbound/stripe/stripe-client.ts'
import type {
  StripeEvent,
  StripeInvoice,
  StripeSession,
  StripeSubscription,
} from '#outbound/stripe/stripe-objects.ts'
import type { BillingEffect, BillingEvent } from '#rules/billing/billing.ts'
import { isPlan } from '#rules/billing/plans.ts'

type BillingDeps = Pick<Deps, 'ledger' | 'log' | 'now'>

/** What was found out about a thing at Stripe. */
export type EventOutcome = {
  account_id: number | null
  outcome: BillingEvent['outcome']
  detail: string | null
  effects: BillingEffect[]
}

/**
 * Takes an event of Stripe in. It only says where to look: what counts is what Stripe says when it is
 * asked, so that events may come late, twice, in any order, or not at all and be found by the hourly
 * look instead.
 *
 * @returns what became of it; `known` where it was taken in before
 * @throws ServiceError BILLING_UNAVAILABLE while Stripe does not answer; Stripe then sends it again
 */
export async function handleStripeEvent(
  deps: BillingDeps,
  stripe: StripeClient,
  { id, type, about }: StripeEvent,
): Promise<BillingEvent['outcome'] | 'known'> {
  const { ledger, log, now } = deps
  if (await ledger.billing.hasEvent(id)) return 'known'
  const { effects, ...found } = await inspect(deps, stripe, about)
  const event: BillingEvent = { id, type, provider: 'stripe', ...found }
  const isNew = await ledger.billing.record(event, effects, now())
  if (isNew && event.outcome === 'mismatch') log.error('event of billing does not fit', event)
  return isNew ? event.outcome : 'known'
}

/** Asks Stripe about a thing, and says what follows from its answer. */
export async function inspect(
  deps: Pick<Deps, 'ledger' | 'now'>,
  stripe: StripeClient,
  { kind, ref }: StripeEvent['about'],
): Promise<EventOutcome> {
  if (kind === 'nothing') return ignored('it is about nothing that is sold here')
  const context: InspectionContext = {
    ...deps,
    stripe,
    asked: await deps.ledger.billing.nextRequestNumber(),
  }
  return {
    session: () => inspectSession(context, ref),
    subscription: () => inspectSubscription(context, ref),
    invoice: () => inspectInvoice(context, ref),
    charge: () => inspectCharge(context, ref),
  }[kind]()
}

/** A look at Stripe: every question in it comes after the number was drawn. */
type InspectionContext = Pick<Deps, 'ledger' | 'now'> & { stripe: StripeClient; asked: number }

async function inspectSession(context: InspectionContext, ref: string): Promise<EventOutcome> {
  const seen = await context.stripe.getSession(ref)
  return seen === undefined ? ignored('no such session') : sessionOutcome(context, seen)
}

/** What follows from a checkout session: a pack is given, a subscription is looked up. */
async function sessionOutcome(
  context: InspectionContext,
  seen: StripeSession,
): Promise<EventOutcome> {
  const { ledger } = context
  if (seen.checkout_id === null || seen.item === null) return ignored('not a checkout of ours')
  const account_id = await accountOf(context, seen.customer)
  // Of a ledger that was put back from a copy, or of another installation on the same Stripe account.
  if (account_id === undefined) return mismatch(null, `nobody is the customer ${seen.customer}`)
  const checkout = await ledger.checkouts.getById(seen.checkout_id)
  // A ledger that was put back from a copy does not know it: the session says what we told Stripe.
  if (checkout && (checkout.account_id !== account_id || checkout.item !== seen.item)) {
    return mismatch(account_id, `session ${seen.session} is not that of its checkout`)
  }
  const effects: BillingEffect[] = []
  const { item, session: ref, amount_cents } = seen
  if (seen.is_paid && !isPlan(item)) {
    effects.push({ kind: 'purchase', purchase: { ref, account_id, item, amount_cents } })
    const payment = { ref, account_id, provider: 'stripe', item, amount_cents } as const
    effects.push({ kind: 'payment', payment })
  }
  if (seen.subscription !== null) {
    const found = await subscriptionAt(context, account_id, seen.subscription)
    if (found !== undefined) effects.push(found)
  }
  // A session that is complete may still wait for its payment: then its checkout stays open.
  const { checkout_id } = seen
  if (seen.status === 'expired') effects.push(closed(checkout_id, 'ended'))
  else if (seen.status === 'complete' && seen.is_paid) effects.push(closed(checkout_id, 'paid'))
  return { account_id, outcome: 'applied', detail: null, effects }
}

async function inspectSubscription(context: InspectionContext, ref: string): Promise<EventOutcome> {
  const seen = await context.stripe.getSubscription(ref)
  if (seen === undefined) return lostSubscription(context, ref)
  const account_id = await accountOf(context, seen.customer)
  if (account_id === undefined) return ignored('unknown customer')
  const effect = await subscriptionAt(context, account_id, ref, seen)
  if (effect === undefined) return ignored('not one of our plans')
  return { account_id, outcome: 'applied', detail: null, effects: [effect] }
}

/** What Stripe does not know is renewed by nobody: it ends with what was paid (test mode, before live). */
async function lostSubscription(
  { ledger, asked, now }: InspectionContext,
  ref: string,
): Promise<EventOutcome> {
  const known = await ledger.subscriptions.getByRef(ref, now())
  if (known === undefined) return ignored('no such subscription')
  const { standing: _, ...facts } = known
  const isOver = (facts.period_end ?? 0) <= now().getTime()
  const status = isOver ? 'canceled' : facts.status
  return {
    account_id: known.account_id,
    outcome: 'applied',
    detail: 'Stripe does not know this subscription',
    effects: [{ kind: 'subscription', subscription: { ...facts, status }, sequence: asked }],
  }
}

async function inspectInvoice(context: InspectionContext, ref: string): Promise<EventOutcome> {
  const seen = await context.stripe.getInvoice(ref)
  if (seen === undefined) return ignored('no such invoice')
  const account_id = await accountOf(context, seen.customer)
  if (account_id === undefined) return ignored('unknown customer')
  const effects = await effectsOfInvoice(context, account_id, seen)
  if (effects.length === 0) return ignored('not for a subscription of ours')
  return { account_id, outcome: 'applied', detail: null, effects }
}

/** An invoice tells how its subscription stands, and what was paid for it. */
async function effectsOfInvoice(
  context: InspectionContext,
  account_id: number,
  { invoice: ref, subscription, is_paid, amount_cents, plan }: StripeInvoice,
): Promise<BillingEffect[]> {
  if (subscription === null) return []
  const effect = await subscriptionAt(context, account_id, subscription)
  if (effect === undefined) return []
  if (!is_paid || amount_cents === 0) return [effect]
  const item = plan ?? effect.subscription.plan
  const payment = { ref, account_id, provider: 'stripe', item, amount_cents } as const
  return [effect, { kind: 'payment', payment }]
}

/** A refund or dispute; what was paid comes first, in case that its own event is still on the way. */
async function inspectCharge(context: InspectionContext, ref: string): Promise<EventOutcome> {
  const seen = await context.stripe.getCharge(ref)
  if (seen === undefined) return ignored('no such payment')
  const account_id = await accountOf(context, seen.customer)
  if (account_id === undefined) return ignored('unknown customer')
  const { amount_cents, refunded_cents, disputed_cents, paid_at } = seen
  const gone = { amount_cents, refunded_cents, disputed_cents, paid_at }
  const charge = { ref, account_id, provider: 'stripe', ...gone } as const
  const { asked } = context
  if (seen.session !== undefined) {
    const found = await sessionOutcome(context, seen.session)
    const purchase = found.effects.find((effect) => effect.kind === 'purchase')?.purchase
    if (purchase === undefined) return found
    const of = { item: purchase.item, purchase: purchase.ref, subscription: null }
    found.effects.push({ kind: 'charge', charge: { ...charge, ...of }, asked })
    return found
  }
  const paid = seen.invoice && (await effectsOfInvoice(context, account_id, seen.invoice))
  const told = paid?.find((effect) => effect.kind === 'subscription')?.subscription
  if (paid === undefined || told === undefined) return ignored('it paid nothing of ours')
  const of = { item: seen.invoice?.plan ?? told.plan, purchase: null, subscription: told.ref }
  const effects: BillingEffect[] = [
    ...paid,
    { kind: 'charge', charge: { ...charge, ...of }, asked },
  ]
  return { account_id, outcome: 'applied', detail: null, effects }
}

/** @returns undefined where it is none of our plans, or another customer's */
async function subscriptionAt(
  { stripe, ledger, asked, now }: InspectionContext,
  account_id: number,
  ref: string,
  known?: StripeSubscription,
) {
  const seen = known ?? (await stripe.getSubscription(ref))
  if (seen === undefined) return undefined
  if ((await ledger.billing.getAccountId(seen.customer)) !== account_id) return undefined
  const { customer: _, item_id: __, plan: named, ordered, ...facts } = seen
  // The operator may sell another product by now: what was bought before is still what it was.
  const plan = named ?? (await ledger.subscriptions.getByRef(ref, now()))?.plan ?? ordered
  if (plan === undefined) return undefined
  const subscription = { ...facts, plan, account_id, provider: 'stripe' } as const
  return { kind: 'subscription', subscription, sequence: asked } as const
}

async function accountOf(
  { ledger }: Pick<Deps, 'ledger'>,
  customer: string | null,
): Promise<number | undefined> {
  return customer === null ? undefined : ledger.billing.getAccountId(customer)
}

function closed(id: string, state: 'paid' | 'ended'): BillingEffect {
  return { kind: 'checkout', id, state }
}

function ignored(detail: string): EventOutcome {
  return { account_id: null, outcome: 'ignored', detail, effects: [] }
}

function mismatch(account_id: number | null, detail: string): EventOutcome {
  return { account_id, outcome: 'mismatch', detail, effects: [] }
}
