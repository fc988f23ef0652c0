/** Subscriptions over time, and changes that customers make in the portal. */
import type { Stripe } from 'stripe'
import { type Plan, PRICE_CENTS } from '#rules/billing/plans.ts'
import { scheduleObject } from './stripe-objects.ts'
import { bill, monthFrom, settleInvoice } from './stripe-payments.ts'
import { endSubscription, subscriptionOf } from './stripe-routes.ts'
import { getObject, type StripeState, storeObject } from './stripe-state.ts'

/** @param advanceTo advances the clock to this second, never back */
export function stripeSubscriptions(books: StripeState, advanceTo: (seconds: number) => void) {
  function updated(subscription: Stripe.Subscription): void {
    books.emitEvent('customer.subscription.updated', subscription)
  }

  return {
    /** Ends the period: the next one is paid or not, or the subscription ends if it was canceled. */
    renew(id: string, outcome: 'paid' | 'failed' = 'paid'): void {
      const subscription = getObject(books.subscriptions, id)
      const item = itemOf(subscription)
      advanceTo(item.current_period_end)
      if (subscription.cancel_at_period_end) {
        endSubscription(books, subscription)
        return
      }
      startNextPhase(books, subscription)
      const period = { start: item.current_period_end, end: monthFrom(item.current_period_end) }
      item.current_period_start = period.start
      item.current_period_end = period.end
      const { price } = item
      const lines = [{ amount: price.unit_amount ?? 0, price, period }]
      const invoice = bill(books, subscription, 'subscription_cycle', lines)
      if (outcome === 'paid') {
        settleInvoice(books, invoice)
      } else {
        subscription.status = 'past_due'
        invoice.attempted = true
        invoice.attempt_count++
        books.emitEvent('invoice.payment_failed', invoice)
      }
      updated(subscription)
    },

    /** Pays the open invoices of a subscription. */
    payOpenInvoices(id: string): void {
      const subscription = getObject(books.subscriptions, id)
      for (const invoice of books.invoices.values()) {
        if (subscriptionOf(invoice) === id && invoice.status === 'open') {
          settleInvoice(books, invoice)
        }
      }
      subscription.status = 'active'
      updated(subscription)
    },

    /**
     * Confirms another plan in the portal: a more expensive one applies at once, a cheaper one at the period's end.
     * Confirming the current plan cancels such a change.
     */
    changePlan(id: string, plan: Plan): void {
      const subscription = getObject(books.subscriptions, id)
      const item = itemOf(subscription)
      const price = offered(books, plan)
      release(books, subscription)
      const change = (price.unit_amount ?? 0) - (item.price.unit_amount ?? 0)
      if (change > 0) upgrade(books, subscription, price)
      if (change < 0) scheduleChange(books, subscription, price)
      updated(subscription)
    },

    /** Changes in the portal whether the subscription ends with its period. */
    cancelAtPeriodEnd(id: string, cancels = true): void {
      const subscription = getObject(books.subscriptions, id)
      subscription.cancel_at_period_end = cancels
      subscription.cancel_at = cancels ? itemOf(subscription).current_period_end : null
      subscription.canceled_at = cancels ? books.seconds() : null
      updated(subscription)
    },

    /** Ends a subscription, like the operator, or like Stripe after the last attempt to collect. */
    cancelNow(id: string): void {
      endSubscription(books, getObject(books.subscriptions, id))
    },

    /** Sets the status, as when Stripe gives up collecting, or the operator pauses and resumes it. */
    setStatus(id: string, status: 'unpaid' | 'paused' | 'active'): void {
      const subscription = getObject(books.subscriptions, id)
      const was = subscription.status
      subscription.status = status
      if (status === 'paused') books.emitEvent('customer.subscription.paused', subscription)
      else if (was === 'paused') books.emitEvent('customer.subscription.resumed', subscription)
      updated(subscription)
    },
  }
}

function itemOf({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data
  if (item === undefined) throw new Error(`the subscription ${id} has no item`)
  return item
}

/** Returns the price of a plan that the portal offers to customers. */
function offered(books: StripeState, plan: Plan): Stripe.Price {
  const listed = [...books.configurations.values()]
    .flatMap(({ features }) => features.subscription_update.products ?? [])
    .flatMap(({ prices }) => prices)
  const prices = listed.map((id) => getObject(books.prices, id))
  const found = prices.find(({ unit_amount }) => unit_amount === PRICE_CENTS[plan])
  if (found === undefined) throw new Error(`the portal offers nothing for ${plan}`)
  return found
}

function setPrice(subscription: Stripe.Subscription, price: Stripe.Price): void {
  itemOf(subscription).price = price
}

/** Charges the rest of the period at the new price, minus what was already paid for it. */
function upgrade(books: StripeState, subscription: Stripe.Subscription, price: Stripe.Price): void {
  const { current_period_start, current_period_end, price: old } = itemOf(subscription)
  const period = { start: books.seconds(), end: current_period_end }
  const share = (period.end - period.start) / (current_period_end - current_period_start)
  const part = (of: Stripe.Price) => Math.round((of.unit_amount ?? 0) * share)
  setPrice(subscription, price)
  settleInvoice(
    books,
    bill(books, subscription, 'subscription_update', [
      { amount: -part(old), price: old, period },
      { amount: part(price), price, period },
    ]),
  )
}

function scheduleChange(
  books: StripeState,
  subscription: Stripe.Subscription,
  price: Stripe.Price,
): void {
  const { current_period_start: start, current_period_end: end, price: old } = itemOf(subscription)
  const schedule = scheduleObject(books.born('sub_sched'), {
    customer: String(subscription.customer),
    subscription: subscription.id,
    now: { price: old.id, period: { start, end } },
    next: { price: price.id, period: { start: end, end: monthFrom(end) } },
  })
  subscription.schedule = storeObject(books.schedules, schedule).id
}

function startNextPhase(books: StripeState, subscription: Stripe.Subscription): void {
  if (typeof subscription.schedule !== 'string') return
  const next = getObject(books.schedules, subscription.schedule).phases[1]?.items[0]?.price
  if (typeof next === 'string') setPrice(subscription, getObject(books.prices, next))
  release(books, subscription)
}

/** Removes the subscription's schedule. */
function release(books: StripeState, subscription: Stripe.Subscription): void {
  if (typeof subscription.schedule !== 'string') return
  const schedule = getObject(books.schedules, subscription.schedule)
  schedule.status = 'released'
  schedule.released_at = books.seconds()
  schedule.released_subscription = subscription.id
  schedule.subscription = null
  subscription.schedule = null
}
