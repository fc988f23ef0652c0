import { randomBytes } from 'node:crypto'
import type { Deps } from '#deps.ts'
import type { StripeClient } from '#outbound/stripe/stripe-client.ts'
import type { StripeSession } from '#outbound/stripe/stripe-objects.ts'
import { type BillableItem, isPlan, type Plan, PRICE_CENTS } from '#rules/billing/plans.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Checkout } from '#store/ledger/checkouts.ts'
import { checkoutLimits, countAttempt } from '../accounts/rate-limits.ts'
import { completeCheckout } from './complete-checkout.ts'
import { inspect } from './handle-stripe-event.ts'
import {
  findLiveSubscription,
  getOrCreateCustomer,
  getPortalLink,
  withCustomer,
} from './open-customer-portal.ts'

type CheckoutDeps = Pick<Deps, 'config' | 'ledger' | 'log' | 'now' | 'stripe'>

export type Buyer = { account_id: number; email: string }

/** Where to go on: to pay, or to manage the subscription that is there already. */
export type PaymentLink = { url: string; kind: 'checkout' | 'portal' }

/**
 * Offers a way to pay for a plan or a pack of scans. Asked again, it offers the same one as long as
 * that is open. Whoever has a subscription is led to where it is changed: nobody can pay for two.
 *
 * @throws ServiceError NOT_FOUND where nothing is sold, TOO_MANY_ATTEMPTS, or BILLING_UNAVAILABLE
 */
export async function beginCheckout(
  deps: CheckoutDeps,
  buyer: Buyer,
  billableItem: BillableItem,
): Promise<PaymentLink> {
  if (deps.config.billing.provider === 'off') throw billingDisabled()
  await countAttempt(deps, checkoutLimits(buyer.account_id))
  return deps.stripe === undefined
    ? manualCheckout(deps, buyer, billableItem)
    : stripeCheckout({ ...deps, stripe: deps.stripe }, buyer, billableItem)
}

export function billingDisabled(): ServiceError {
  return new ServiceError('NOT_FOUND', 'Nothing is sold here. Ask whoever runs this service.')
}

/** The operator takes the money: the page says how, and the operator's word completes it. */
async function manualCheckout(
  deps: CheckoutDeps,
  buyer: Buyer,
  billableItem: BillableItem,
): Promise<PaymentLink> {
  const { ledger, config, now } = deps
  if (isPlan(billableItem)) {
    const live = await findLiveSubscription(deps, buyer.account_id)
    // Only one change can wait for the end of a period; and what Stripe renews is changed there.
    if (live !== undefined && (live.standing.next_plan !== null || live.provider === 'stripe')) {
      return getPortalLink(deps, buyer)
    }
  }
  for (;;) {
    const checkout = await ledger.checkouts.create(newCheckout(deps, 'manual', buyer, billableItem))
    if (
      checkout.provider === 'manual' &&
      checkout.item === billableItem &&
      isFresh(checkout, now())
    ) {
      const { billing } = config
      if (billing.provider === 'manual' && billing.autopay)
        await completeCheckout(deps, checkout.id)
      return { url: `${config.publicUrl}/checkout/${checkout.id}`, kind: 'checkout' }
    }
    await ledger.checkouts.markEnded(checkout, now())
  }
}

type StripeDeps = CheckoutDeps & { stripe: StripeClient }

async function stripeCheckout(
  deps: StripeDeps,
  buyer: Buyer,
  billableItem: BillableItem,
): Promise<PaymentLink> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const customer = await getOrCreateCustomer(deps, buyer)
    if (isPlan(billableItem)) {
      const paymentLink = await planChangeLink(deps, buyer, customer, billableItem)
      if (paymentLink !== undefined) return paymentLink
    }
    const checkout = await deps.ledger.checkouts.create(
      newCheckout(deps, 'stripe', buyer, billableItem),
    )
    const isWanted = checkout.provider === 'stripe' && checkout.item === billableItem
    const url = isWanted ? await payableUrl(deps, buyer, customer, checkout) : undefined
    if (url !== undefined) return { url, kind: 'checkout' }
    await close(deps, checkout)
  }
  throw new ServiceError('BILLING_UNAVAILABLE', 'Another checkout is being made. Try again.', {
    retryAfter: 5,
  })
}

