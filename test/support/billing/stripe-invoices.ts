import type { Stripe } from 'stripe'
import { monthAfter } from '#rules/billing/subscriptions.ts'
import { invoiceObject, type LineTerms } from './stripe-billing-objects.ts'
import { type StripeState, storeObject } from './stripe-state.ts'

/** A bill for a subscription, not paid yet; its last one from now on. */
export function bill(
  books: StripeState,
  subscription: Stripe.Subscription,
  reason: Stripe.Invoice.BillingReason,
  lines: LineTerms[],
): Stripe.Invoice {
  const customer = String(subscription.customer)
  const terms = { customer, subscription: subscription.id, reason, lines }
  const invoice = storeObject(books.invoices, invoiceObject(books.born('in'), terms))
  subscription.latest_invoice = invoice.id
  return invoice
}

/** A month later; seconds. */
export function monthFrom(seconds: number): number {
  return monthAfter(seconds * 1000) / 1000
}
