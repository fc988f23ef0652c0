import type { ChargeSeen, InvoiceSeen } from './stripe.ts'
import type { StripeClient } from './stripe-client.ts'
import { idOf, msOf, type StripeFacts, sessionSeen } from './stripe-mapping.ts'

/** What became of a payment, and what it paid. */
export async function findCharge(
  client: StripeClient,
  facts: StripeFacts,
  payment: string,
): Promise<ChargeSeen | undefined> {
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
    customer: idOf(first.customer),
    amount_cents: sumOf(paid, ({ amount_captured }) => amount_captured),
    refunded_cents: sumOf(paid, ({ amount_refunded }) => amount_refunded),
    disputed_cents: sumOf(
      disputes.data.filter(({ status }) => !SETTLED_FOR_US.has(status)),
      ({ amount }) => amount,
    ),
    paid_at: msOf(first.created),
    session: session && sessionSeen(session),
    invoice: session === undefined ? await invoicePaidBy(client, facts, payment) : undefined,
  }
}

/** Disputes after which the money is ours, or was given back as a refund. */
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
  client: StripeClient,
  facts: StripeFacts,
  payment_intent: string,
): Promise<InvoiceSeen | undefined> {
  const payment = { type: 'payment_intent', payment_intent }
  const found = await client.find((stripe) => stripe.invoicePayments.list({ payment, limit: 1 }))
  const ref = idOf(found?.data[0]?.invoice)
  return ref === null ? undefined : findInvoice(client, facts, ref)
}

export async function findInvoice(
  client: StripeClient,
  facts: StripeFacts,
  ref: string,
): Promise<InvoiceSeen | undefined> {
  const found = await client.find((stripe) => stripe.invoices.retrieve(ref))
  return found && facts.invoice(found)
}
