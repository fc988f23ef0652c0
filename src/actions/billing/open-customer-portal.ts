import type { Deps } from '#deps.ts'
import { CustomerNotFoundError } from '#outbound/stripe/stripe-objects.ts'
import type { Plan } from '#rules/billing/plans.ts'
import { isSubscriptionOngoing } from '#rules/billing/subscriptions.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { SubscriptionRecord } from '#store/ledger/subscriptions.ts'

export type Buyer = { account_id: number; email: string }

/** Page on which to pay, or to manage the existing subscription. */
export type PaymentLink = { url: string; kind: 'checkout' | 'portal' }

type PortalDeps = Pick<Deps, 'config' | 'ledger' | 'now' | 'stripe'>

/**
 * Returns the page on which an account manages its subscription: at Stripe, or on this server.
 *
 * @param wanted plan to change to, which the page then asks to confirm
 * @throws ServiceError BILLING_UNAVAILABLE
 */
export async function getPortalLink(
  deps: PortalDeps,
  buyer: Buyer,
  wanted?: Plan,
): Promise<PaymentLink> {
  const own = { url: `${deps.config.publicUrl}/billing`, kind: 'portal' } as const
  const { stripe } = deps
  if (stripe === undefined) return own
  const live = await findLiveSubscription(deps, buyer.account_id)
  if (live?.provider === 'manual') return own
  const change = await findImmediateChange({ ...deps, stripe }, live, wanted)
  for (let tries = 0; tries < 2; tries++) {
    const customer = await getOrCreateCustomer({ ...deps, stripe }, buyer)
    const input = { customer, return_url: own.url, ...(change && { change }) }
    const url = await withCustomer(deps, customer, () => stripe.createPortalSession(input))
    if (url !== undefined) return { url, kind: 'portal' }
  }
  throw new ServiceError(
    'BILLING_UNAVAILABLE',
    'The billing portal cannot be opened. Try again in 30 seconds.',
    { retryAfter: 30 },
  )
}

/**
 * Returns a change that can take effect immediately: only if the subscription is paid and has no pending change.
 * Stripe would schedule a second change after the first one instead of replacing it.
 */
async function findImmediateChange(
  { stripe }: { stripe: NonNullable<Deps['stripe']> },
  live: SubscriptionRecord | undefined,
  plan: Plan | undefined,
) {
  if (live === undefined || plan === undefined || plan === live.plan) return undefined
  if (live.cancels || live.next_plan !== null) return undefined
  if (live.status !== 'active' && live.status !== 'trialing') return undefined
  const stripeSubscription = await stripe.getSubscription(live.ref)
  return stripeSubscription && { subscription: live.ref, item_id: stripeSubscription.item_id, plan }
}

/** Finds the subscription that rules out a second one. */
export async function findLiveSubscription(
  { ledger, now, stripe }: Pick<Deps, 'ledger' | 'now' | 'stripe'>,
  accountId: number,
): Promise<SubscriptionRecord | undefined> {
  const all = await ledger.subscriptions.listByAccount(accountId, now())
  const live = all.filter(({ standing }) => isSubscriptionOngoing(standing))
  // An overdue manual subscription does not rule out one at Stripe.
  const blocking = live.filter(
    ({ provider, standing }) =>
      stripe === undefined || provider === 'stripe' || standing.status !== 'past_due',
  )
  return blocking.find(({ provider }) => provider === 'stripe') ?? blocking[0]
}

export async function getOrCreateCustomer(
  { stripe, ledger }: { stripe: NonNullable<Deps['stripe']>; ledger: Deps['ledger'] },
  { account_id, email }: Buyer,
): Promise<string> {
  const known = await ledger.billing.getCustomer(account_id)
  if (known !== undefined) return known
  const before = await ledger.billing.countDeletedCustomers(account_id)
  const customer = await stripe.createCustomer({ account_id, email, before })
  return ledger.billing.createCustomer(account_id, customer)
}

/**
 * Sends a request that names a customer.
 *
 * @returns undefined if Stripe does not know the customer; the next request then creates a new one
 */
export async function withCustomer<Made>(
  { ledger }: Pick<Deps, 'ledger'>,
  customer: string,
  input: () => Promise<Made>,
): Promise<Made | undefined> {
  try {
    return await input()
  } catch (error) {
    if (!(error instanceof CustomerNotFoundError)) throw error
    await ledger.billing.markCustomerDeleted(customer)
    return undefined
  }
}
