import type { Deps } from '#deps.ts'
import { stripeErrorDetails } from '#outbound/stripe/stripe-api.ts'
import type { StripeClient } from '#outbound/stripe/stripe-client.ts'
import type { StripeEvent } from '#outbound/stripe/stripe-objects.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { handleStripeEvent, inspect } from './handle-stripe-event.ts'

type ReconcileDeps = Pick<Deps, 'ledger' | 'log' | 'now' | 'stripe'>

/** How many of each kind a look found. */
export type ReconcileReport = { events: number; checkouts: number; subscriptions: number }

/**
 * Asks Stripe for what its events may not have told: those that it could not deliver, checkouts that
 * are still open here, and every subscription once a day.
 *
 * @throws ServiceError BILLING_UNAVAILABLE
 */
export async function reconcileBilling(deps: ReconcileDeps): Promise<ReconcileReport | undefined> {
  const { stripe, ledger, now } = deps
  if (stripe === undefined) return undefined
  const events = await stripe.listUndeliveredEvents()
  await each(deps, events, (event) => handleStripeEvent(deps, stripe, event))

  const time = now().getTime()
  const opened = new Date(time - SETTLED_MS)
  const checkouts = await ledger.checkouts.listOpen(opened, BATCH, { provider: 'stripe' })
  await each(deps, checkouts, async (checkout) => {
    const { session, created_at } = checkout
    if (session !== null) await look(deps, stripe, { kind: 'session', ref: session })
    // Without a session nobody was ever told where to pay.
    const endsAt = created_at + (session === null ? MS_PER_DAY : PAYABLE_MS)
    if (endsAt < time) await ledger.checkouts.markEnded(checkout, now())
  })

  const since = new Date(time - MS_PER_DAY)
  const subscriptions = await ledger.subscriptions.listUnchecked('stripe', since, BATCH)
  await each(deps, subscriptions, (ref) => look(deps, stripe, { kind: 'subscription', ref }))
  return {
    events: events.length,
    checkouts: checkouts.length,
    subscriptions: subscriptions.length,
  }
}

/** One thing that Stripe cannot tell of does not keep the others from it; many are Stripe itself. */
async function each<Thing>(
  { log }: Pick<Deps, 'log'>,
  things: readonly Thing[],
  deed: (thing: Thing) => Promise<unknown>,
): Promise<void> {
  let failures = 0
  for (const thing of things) {
    try {
      await deed(thing)
    } catch (error) {
      if (!OF_ITS_OWN.has(stripeErrorDetails(error).type ?? '') && ++failures === FAILURES_MAX)
        throw error
      log.error('billing not reconciled', { thing, error })
    }
  }
}

async function look(
  { ledger, log, now }: Pick<Deps, 'ledger' | 'log' | 'now'>,
  stripe: StripeClient,
  about: StripeEvent['about'],
): Promise<void> {
  const { effects, outcome, detail } = await inspect({ ledger, now }, stripe, about)
  if (outcome !== 'applied') log.warn('billing not reconciled', { ...about, outcome, detail })
  else await ledger.billing.applyEffects(effects, now())
}

/** Makes tiers follow the time, where no provider tells of it. */
export async function settleSubscriptions({
  ledger,
  log,
  now,
}: Pick<Deps, 'ledger' | 'log' | 'now'>): Promise<void> {
  const subscriptions = await ledger.subscriptions.settleDue(now())
  if (subscriptions > 0) log.info('subscriptions settled', { subscriptions })
}

/** By then the event of a checkout that was paid has come, if it comes at all. */
const SETTLED_MS = 10 * 60_000

/** A bank transfer that has not come by then does not come, nor does what Stripe does not know. */
const PAYABLE_MS = 30 * MS_PER_DAY

/** Stripe is well, and will not tell of this one. */
const OF_ITS_OWN: ReadonlySet<string> = new Set([
  'StripeInvalidRequestError',
  'StripePermissionError',
])

const FAILURES_MAX = 3

/** Of each kind in one look; the rest is looked at an hour later. */
const BATCH = 500
