import type { PackOffer, PlanOffer } from '#client/endpoints.ts'
import { api } from '../api.ts'

/** Plan or scan pack, as the checkout endpoint names it. */
export type CheckoutItem = Exclude<PlanOffer['plan'], 'free'> | PackOffer['pack']

/** Creates a checkout and opens its payment page. */
export async function openCheckout(checkoutItem: CheckoutItem): Promise<void> {
  const { data } = await api.post('/v1/payments/create-checkout', { body: { plan: checkoutItem } })
  location.assign(data.url)
}

/** Opens the Stripe portal for subscriptions and invoices. */
export async function openBillingPortal(): Promise<void> {
  const { data } = await api.post('/v1/payments/portal')
  location.assign(data.url)
}
