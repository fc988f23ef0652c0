import type { Deps } from '#deps.ts'
import type { StripeDoor, StripeEvent } from '#outbound/stripe.ts'
import { MS_A_DAY } from '#rules/days.ts'
import { lookInto, takeStripeEvent } from './take-stripe-event.ts'

type ReconcileDeps = Pick<Deps, 'ledger' | 'log' | 'now' | 'stripe'>

/** How many of each kind a look found. */
export type Reconciled = { events: number; checkouts: number; subscriptions: number }

/**
 * Asks Stripe for what its events may not have told: those that it could not deliver, checkouts that
 * are still open here, and every subscription once a day.
 *
 * @throws ServiceError BILLING_UNAVAILABLE
 */
export async function reconcileBilling(deps: ReconcileDeps): Promise<Reconciled | undefined> {
  const { stripe, ledger, now } = deps
  if (stripe === undefined) return undefined
  const events = await stripe.undelivered()
  for (const event of events) await takeStripeEvent(deps, stripe, event)

  const time = now().getTime()
  const opened = await ledger.checkouts.open(new Date(time - SETTLED_MS), BATCH)
  const checkouts = opened.filter(({ provider }) => provider === 'stripe')
  for (const { id, session, created_at } of checkouts) {
    if (session !== null) await look(deps, stripe, { kind: 'session', ref: session })
    // Its session was never known here, so nobody was ever told where to pay.
    else if (created_at < time - MS_A_DAY) await ledger.checkouts.markEnded(id, now())
  }

  const since = new Date(time - MS_A_DAY)
  const subscriptions = await ledger.subscriptions.unchecked('stripe', since, BATCH)
  for (const ref of subscriptions) await look(deps, stripe, { kind: 'subscription', ref })
  return {
    events: events.length,
    checkouts: checkouts.length,
    subscriptions: subscriptions.length,
  }
}

async function look(
  { ledger, log, now }: Pick<Deps, 'ledger' | 'log' | 'now'>,
  stripe: StripeDoor,
  about: StripeEvent['about'],
): Promise<void> {
  const { effects, outcome, detail } = await lookInto({ ledger }, stripe, about)
  if (outcome !== 'applied') log.warn('billing not reconciled', { ...about, outcome, detail })
  else await ledger.billing.put(effects, now())
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

/** Of each kind in one look; the rest is looked at an hour later. */
const BATCH = 500
