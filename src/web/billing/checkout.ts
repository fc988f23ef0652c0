import type { PackOffer, PlanOffer } from '#client/endpoints.ts'
import { api } from '../api.ts'

/** What can be bought, as the checkout takes it. */
export type CheckoutItem = Exclude<PlanOffer['plan'], 'free'> | PackOffer['pack']

/** Orders something, and leads to where it is paid: a page of ours, or Stripe's. */
export async function openCheckout(checkoutItem: CheckoutItem): Promise<void> {
  const { data } = await api.post('/v1/payments/create-checkout', { body: { plan: checkoutItem } })
  location.assign(data.url)
}

/** Leads to where a subscription is changed, and what was paid is told. */
export async function openBillingPortal(): Promise<void> {
  const { data } = await api.post('/v1/payments/portal')
  location.assign(data.url)
}
