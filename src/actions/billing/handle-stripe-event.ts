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

/** Result of an event, or of an inspection without one. */
export type EventOutcome = {
  account_id: number | null
  outcome: BillingEvent['outcome']
  detail: string | null
  effects: BillingEffect[]
}

/**
 * Handles an event of Stripe. The event only names an object, whose current state is fetched from Stripe. Events may
 * therefore arrive late, twice, in any order, or never: the hourly reconciliation finds events that never arrive.
 *
 * @returns the outcome; `known` if the event was already handled
 * @throws ServiceError BILLING_UNAVAILABLE if Stripe does not answer; Stripe then repeats the event
 */
export async function handleStripeEvent(
  deps: BillingDeps,
  stripe: StripeClient,
  { id, type, about }: StripeEvent,
): Promise<BillingEvent['outcome'] | 'known'> {
  const { ledger, log, now } = deps
  if (await ledger.billing.hasEvent(id)) return 'known'
  const { effects, ...outcome } = await inspect(deps, stripe, about)
  const event: BillingEvent = { id, type, provider: 'stripe', ...outcome }
  const isNew = await ledger.billing.record(event, effects, now())
  if (isNew && event.outcome === 'mismatch')
    log.error('billing event does not match the ledger', event)
  return isNew ? event.outcome : 'known'
}

/** Fetches an object from Stripe and determines its effects. */
export async function inspect(
  deps: Pick<Deps, 'ledger' | 'now'>,
  stripe: StripeClient,
  { kind, ref }: StripeEvent['about'],
): Promise<EventOutcome> {
  if (kind === 'nothing') return ignored('not about a product of this server')
  const sequence = await deps.ledger.billing.nextRequestNumber()
  const context = { ...deps, stripe, sequence }
  return {
    session: () => inspectSession(context, ref),
    subscription: () => inspectSubscription(context, ref),
    invoice: () => inspectInvoice(context, ref),
    charge: () => inspectCharge(context, ref),
  }[kind]()
}

/** `sequence` is drawn before every request of the inspection, and orders the responses. */
type InspectionContext = Pick<Deps, 'ledger' | 'now'> & { stripe: StripeClient; sequence: number }

async function inspectSession(context: InspectionContext, ref: string): Promise<EventOutcome> {
  const object = await context.stripe.getSession(ref)
  return object === undefined ? ignored('no such session') : sessionOutcome(context, object)
}

/** Determines the effects of a checkout session. */
async function sessionOutcome(
  context: InspectionContext,
  object: StripeSession,
): Promise<EventOutcome> {
  const { ledger } = context
  if (object.checkout_id === null || object.item === null)
    return ignored('not a checkout of this server')
  const account_id = await accountOf(context, object.customer)
  // The ledger was restored from a backup, or another installation uses the same Stripe account.
  if (account_id === undefined)
    return mismatch(null, `no account has the customer ${object.customer}`)
  const checkout = await ledger.checkouts.getById(object.checkout_id)
  // The checkout is missing if the ledger was restored from a backup; the session has the same data.
  if (checkout && (checkout.account_id !== account_id || checkout.item !== object.item)) {
    return mismatch(account_id, `session ${object.session} does not match its checkout`)
  }
  const effects: BillingEffect[] = []
  const { item, session: ref, amount_cents } = object
  if (object.is_paid && !isPlan(item)) {
    effects.push({ kind: 'purchase', purchase: { ref, account_id, item, amount_cents } })
    const payment = { ref, account_id, provider: 'stripe', item, amount_cents } as const
    effects.push({ kind: 'payment', payment })
  }
  if (object.subscription !== null) {
    const outcome = await subscriptionAt(context, account_id, object.subscription)
    if (outcome !== undefined) effects.push(outcome)
  }
  // A complete session may still wait for its payment, so its checkout stays open.
  const { checkout_id } = object
  const isPaid = object.status === 'complete' && object.is_paid
  const state = isPaid ? 'paid' : object.status === 'expired' ? 'ended' : undefined
  if (state !== undefined) effects.push({ kind: 'checkout', id: checkout_id, state })
  return { account_id, outcome: 'applied', detail: null, effects }
}

