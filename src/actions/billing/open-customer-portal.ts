import type { Deps } from '#deps.ts'
import { CustomerNotFoundError } from '#outbound/stripe/stripe-objects.ts'
import type { Plan } from '#rules/billing/plans.ts'
import { isSubscriptionOngoing } from '#rules/billing/subscriptions.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { SubscriptionRecord } from '#store/ledger/subscriptions.ts'
import type { Buyer, PaymentLink } from './begin-checkout.ts'

type PortalDeps = Pick<Deps, 'config' | 'ledger' | 'now' | 'stripe'>

/**
 * Where an account manages its subscription: at Stripe, or on a page of our own.
 *
 * @param wanted the plan that is to be changed to, where Stripe can ask for no more than a yes
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
  const change = await changeOf({ ...deps, stripe }, live, wanted)
  for (let tries = 0; tries < 2; tries++) {
    const customer = await getOrCreateCustomer({ ...deps, stripe }, buyer)
    const ask = { customer, return_url: own.url, ...(change && { change }) }
    const url = await withCustomer(deps, customer, () => stripe.createPortalSession(ask))
    if (url !== undefined) return { url, kind: 'portal' }
  }
  throw new ServiceError('BILLING_UNAVAILABLE', 'The portal cannot be opened. Try again.', {
    retryAfter: 30,
  })
}

/**
 * Only what is paid and goes on as it is can be changed at once; all else is settled in the portal
 * first. Stripe would put a change after one that waits, not in its place.
 */
async function changeOf(
  { stripe }: { stripe: NonNullable<Deps['stripe']> },
  live: SubscriptionRecord | undefined,
  plan: Plan | undefined,
) {
  if (live === undefined || plan === undefined || plan === live.plan) return undefined
  if (live.cancels || live.next_plan !== null) return undefined
  if (live.status !== 'active' && live.status !== 'trialing') return undefined
  const seen = await stripe.getSubscription(live.ref)
  return seen && { subscription: live.ref, item_id: seen.item_id, plan }
}

/** The subscription beside which no second one may be paid. */
export async function findLiveSubscription(
  { ledger, now, stripe }: Pick<Deps, 'ledger' | 'now' | 'stripe'>,
  accountId: number,
): Promise<SubscriptionRecord | undefined> {
  const all = await ledger.subscriptions.listByAccount(accountId, now())
  const live = all.filter(({ standing }) => isSubscriptionOngoing(standing))
  // What was paid by hand and is over makes room for Stripe, where that has come since.
  const blocking = live.filter(
    ({ provider, standing }) =>
      stripe === undefined || provider === 'stripe' || standing.status !== 'past_due',
  )
  return blocking.find(({ provider }) => provider === 'stripe') ?? blocking[0]
}

/** Who an account is at Stripe: made the first time that it is needed. */
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
 * Asks for something of a customer.
 *
 * @returns undefined where Stripe does not know the customer, who is then made anew the next time
 */
export async function withCustomer<Made>(
  { ledger }: Pick<Deps, 'ledger'>,
  customer: string,
  ask: () => Promise<Made>,
): Promise<Made | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof CustomerNotFoundError)) throw error
    await ledger.billing.markCustomerDeleted(customer)
    return undefined
  }
}
