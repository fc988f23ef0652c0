import type { Deps } from '#deps.ts'
import type { BillingEffect, BillingEvent, SubscriptionFacts } from '#rules/billing/billing.ts'
import { isCheckoutReference } from '#rules/billing/checkout-reference.ts'
import { extendManualSubscription, refundManualMonth } from '#rules/billing/manual-billing.ts'
import { isPlan, type Plan } from '#rules/billing/plans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Checkout } from '#store/ledger/checkouts.ts'

type ManualDeps = Pick<Deps, 'ledger' | 'now'>

/**
 * The operator's word that a checkout of manual billing was paid. It goes in as an event like those of
 * Stripe, and counts once, however often it is said.
 *
 * @param named its id, or the beginning of it that `shortReference` shows
 * @returns the checkout as it is now
 * @throws ServiceError NOT_FOUND, or VALIDATION_ERROR for one that is Stripe's
 */
export async function completeCheckout(deps: ManualDeps, named: string): Promise<Checkout> {
  const { ledger, now } = deps
  const checkout = await manualCheckoutAt(deps, named)
  const { id } = checkout
  // One that has ended can be paid all the same: what was paid was paid.
  if (checkout.state === 'paid') return checkout
  const { account_id, item, amount_cents } = checkout
  const asked = await ledger.billing.nextRequestNumber()
  const payment = { ref: id, account_id, provider: 'manual', item, amount_cents } as const
  const bought: BillingEffect = isPlan(item)
    ? {
        kind: 'subscription',
        subscription: await monthBought(deps, checkout, item),
        sequence: asked,
      }
    : { kind: 'purchase', purchase: { ref: id, account_id, item, amount_cents } }
  const done = await ledger.billing.record(
    eventOf('checkout.completed', checkout),
    [bought, { kind: 'payment', payment }, { kind: 'checkout', id, state: 'paid' }],
    now(),
    asked,
  )
  // Another command has been at it: this one was worked out of what it read before.
  if (done === 'outrun') return completeCheckout(deps, id)
  return (await ledger.checkouts.getById(id)) ?? checkout
}

/**
 * The operator's word that the money of a checkout went back: a pack's scans are taken back, and of a
 * plan what is left of the month that it paid.
 *
 * @param named its id, or the beginning of it
 * @throws ServiceError NOT_FOUND, or VALIDATION_ERROR for one that was not paid, or Stripe's
 */
export async function refundCheckout(deps: ManualDeps, named: string): Promise<Checkout> {
  const { ledger, now } = deps
  const checkout = await manualCheckoutAt(deps, named)
  const { id } = checkout
  if (checkout.state !== 'paid') {
    throw new ServiceError('VALIDATION_ERROR', `The checkout ${id} was not paid.`)
  }
  if ((await ledger.payments.getRefundedCents(id)) > 0) return checkout
  const { account_id, item, amount_cents } = checkout
  const asked = await ledger.billing.nextRequestNumber()
  const known = isPlan(item) ? await manualSubscription(deps, account_id) : undefined
  const effects: BillingEffect[] = [
    {
      kind: 'charge',
      charge: {
        ref: id,
        account_id,
        provider: 'manual',
        item,
        amount_cents,
        purchase: isPlan(item) ? null : id,
        subscription: known?.ref ?? null,
        refunded_cents: amount_cents,
        disputed_cents: 0,
        paid_at: checkout.closed_at ?? checkout.created_at,
      },
      asked,
    },
  ]
  if (known !== undefined && isPlan(item)) {
    const later = await ledger.checkouts.listPlansPaidAfter(id)
    const hasEarlier = await ledger.checkouts.hasPaidBefore(id)
    const subscription = refundManualMonth(known, item, { later, hasEarlier }, now().getTime())
    effects.unshift({ kind: 'subscription', subscription, sequence: asked })
  }
  const done = await ledger.billing.record(
    eventOf('checkout.refunded', checkout),
    effects,
    now(),
    asked,
  )
  return done === 'outrun' ? refundCheckout(deps, id) : checkout
}

/** The operator's word; said twice, it counts once. */
function eventOf(type: string, { id, account_id }: Checkout): BillingEvent {
  return {
    id: `${type}:${id}`,
    provider: 'manual',
    type,
    account_id,
    outcome: 'applied',
    detail: null,
  }
}

async function manualCheckoutAt({ ledger }: ManualDeps, named: string): Promise<Checkout> {
  const checkout = await ledger.checkouts.getById(await wholeId({ ledger }, named))
  if (checkout === undefined) {
    throw new ServiceError('NOT_FOUND', `There is no checkout ${named}. List them: billing list.`)
  }
  if (checkout.provider === 'manual') return checkout
  throw new ServiceError(
    'VALIDATION_ERROR',
    `The checkout ${named} is Stripe's: it says itself when it is paid.`,
  )
}

/** @throws ServiceError VALIDATION_ERROR where several begin so */
async function wholeId({ ledger }: Pick<Deps, 'ledger'>, named: string): Promise<string> {
  if (!isCheckoutReference(named)) return named
  const [id, other] = await ledger.checkouts.findIdsByPrefix(named)
  if (id === undefined) return named
  if (other === undefined || id === named) return id
  throw new ServiceError(
    'VALIDATION_ERROR',
    `Several checkouts begin with ${named}: give more of the id.`,
  )
}

/** What the account's subscription is with one month more. */
async function monthBought(
  deps: ManualDeps,
  { id, account_id }: Checkout,
  plan: Plan,
): Promise<SubscriptionFacts> {
  const known = await manualSubscription(deps, account_id)
  return extendManualSubscription(known, { ref: id, account_id, plan }, deps.now().getTime())
}

async function manualSubscription(
  { ledger, now }: ManualDeps,
  account_id: number,
): Promise<SubscriptionFacts | undefined> {
  const all = await ledger.subscriptions.listByAccount(account_id, now())
  const found = all.find(({ provider }) => provider === 'manual')
  if (found === undefined) return undefined
  const { standing: _, ...facts } = found
  return facts
}