/** Where a subscription is changed, for whoever has one, also where no event has told of it yet. */
async function planChangeLink(
  deps: StripeDeps,
  buyer: Buyer,
  customer: string,
  plan: Plan,
): Promise<PaymentLink | undefined> {
  const { stripe, ledger, now } = deps
  const known = await findLiveSubscription(deps, buyer.account_id)
  const told = await stripe.listSubscriptions(customer)
  // One that is live only here may be over, and its event on the way.
  const refs = new Set(told.map(({ ref }) => ref))
  if (known?.provider === 'stripe') refs.add(known.ref)
  for (const ref of refs) {
    const { effects } = await inspect(deps, stripe, { kind: 'subscription', ref })
    await ledger.billing.applyEffects(effects, now())
  }
  const live = await findLiveSubscription(deps, buyer.account_id)
  return live && getPortalLink(deps, buyer, plan)
}

/**
 * Where an open checkout is paid. Its id is the idempotency key: where its first answer was lost,
 * asking again makes no second session.
 *
 * @returns undefined where it cannot be paid any more
 */
async function payableUrl(
  deps: StripeDeps,
  { account_id }: Buyer,
  customer: string,
  { id: checkout_id, session, item }: Checkout,
): Promise<string | undefined> {
  const { stripe, ledger, config, now } = deps
  const return_url = `${config.publicUrl}/billing`
  const ask = { checkout_id, account_id, item, customer, return_url }
  const seen =
    session === null
      ? await withCustomer(deps, customer, () => stripe.createCheckout(ask))
      : await stripe.getSession(session)
  if (seen === undefined || !isPayable(seen, now())) return undefined
  // Whoever wants another plan meanwhile has ended this one: then nobody may pay for it.
  const isOpen = await ledger.checkouts.updateSession(checkout_id, seen)
  if (isOpen) return seen.url ?? undefined
  await stripe.expireCheckout(seen.session)
  return undefined
}

/** Ends a checkout, unless it was paid: then that is taken in. */
async function close(deps: StripeDeps, { id }: Checkout): Promise<void> {
  const { stripe, ledger, now } = deps
  for (;;) {
    const checkout = await ledger.checkouts.getById(id)
    if (checkout?.state !== 'open') return
    const { session } = checkout
    if (session !== null) {
      await stripe.expireCheckout(session)
      const { effects } = await inspect(deps, stripe, { kind: 'session', ref: session })
      await ledger.billing.applyEffects(effects, now())
    }
    // Another tab may have told its customer meanwhile where to pay: then that is ended first.
    if (await ledger.checkouts.markEnded(checkout, now())) return
  }
}

function isPayable({ status, url, expires_at }: StripeSession, now: Date): boolean {
  return status === 'open' && url !== null && expires_at - now.getTime() > PAYABLE_MS
}

function isFresh({ expires_at }: Checkout, now: Date): boolean {
  return expires_at > now.getTime()
}

function newCheckout(
  { now }: Pick<Deps, 'now'>,
  provider: 'stripe' | 'manual',
  { account_id }: Buyer,
  billableItem: BillableItem,
) {
  const created_at = now().getTime()
  return {
    id: `co_${randomBytes(24).toString('base64url')}`,
    account_id,
    provider,
    item: billableItem,
    amount_cents: PRICE_CENTS[billableItem],
    created_at,
    expires_at: created_at + OPEN_MS[provider],
  }
}

/** Stripe's sessions last a day, unless they say otherwise; an operator is not in such a hurry. */
const OPEN_MS = { stripe: MS_PER_DAY, manual: 30 * MS_PER_DAY }

/** Less time than that to pay is none. */
const PAYABLE_MS = 10 * 60_000

/** Each try meets at most one checkout that stands in the way. */
const TRIES_MAX = 4
