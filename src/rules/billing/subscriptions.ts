import type { Tier } from '../accounts/tiers.ts'
import { MS_PER_DAY } from '../primitives/days.ts'
import type { SubscriptionFacts, SubscriptionStatus } from './billing.ts'

/** Time for which a tier remains while a payment is missing (docs/reference/choices.md, row 55). */
export const GRACE_MS = 7 * MS_PER_DAY

/** The tier granted by a subscription, and the time at which it changes by itself. */
export type SubscriptionStanding = Pick<
  SubscriptionFacts,
  'plan' | 'status' | 'period_end' | 'next_plan'
> & {
  tier: Tier
  /** Null if only the provider changes it. */
  changes_at: number | null
}

type Known = Pick<
  SubscriptionFacts,
  'provider' | 'plan' | 'status' | 'period_end' | 'next_plan' | 'past_due_at' | 'anchor_day'
>

/**
 * Computes the standing of a subscription at a given time.
 *
 * @param disputedAt time of the latest payment with an open or lost dispute, or null. A disputed payment invalidates
 * its period, and a later payment starts a new one
 */
export function computeStanding(
  known: Known,
  disputedAt: number | null,
  now: number,
): SubscriptionStanding {
  const standing =
    known.provider === 'manual' ? manualStanding(known, now) : stripeStanding(known, now)
  const isDisputed = disputedAt !== null && disputedAt >= (known.period_end ?? 0) - PERIOD_MS_MAX
  return isDisputed ? { ...standing, tier: 'free', changes_at: null } : standing
}

/** The longest month, plus a day for Stripe to collect the payment. */
const PERIOD_MS_MAX = 32 * MS_PER_DAY

/** Returns true if the subscription may still charge the customer, which prevents a second one. */
export function isSubscriptionOngoing({ status }: Pick<SubscriptionStanding, 'status'>): boolean {
  return LIVE.has(status)
}

const LIVE: ReadonlySet<SubscriptionStatus> = new Set([
  // A bank transfer may still be pending.
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
])

/** Stripe reports the status; only the grace period is added here. */
function stripeStanding(known: Known, now: number): SubscriptionStanding {
  const { plan, status, period_end, next_plan, past_due_at } = known
  const base = { plan, status, period_end, next_plan, changes_at: null }
  if (status === 'trialing' || status === 'active') return { ...base, tier: plan }
  if (status !== 'past_due') return { ...base, tier: 'free' }
  const graceEnd = (past_due_at ?? now) + GRACE_MS
  if (now >= graceEnd) return { ...base, tier: 'free' }
  return { ...base, tier: plan, changes_at: graceEnd }
}

/** A manual subscription lasts for the paid time and the grace period. It never renews itself. */
function manualStanding(known: Known, now: number): SubscriptionStanding {
  const { plan, status, next_plan } = known
  const end = known.period_end ?? 0
  const base = { plan, period_end: known.period_end, next_plan: null }
  if (status !== 'active') return { ...base, tier: 'free', status, changes_at: null }
  if (now < end) return { ...base, tier: plan, status, next_plan, changes_at: end }
  if (next_plan !== null) {
    const period_end = monthAfter(end, known.anchor_day)
    return manualStanding({ ...known, plan: next_plan, next_plan: null, period_end }, now)
  }
  const graceEnd = end + GRACE_MS
  if (now < graceEnd) return { ...base, tier: plan, status: 'past_due', changes_at: graceEnd }
  return { ...base, tier: 'free', status: 'canceled', changes_at: null }
}

/**
 * Returns the anchor day of the next month, or the last day of a shorter month.
 *
 * @param anchorDay by default the day of `time`
 */
export function monthAfter(time: number, anchorDay: number | null = null): number {
  return inMonth(time, 1, anchorDay ?? new Date(time).getUTCDate())
}

/** Returns the time for which `monthAfter` returns this time; without an anchor, the latest such time. */
export function monthBefore(time: number, anchorDay: number | null = null): number {
  const day = new Date(time).getUTCDate()
  return inMonth(time, -1, anchorDay ?? (day === daysOfMonth(new Date(time)) ? 31 : day))
}

/** Returns the anchor day, or null if it does not match a period that ends at this time. */
export function keepAnchor(periodEnd: number, anchorDay: number | null): number | null {
  return anchorDay !== null && inMonth(periodEnd, 0, anchorDay) === periodEnd ? anchorDay : null
}

function inMonth(time: number, months: number, day: number): number {
  const date = new Date(time)
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(day, daysOfMonth(date)))
  return date.getTime()
}

function daysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}
