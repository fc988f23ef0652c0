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
  type Buyer,
  findLiveSubscription,
  getOrCreateCustomer,
  getPortalLink,
  type PaymentLink,
  withCustomer,
} from './open-customer-portal.ts'

type CheckoutDeps = Pick<Deps, 'config' | 'ledger' | 'log' | 'now' | 'stripe'>

/**
 * Starts a checkout for a plan or a pack of scans, or returns the open one. An account with a subscription gets the
 * page to change it instead, so that nobody pays for two subscriptions.
 *
 * @throws ServiceError NOT_FOUND if billing is disabled, TOO_MANY_ATTEMPTS, or BILLING_UNAVAILABLE
 */
export async function beginCheckout(
  deps: CheckoutDeps,
  buyer: Buyer,
  item: BillableItem,
): Promise<PaymentLink> {
  if (deps.config.billing.provider === 'off') throw billingDisabled()
  await countAttempt(deps, checkoutLimits(buyer.account_id))
  return deps.stripe === undefined
    ? manualCheckout(deps, buyer, item)
    : stripeCheckout({ ...deps, stripe: deps.stripe }, buyer, item)
}

export function billingDisabled(): ServiceError {
  return new ServiceError('NOT_FOUND', 'Billing is disabled on this server. Contact its operator.')
}

/** The page explains how to pay, and the operator completes the checkout by command. */
async function manualCheckout(
  deps: CheckoutDeps,
  buyer: Buyer,
  item: BillableItem,
): Promise<PaymentLink> {
  const { ledger, config, now } = deps
  if (isPlan(item)) {
    const live = await findLiveSubscription(deps, buyer.account_id)
    // Only one change can be pending until the end of a period. Stripe subscriptions are changed at Stripe.
    if (live !== undefined && (live.standing.next_plan !== null || live.provider === 'stripe')) {
      return getPortalLink(deps, buyer)
    }
  }
  for (;;) {
    const checkout = await ledger.checkouts.create(newCheckout(deps, 'manual', buyer, item))
    const isWanted = checkout.provider === 'manual' && checkout.item === item
    if (isWanted) {
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
  item: BillableItem,
): Promise<PaymentLink> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const customer = await getOrCreateCustomer(deps, buyer)
    if (isPlan(item)) {
      const paymentLink = await planChangeLink(deps, buyer, customer, item)
      if (paymentLink !== undefined) return paymentLink
    }
    const checkout = await deps.ledger.checkouts.create(newCheckout(deps, 'stripe', buyer, item))
    const isWanted = checkout.provider === 'stripe' && checkout.item === item
    const url = isWanted ? await payableUrl(deps, buyer, customer, checkout) : undefined
    if (url !== undefined) return { url, kind: 'checkout' }
    await endCheckout(deps, checkout)
  }
  throw new ServiceError(
    'BILLING_UNAVAILABLE',
    'Another checkout is being created. Try again in a few seconds.',
    { retryAfter: 5 },
  )
}

/** @returns undefined if the account has no subscription, including one whose event has not arrived */
async function planChangeLink(
  deps: StripeDeps,
  buyer: Buyer,
  customer: string,
  plan: Plan,
): Promise<PaymentLink | undefined> {
  const { stripe, ledger, now } = deps
  const known = await findLiveSubscription(deps, buyer.account_id)
  const subscriptions = await stripe.listSubscriptions(customer)
  // Our record may be stale: the cancellation event may not have arrived yet.
  const refs = new Set(subscriptions.map(({ ref }) => ref))
  if (known?.provider === 'stripe') refs.add(known.ref)
  for (const ref of refs) {
    const { effects } = await inspect(deps, stripe, { kind: 'subscription', ref })
    await ledger.billing.applyEffects(effects, now())
  }
  const live = await findLiveSubscription(deps, buyer.account_id)
  return live && getPortalLink(deps, buyer, plan)
}

/**
 * Returns the payment page of an open checkout. Its id is the idempotency key, so that a retry after a
 * lost response creates no second session.
 *
 * @returns undefined if it can no longer be paid
 */
async function payableUrl(
  deps: StripeDeps,
  { account_id }: Buyer,
  customer: string,
  { id: checkout_id, session, item }: Checkout,
): Promise<string | undefined> {
  const { stripe, ledger, config, now } = deps
  const return_url = `${config.publicUrl}/billing`
  const input = { checkout_id, account_id, item, customer, return_url }
  const stripeSession =
    session === null
      ? await withCustomer(deps, customer, () => stripe.createCheckout(input))
      : await stripe.getSession(session)
  if (stripeSession === undefined || !isPayable(stripeSession, now())) return undefined
  // A request for another plan may have ended this checkout, which must then not be paid.
  const isOpen = await ledger.checkouts.updateSession(checkout_id, stripeSession)
  if (isOpen) return stripeSession.url ?? undefined
  await stripe.expireCheckout(stripeSession.session)
  return undefined
}

/** Ends a checkout. If it was paid, applies the payment. */
async function endCheckout(deps: StripeDeps, { id }: Checkout): Promise<void> {
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
    // Another tab may have opened a session in the meantime, which is then ended first.
    if (await ledger.checkouts.markEnded(checkout, now())) return
  }
}

function isPayable({ status, url, expires_at }: StripeSession, now: Date): boolean {
  return status === 'open' && url !== null && expires_at - now.getTime() > PAYABLE_MS_MIN
}

function newCheckout(
  { now }: Pick<Deps, 'now'>,
  provider: 'stripe' | 'manual',
  { account_id }: Buyer,
  item: BillableItem,
) {
  return {
    id: `co_${randomBytes(24).toString('base64url')}`,
    account_id,
    provider,
    item,
    amount_cents: PRICE_CENTS[item],
    now: now(),
    openMs: OPEN_MS[provider],
  }
}

/** A day is the default of Stripe's sessions. */
const OPEN_MS = { stripe: MS_PER_DAY, manual: 30 * MS_PER_DAY }

/** Minimum remaining lifetime for a checkout to be reused. */
const PAYABLE_MS_MIN = 10 * 60_000

/** Each attempt ends at most one conflicting checkout. */
const ATTEMPTS_MAX = 4
