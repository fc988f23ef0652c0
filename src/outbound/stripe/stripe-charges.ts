import type { StripeCharge, StripeInvoice } from './stripe.ts'
import type { StripeApi } from './stripe-api.ts'
import { mapSession, type StripeMapper, stripeId, toMilliseconds } from './stripe-mapping.ts'

/** Returns the refunds and disputes of a payment, and what it paid for. */
export async function findCharge(
  client: StripeApi,
  facts: StripeMapper,
  payment: string,
): Promise<StripeCharge | undefined> {
  const of = { payment_intent: payment, limit: 100 }
  const found = await client.find((stripe) =>
    Promise.all([
      stripe.charges.list(of),
      stripe.disputes.list(of),
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
    amount_cents: sumOf(paid, ({ amount_captured }) => amount_captured),
    refunded_cents: sumOf(paid, ({ amount_refunded }) => amount_refunded),
    disputed_cents: sumOf(
      disputes.data.filter(({ status }) => !SETTLED_FOR_US.has(status)),
      ({ amount }) => amount,
    ),
    paid_at: toMilliseconds(first.created),
    session: session && mapSession(session),
    invoice: session === undefined ? await invoicePaidBy(client, facts, payment) : undefined,
  }
}

/** Disputes whose money is not withheld, or was returned as a refund. */
const SETTLED_FOR_US: ReadonlySet<string> = new Set([
  'won',
  'prevented',
  // Inquiries: no money has moved.
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
])

function sumOf<Thing>(things: readonly Thing[], cents: (thing: Thing) => number): number {
  return things.reduce((sum, thing) => sum + cents(thing), 0)
}

async function invoicePaidBy(
  client: StripeApi,
  facts: StripeMapper,
  payment_intent: string,
): Promise<StripeInvoice | undefined> {
  const payment = { type: 'payment_intent', payment_intent }
  const found = await client.find((stripe) => stripe.invoicePayments.list({ payment, limit: 1 }))
  const ref = stripeId(found?.data[0]?.invoice)
  return ref === null ? undefined : findInvoice(client, facts, ref)
}

export async function findInvoice(
  client: StripeApi,
  facts: StripeMapper,
  ref: string,
): Promise<StripeInvoice | undefined> {
  const found = await client.find((stripe) => stripe.invoices.retrieve(ref))
  return found && facts.invoice(found)
}
