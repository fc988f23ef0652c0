/** Actions of customers and banks: payments, failures, refunds and disputes. */
import type { Stripe } from 'stripe'
import { monthAfter } from '#rules/billing/subscriptions.ts'
import {
  chargeObject,
  disputeObject,
  invoiceObject,
  invoicePaymentObject,
  itemObject,
  type LineTerms,
  subscriptionObject,
} from './stripe-objects.ts'
import { endSession } from './stripe-routes.ts'
import { getObject, type StripeState, storeObject } from './stripe-state.ts'

/** Charges a customer. @returns the payment intent */
export function charge(books: StripeState, customer: string, amount: number): string {
  const { id: payment_intent } = books.born('pi')
  const made = chargeObject(books.born('ch'), { amount, customer, payment_intent })
  storeObject(books.charges, made)
  books.emitEvent('charge.succeeded', made)
  return payment_intent
}

export function stripePayments(books: StripeState) {
  /** @returns the session; it must be unpaid */
  function waiting(id: string, status: 'open' | 'complete'): Stripe.Checkout.Session {
    const session = getObject(books.sessions, id)
    if (session.status === status && session.payment_status === 'unpaid') return session
    throw new Error(`the session ${id} is ${session.status} and ${session.payment_status}`)
  }

  function fulfil(session: Stripe.Checkout.Session): void {
    const customer = String(session.customer)
    session.payment_status = 'paid'
    if (session.mode === 'payment') {
      session.payment_intent = charge(books, customer, session.amount_total ?? 0)
    } else {
      subscribe(books, session, customer)
    }
  }

  function complete(session: Stripe.Checkout.Session): void {
    session.status = 'complete'
    session.url = null
  }

  return {
    /** Pays a session; one for a plan starts its subscription. */
    pay(id: string): void {
      const session = waiting(id, 'open')
      complete(session)
      fulfil(session)
      books.emitEvent('checkout.session.completed', session)
    },

    /** Completes a session with a bank transfer that takes days. */
    payLater(id: string): void {
      const session = waiting(id, 'open')
      complete(session)
      books.emitEvent('checkout.session.completed', session)
    },

    /** Completes that transfer. */
    settle(id: string): void {
      const session = waiting(id, 'complete')
      fulfil(session)
      books.emitEvent('checkout.session.async_payment_succeeded', session)
    },

    /** Fails that transfer; for an open session, the card is declined and may be tried again. */
    failPayment(id: string): void {
      const session = getObject(books.sessions, id)
      if (session.status === 'open') return
      books.emitEvent('checkout.session.async_payment_failed', waiting(id, 'complete'))
    },

    /** Expires an unpaid session. */
    expire(id: string): void {
      endSession(books, waiting(id, 'open'))
    },

    /** Refunds a part of a payment. */
    refund(payment: string, cents: number): void {
      const charge = chargeOf(books, payment)
      if (charge.amount_refunded + cents > charge.amount) throw new Error('more than was paid')
      charge.amount_refunded += cents
      charge.refunded = charge.amount_refunded === charge.amount
      books.emitEvent('charge.refunded', charge)
    },

    /** Disputes a payment. @returns the dispute */
    dispute(payment: string, cents?: number): string {
      const charge = chargeOf(books, payment)
      charge.disputed = true
      const dispute = disputeObject(books.born('dp'), {
        amount: cents ?? charge.amount,
        charge: charge.id,
        payment_intent: payment,
        status: 'needs_response',
      })
      storeObject(books.disputes, dispute)
      books.emitEvent('charge.dispute.created', dispute)
      books.emitEvent('charge.dispute.funds_withdrawn', dispute)
      return dispute.id
    },

    /** Closes a dispute with the bank's decision. */
    closeDispute(id: string, outcome: 'won' | 'lost'): void {
      const dispute = getObject(books.disputes, id)
      dispute.status = outcome
      books.emitEvent('charge.dispute.closed', dispute)
      if (outcome === 'won') books.emitEvent('charge.dispute.funds_reinstated', dispute)
    },
  }
}

function chargeOf(books: StripeState, payment: string): Stripe.Charge {
  const found = [...books.charges.values()].find(({ payment_intent }) => payment_intent === payment)
  if (found === undefined) throw new Error(`the stand-in of Stripe has no payment ${payment}`)
  return found
}

/** Starts the subscription of a paid plan session, with a paid invoice. */
function subscribe(books: StripeState, session: Stripe.Checkout.Session, customer: string): void {
  const { price, metadata } = getObject(books.pendingItems, session.id)
  const birth = books.born('sub')
  const period = { start: birth.created, end: monthFrom(birth.created) }
  const item = itemObject(books.born('si'), { subscription: birth.id, price, period })
  const subscription = storeObject(
    books.subscriptions,
    subscriptionObject(birth, { customer, item, metadata }),
  )
  session.subscription = birth.id
  const lines = [{ amount: price.unit_amount ?? 0, price, period }]
  const invoice = bill(books, subscription, 'subscription_create', lines)
  session.invoice = invoice.id
  books.emitEvent('customer.subscription.created', subscription)
  settleInvoice(books, invoice)
}

/** Pays an invoice. */
export function settleInvoice(books: StripeState, invoice: Stripe.Invoice): void {
  invoice.status = 'paid'
  invoice.attempted = true
  invoice.attempt_count++
  invoice.amount_paid = Math.max(0, invoice.total)
  invoice.amount_remaining = 0
  // An invoice of zero needs no payment.
  if (invoice.amount_paid > 0) {
    const payment_intent = charge(books, String(invoice.customer), invoice.amount_paid)
    const terms = { invoice: invoice.id, amount: invoice.amount_paid, payment_intent }
    storeObject(books.invoicePayments, invoicePaymentObject(books.born('inpay'), terms))
  }
  books.emitEvent('invoice.paid', invoice)
}

/** Bills a subscription. The unpaid invoice becomes its latest one. */
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

/** Returns the time a month later, in seconds. */
export function monthFrom(seconds: number): number {
  return monthAfter(seconds * 1000) / 1000
}
