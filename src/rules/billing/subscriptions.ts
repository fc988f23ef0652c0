import type { Tier } from '../accounts/tiers.ts'
import { MS_PER_DAY } from '../primitives/days.ts'
import type { SubscriptionFacts, SubscriptionStatus } from './billing.ts'
import type { Plan } from './plans.ts'

/** How long a tier stays while a payment is missing (docs/reference/choices.md, row 55). */
export const GRACE_MS = 7 * MS_PER_DAY

/** What an account may for a subscription, and when time alone changes that. */
export type SubscriptionStanding = {
  tier: Tier
  plan: Plan
  status: SubscriptionStatus
  period_end: number | null
  /** The plan that still waits for the period's end; null: it goes on as it is. */
  next_plan: Plan | null
  /** Null: only its provider changes it. */
  changes_at: number | null
}

type Known = Pick<
  SubscriptionFacts,
  'provider' | 'plan' | 'status' | 'period_end' | 'next_plan' | 'past_due_at'
>

/**
 * Where a subscription stands at a moment.
 *
 * @param disputedAt when the last payment for it was made that is in a dispute, open or lost; null: none
 *   is. Nobody keeps a period whose money the bank took back; the next one is paid anew
 */
export function computeStanding(
  known: Known,
  disputedAt: number | null,
  now: number,
): SubscriptionStanding {
  const subscriptionStanding =
    known.provider === 'manual' ? manualStanding(known, now) : stripeStanding(known, now)
  const isDisputed = disputedAt !== null && disputedAt >= (known.period_end ?? 0) - PERIOD_MS_MAX
  return isDisputed
    ? { ...subscriptionStanding, tier: 'free', changes_at: null }
    : subscriptionStanding
}

/** The longest month, and a day in which Stripe asks for its money. The period before is longer ago. */
const PERIOD_MS_MAX = 32 * MS_PER_DAY

/** Whether it is one beside which nobody should pay another one. */
export function isSubscriptionOngoing({ status }: Pick<SubscriptionStanding, 'status'>): boolean {
  return LIVE.has(status)
}

const LIVE: ReadonlySet<SubscriptionStatus> = new Set([
  // A bank transfer may still be on its way.
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
])

/** Stripe says how its subscriptions stand; only the time of grace is ours. */
function stripeStanding(known: Known, now: number): SubscriptionStanding {
  const { plan, status, period_end, next_plan, past_due_at } = known
  const base = { plan, status, period_end, next_plan, changes_at: null }
  if (status === 'trialing' || status === 'active') return { ...base, tier: plan }
  if (status !== 'past_due') return { ...base, tier: 'free' }
  const graceEnd = (past_due_at ?? now) + GRACE_MS
  if (now >= graceEnd) return { ...base, tier: 'free' }
  return { ...base, tier: plan, changes_at: graceEnd }
}

/** What is paid by hand lasts for what was paid, and the time of grace; it renews itself never. */
function manualStanding(known: Known, now: number): SubscriptionStanding {
  const { plan, status, next_plan } = known
  const end = known.period_end ?? 0
  const base = { plan, period_end: known.period_end, next_plan: null }
  if (status !== 'active') return { ...base, tier: 'free', status, changes_at: null }
  if (now < end) return { ...base, tier: plan, status, next_plan, changes_at: end }
  if (next_plan !== null) {
    return manualStanding(
      { ...known, plan: next_plan, next_plan: null, period_end: monthAfter(end) },
      now,
    )
  }
  const graceEnd = end + GRACE_MS
  if (now < graceEnd) return { ...base, tier: plan, status: 'past_due', changes_at: graceEnd }
  return { ...base, tier: 'free', status: 'canceled', changes_at: null }
}

/** The same day of the next month, or that month's last day where it has none such. */
export function monthAfter(time: number): number {
  return inMonth(time, 1, new Date(time).getUTCDate())
}

/** The last moment whose month ends at this time: `monthAfter` the other way round. */
export function monthBefore(time: number): number {
  const day = new Date(time).getUTCDate()
  return inMonth(time, -1, day === daysOfMonth(new Date(time)) ? 31 : day)
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