async function inspectSubscription(context: InspectionContext, ref: string): Promise<EventOutcome> {
  const object = await context.stripe.getSubscription(ref)
  if (object === undefined) return lostSubscription(context, ref)
  const account_id = await accountOf(context, object.customer)
  if (account_id === undefined) return ignored('unknown customer')
  const effect = await subscriptionAt(context, account_id, ref, object)
  if (effect === undefined) return ignored('not a plan of this server')
  return { account_id, outcome: 'applied', detail: null, effects: [effect] }
}

/** Ends a subscription that Stripe does not know, such as one from test mode, after its paid period. */
async function lostSubscription(
  { ledger, sequence, now }: InspectionContext,
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
    effects: [{ kind: 'subscription', subscription: { ...facts, status }, sequence }],
  }
}

async function inspectInvoice(context: InspectionContext, ref: string): Promise<EventOutcome> {
  const object = await context.stripe.getInvoice(ref)
  if (object === undefined) return ignored('no such invoice')
  const account_id = await accountOf(context, object.customer)
  if (account_id === undefined) return ignored('unknown customer')
  const effects = await effectsOfInvoice(context, account_id, object)
  if (effects.length === 0) return ignored('not for a subscription of this server')
  return { account_id, outcome: 'applied', detail: null, effects }
}

/** Determines the state of an invoice's subscription, and its payment. */
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

/** Handles a refund or dispute. Applies the payment first: its own event may not have arrived. */
async function inspectCharge(context: InspectionContext, ref: string): Promise<EventOutcome> {
  const object = await context.stripe.getCharge(ref)
  if (object === undefined) return ignored('no such payment')
  const account_id = await accountOf(context, object.customer)
  if (account_id === undefined) return ignored('unknown customer')
  const { amount_cents, refunded_cents, disputed_cents, paid_at } = object
  const amounts = { amount_cents, refunded_cents, disputed_cents, paid_at }
  const charge = { ref, account_id, provider: 'stripe', ...amounts } as const
  const { sequence } = context
  if (object.session !== undefined) {
    const outcome = await sessionOutcome(context, object.session)
    const purchase = outcome.effects.find((effect) => effect.kind === 'purchase')?.purchase
    if (purchase === undefined) return outcome
    const of = { item: purchase.item, purchase: purchase.ref, subscription: null }
    outcome.effects.push({ kind: 'charge', charge: { ...charge, ...of }, sequence })
    return outcome
  }
  const paid = object.invoice && (await effectsOfInvoice(context, account_id, object.invoice))
  const subscription = paid?.find((effect) => effect.kind === 'subscription')?.subscription
  if (paid === undefined || subscription === undefined)
    return ignored('it paid for nothing of this server')
  const item = object.invoice?.plan ?? subscription.plan
  const of = { item, purchase: null, subscription: subscription.ref }
  paid.push({ kind: 'charge', charge: { ...charge, ...of }, sequence })
  return { account_id, outcome: 'applied', detail: null, effects: paid }
}

/** @returns undefined if it is not a plan of this server, or belongs to another customer */
async function subscriptionAt(
  { stripe, ledger, sequence, now }: InspectionContext,
  account_id: number,
  ref: string,
  known?: StripeSubscription,
) {
  const object = known ?? (await stripe.getSubscription(ref))
  if (object === undefined) return undefined
  if ((await ledger.billing.getAccountId(object.customer)) !== account_id) return undefined
  const { customer: _, item_id: __, plan: named, ordered, ...facts } = object
  // The operator may sell other products now; earlier purchases keep their plan.
  const plan = named ?? (await ledger.subscriptions.getByRef(ref, now()))?.plan ?? ordered
  if (plan === undefined) return undefined
  const subscription = { ...facts, plan, account_id, provider: 'stripe' } as const
  return { kind: 'subscription', subscription, sequence } as const
}

async function accountOf(
  { ledger }: Pick<Deps, 'ledger'>,
  customer: string | null,
): Promise<number | undefined> {
  return customer === null ? undefined : ledger.billing.getAccountId(customer)
}

function ignored(detail: string): EventOutcome {
  return { account_id: null, outcome: 'ignored', detail, effects: [] }
}

function mismatch(account_id: number | null, detail: string): EventOutcome {
  return { account_id, outcome: 'mismatch', detail, effects: [] }
}
