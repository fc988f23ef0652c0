import type { StripeApi } from './stripe-api.ts'
import { mapSession, type StripeMapper, stripeId, toMilliseconds } from './stripe-mapping.ts'
import type { StripeCharge, StripeInvoice } from './stripe-objects.ts'

/** Returns a payment with its refunds and disputes, and the session or invoice that it paid. */
export async function findCharge(
  api: StripeApi,
  mapper: StripeMapper,
  payment: string,
): Promise<StripeCharge | undefined> {
  const filter = { payment_intent: payment, limit: 100 }
  const found = await api.find((stripe) =>
    Promise.all([
      stripe.charges.list(filter),
      stripe.disputes.list(filter),
      stripe.checkout.sessions.list({ payment_intent: payment, limit: 1 }),
    ]),
  )
  if (found === undefined) return undefined
  const [charges, disputes, sessions] = found
  const paid = charges.data.filter(({ status }) => status === 'succeeded')
  const [first] = paid
  if (first === undefined) return undefined
  const session = sessions.data[0]
  return {
    payment,
    customer: stripeId(first.customer),
    amount_cents: sum(paid, ({ amount_captured }) => amount_captured),
    refunded_cents: sum(paid, ({ amount_refunded }) => amount_refunded),
    disputed_cents: sum(
      disputes.data.filter(({ status }) => !NOT_WITHHELD.has(status)),
      ({ amount }) => amount,
    ),
    paid_at: toMilliseconds(first.created),
    session: session && mapSession(session),
    invoice: session === undefined ? await findPaidInvoice(api, mapper, payment) : undefined,
  }
}

/** Disputes whose money is not withheld, or was returned as a refund. */
const NOT_WITHHELD: ReadonlySet<string> = new Set([
  'won',
  'prevented',
  // Inquiries: no money has moved.
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
])

function sum<T>(objects: readonly T[], cents: (object: T) => number): number {
  return objects.reduce((total, object) => total + cents(object), 0)
}

async function findPaidInvoice(
  api: StripeApi,
  mapper: StripeMapper,
  payment_intent: string,
): Promise<StripeInvoice | undefined> {
  const payment = { type: 'payment_intent', payment_intent }
  const found = await api.find((stripe) => stripe.invoicePayments.list({ payment, limit: 1 }))
  const ref = stripeId(found?.data[0]?.invoice)
  return ref === null ? undefined : findInvoice(api, mapper, ref)
}

export async function findInvoice(
  api: StripeApi,
  mapper: StripeMapper,
  ref: string,
): Promise<StripeInvoice | undefined> {
  const found = await api.find((stripe) => stripe.invoices.retrieve(ref))
  return found && mapper.invoice(found)
}
