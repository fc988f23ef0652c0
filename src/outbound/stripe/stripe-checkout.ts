import type { Stripe } from 'stripe'
import { isPlan } from '#rules/billing/plans.ts'
import { type StripeApi, stripeErrorDetails } from './stripe-api.ts'
import { mapSession } from './stripe-mapping.ts'
import type { CheckoutRequest, StripeSession } from './stripe-objects.ts'
import type { StripePrices } from './stripe-prices.ts'

/** Creates a checkout session. Repeated calls for a checkout and customer return the same one. */
export async function createCheckout(
  api: StripeApi,
  prices: StripePrices,
  { checkout_id, account_id, item, customer, return_url }: CheckoutRequest,
): Promise<StripeSession> {
  const metadata = { account_id: String(account_id), checkout_id, item }
  const params: Stripe.Checkout.SessionCreateParams = {
    customer,
    client_reference_id: String(account_id),
    line_items: [await prices.lineItem(item)],
    metadata,
    success_url: returnUrl(return_url, 'done'),
    cancel_url: returnUrl(return_url, 'cancelled'),
    ...(isPlan(item)
      ? { mode: 'subscription', subscription_data: { metadata } }
      : { mode: 'payment', payment_intent_data: { metadata } }),
  }
  // Stripe replays errors too, so another customer needs another key.
  const idempotencyKey = `${checkout_id}.${customer}`
  return mapSession(
    await api.call((stripe) => stripe.checkout.sessions.create(params, { idempotencyKey })),
  )
}

function returnUrl(address: string, outcome: 'done' | 'cancelled'): string {
  const url = new URL(address)
  url.searchParams.set('checkout', outcome)
  return url.href
}

export async function findSession(api: StripeApi, id: string): Promise<StripeSession | undefined> {
  const found = await api.find((stripe) => stripe.checkout.sessions.retrieve(id))
  return found && mapSession(found)
}

/** Expires a session, or returns how it ended. */
export async function expireCheckout(
  api: StripeApi,
  id: string,
): Promise<StripeSession | undefined> {
  try {
    const expired = await api.find((stripe) => stripe.checkout.sessions.expire(id))
    return expired && mapSession(expired)
  } catch (error) {
    if (stripeErrorDetails(error).type !== 'StripeInvalidRequestError') throw error
    // Only open sessions expire. One that is still open failed for another reason.
    const found = await findSession(api, id)
    if (found?.status === 'open') throw error
    return found
  }
}
