import type { Deps } from '#deps.ts'
import {
  type BillingEffect,
  type BillingEvent,
  isCheckoutReference,
  type SubscriptionFacts,
} from '#rules/billing/billing.ts'
import { extendManualSubscription, refundManualMonth } from '#rules/billing/manual-billing.ts'
import { isPlan } from '#rules/billing/plans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Checkout } from '#store/ledger/checkouts.ts'

type ManualDeps = Pick<Deps, 'ledger' | 'now'>

/**
 * Marks a checkout of manual billing as paid, as the operator. It is recorded as an event, like those of
 * Stripe, and has an effect once.
 *
 * @param reference its id, or the start that `shortReference` shows
 * @returns the updated checkout
 * @throws ServiceError NOT_FOUND, or VALIDATION_ERROR for a checkout of Stripe
 */
export async function completeCheckout(deps: ManualDeps, reference: string): Promise<Checkout> {
  const { ledger, now } = deps
  const checkout = await getManualCheckout(deps, reference)
  const { id } = checkout
  // An ended checkout can still be paid.
  if (checkout.state === 'paid') return checkout
  const { account_id, item, amount_cents } = checkout
  const requestNumber = await ledger.billing.nextRequestNumber()
  const payment = { ref: id, account_id, provider: 'manual', item, amount_cents } as const
  let bought: BillingEffect
  if (isPlan(item)) {
    const known = await findManualSubscription(deps, account_id)
    const month = { ref: id, account_id, plan: item }
    const subscription = extendManualSubscription(known, month, now().getTime())
    bought = { kind: 'subscription', subscription, sequence: requestNumber }
  } else bought = { kind: 'purchase', purchase: { ref: id, account_id, item, amount_cents } }
  const done = await ledger.billing.record(
    createEvent('checkout.completed', checkout),
    [bought, { kind: 'payment', payment }, { kind: 'checkout', id, state: 'paid' }],
    now(),
    requestNumber,
  )
  // Another command has changed the records in the meantime: try again.
  if (done === 'outrun') return completeCheckout(deps, id)
  return (await ledger.checkouts.getById(id)) ?? checkout
}

/**
 * Marks a checkout as refunded, as the operator: removes the scans of a pack, or the rest of a plan's
 * month.
 *
 * @param reference its id, or the start of it
 * @throws ServiceError NOT_FOUND, or VALIDATION_ERROR for a checkout that is unpaid or of Stripe
 */
export async function refundCheckout(deps: ManualDeps, reference: string): Promise<Checkout> {
  const { ledger, now } = deps
  const checkout = await getManualCheckout(deps, reference)
  const { id } = checkout
  if (checkout.state !== 'paid') {
    throw new ServiceError('VALIDATION_ERROR', `The checkout ${id} has not been paid.`)
  }
  if ((await ledger.payments.getRefundedCents(id)) > 0) return checkout
  const { account_id, item, amount_cents } = checkout
  const requestNumber = await ledger.billing.nextRequestNumber()
  const known = isPlan(item) ? await findManualSubscription(deps, account_id) : undefined
  const effects: BillingEffect[] = [
    {
      kind: 'charge',
      charge: {
        ref: id,
        account_id,
        provider: 'manual',
        item,
        amount_cents,
        purchase: isPlan(item) ? null : id,
        subscription: known?.ref ?? null,
        refunded_cents: amount_cents,
        disputed_cents: 0,
        paid_at: checkout.closed_at ?? checkout.created_at,
      },
      sequence: requestNumber,
    },
  ]
  if (known !== undefined && isPlan(item)) {
    const later = await ledger.checkouts.listPlansPaidAfter(id)
    const hasEarlier = await ledger.checkouts.hasPaidBefore(id)
    const subscription = refundManualMonth(known, item, { later, hasEarlier }, now().getTime())
    effects.unshift({ kind: 'subscription', subscription, sequence: requestNumber })
  }
  const event = createEvent('checkout.refunded', checkout)
  const done = await ledger.billing.record(event, effects, now(), requestNumber)
  return done === 'outrun' ? refundCheckout(deps, id) : checkout
}

/** The id of the event ensures that a repeated command has only one effect. */
function createEvent(type: string, { id, account_id }: Checkout): BillingEvent {
  const result = { outcome: 'applied', detail: null } as const
  return { id: `${type}:${id}`, provider: 'manual', type, account_id, ...result }
}

async function getManualCheckout({ ledger }: ManualDeps, reference: string): Promise<Checkout> {
  const checkout = await ledger.checkouts.getById(await resolveId({ ledger }, reference))
  if (checkout === undefined) {
    const remedy = '"bun run admin billing list" lists the open ones.'
    throw new ServiceError('NOT_FOUND', `No checkout has the ID ${reference}. ${remedy}`)
  }
  if (checkout.provider === 'manual') return checkout
  throw new ServiceError(
    'VALIDATION_ERROR',
    `The checkout ${reference} belongs to Stripe, which reports its payment.`,
  )
}

/** @throws ServiceError VALIDATION_ERROR if several ids start with this */
async function resolveId({ ledger }: Pick<Deps, 'ledger'>, reference: string): Promise<string> {
  if (!isCheckoutReference(reference)) return reference
  const [id, other] = await ledger.checkouts.findIdsByPrefix(reference)
  if (id === undefined) return reference
  if (other === undefined || id === reference) return id
  throw new ServiceError(
    'VALIDATION_ERROR',
    `Several checkouts start with ${reference}. Use more characters of the ID.`,
  )
}

async function findManualSubscription(
  { ledger, now }: ManualDeps,
  account_id: number,
): Promise<SubscriptionFacts | undefined> {
  const all = await ledger.subscriptions.listByAccount(account_id, now())
  const found = all.find(({ provider }) => provider === 'manual')
  if (found === undefined) return undefined
  const { standing: _, ...facts } = found
  return facts
}
