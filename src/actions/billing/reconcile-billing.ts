import type { Deps } from '#deps.ts'
import { stripeErrorDetails } from '#outbound/stripe/stripe-api.ts'
import type { StripeClient } from '#outbound/stripe/stripe-client.ts'
import type { StripeEvent } from '#outbound/stripe/stripe-objects.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { handleStripeEvent, inspect } from './handle-stripe-event.ts'

type ReconcileDeps = Pick<Deps, 'ledger' | 'log' | 'now' | 'stripe'>

/** Number of checked objects. */
export type ReconcileReport = { events: number; checkouts: number; subscriptions: number }

/**
 * Fetches from Stripe what its events may have missed: undelivered events, open checkouts, and each
 * subscription once a day.
 *
 * @throws ServiceError BILLING_UNAVAILABLE
 */
export async function reconcileBilling(deps: ReconcileDeps): Promise<ReconcileReport | undefined> {
  const { stripe, ledger, now } = deps
  if (stripe === undefined) return undefined
  const events = await stripe.listUndeliveredEvents()
  await forEach(deps, events, (event) => handleStripeEvent(deps, stripe, event))

  const time = now().getTime()
  const opened = new Date(time - EVENT_DELAY_MS)
  const checkouts = await ledger.checkouts.listOpen(opened, BATCH_OBJECTS, { provider: 'stripe' })
  await forEach(deps, checkouts, async (checkout) => {
    const { session, created_at } = checkout
    if (session !== null) await reconcileObject(deps, stripe, { kind: 'session', ref: session })
    // Without a session, the payment page was never opened.
    const endsAt = created_at + (session === null ? MS_PER_DAY : UNPAID_MS_MAX)
    if (endsAt < time) await ledger.checkouts.markEnded(checkout, now())
  })

  const since = new Date(time - MS_PER_DAY)
  const subscriptions = await ledger.subscriptions.listUnchecked('stripe', since, BATCH_OBJECTS)
  await forEach(deps, subscriptions, (ref) =>
    reconcileObject(deps, stripe, { kind: 'subscription', ref }),
  )
  return { events: events.length, checkouts: checkouts.length, subscriptions: subscriptions.length }
}

/** An error with one object does not stop the others; several errors mean that Stripe is down. */
async function forEach<T>(
  { log }: Pick<Deps, 'log'>,
  items: readonly T[],
  reconcile: (item: T) => Promise<unknown>,
): Promise<void> {
  let failures = 0
  for (const item of items) {
    try {
      await reconcile(item)
    } catch (error) {
      if (
        !OBJECT_ERRORS.includes(stripeErrorDetails(error).type ?? '') &&
        ++failures === FAILURES_MAX
      )
        throw error
      log.error('failed to reconcile billing', { item, error })
    }
  }
}

async function reconcileObject(
  { ledger, log, now }: Pick<Deps, 'ledger' | 'log' | 'now'>,
  stripe: StripeClient,
  about: StripeEvent['about'],
): Promise<void> {
  const { effects, outcome, detail } = await inspect({ ledger, now }, stripe, about)
  if (outcome !== 'applied') log.warn('failed to reconcile billing', { ...about, outcome, detail })
  else await ledger.billing.applyEffects(effects, now())
}

/** Applies changes that become due without an event. */
export async function settleSubscriptions({
  ledger,
  log,
  now,
}: Pick<Deps, 'ledger' | 'log' | 'now'>): Promise<void> {
  const subscriptions = await ledger.subscriptions.settleDue(now())
  if (subscriptions > 0) log.info('subscriptions settled', { subscriptions })
}

/** Time after which the event of a payment has arrived, if it ever will. */
const EVENT_DELAY_MS = 10 * 60_000

/** Time after which a bank transfer will no longer arrive, nor a session that Stripe has lost. */
const UNPAID_MS_MAX = 30 * MS_PER_DAY

/** Errors that affect only one object. */
const OBJECT_ERRORS = ['StripeInvalidRequestError', 'StripePermissionError']

const FAILURES_MAX = 3

/** Objects of each kind per run; the next run continues an hour later. */
const BATCH_OBJECTS = 500
