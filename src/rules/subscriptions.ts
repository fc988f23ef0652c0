import type { SubscriptionFacts, SubscriptionStatus } from './billing.ts'
import { MS_A_DAY } from './days.ts'
import type { Plan } from './plans.ts'
import type { Tier } from './tiers.ts'

/** How long a tier stays while a payment is missing (docs/choices.md, row 55). */
export const GRACE_MS = 7 * MS_A_DAY

/** What an account may for a subscription, and when time alone changes that. */
export type Standing = {
  tier: Tier
  plan: Plan
  status: SubscriptionStatus
  period_end: number | null
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
 * @param isDisputed whether a payment for it is in a dispute that is open or lost: nobody keeps what
 *   the bank took back
 */
export function standingOf(known: Known, isDisputed: boolean, now: number): Standing {
  const standing =
    known.provider === 'manual' ? manualStanding(known, now) : toldStanding(known, now)
  return isDisputed ? { ...standing, tier: 'free', changes_at: null } : standing
}

/** Whether it is one beside which nobody should pay another one. */
export function isLive({ status }: Pick<Standing, 'status'>): boolean {
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
function toldStanding({ plan, status, period_end, past_due_at }: Known, now: number): Standing {
  const base = { plan, status, period_end, changes_at: null }
  if (status === 'trialing' || status === 'active') return { ...base, tier: plan }
  if (status !== 'past_due') return { ...base, tier: 'free' }
  const graceEnd = (past_due_at ?? now) + GRACE_MS
  if (now >= graceEnd) return { ...base, tier: 'free' }
  return { ...base, tier: plan, changes_at: graceEnd }
}

/** What is paid by hand lasts for what was paid, and the time of grace; it renews itself never. */
function manualStanding(known: Known, now: number): Standing {
  const { plan, status, next_plan } = known
  const end = known.period_end ?? 0
  if (status !== 'active') {
    return { tier: 'free', plan, status, period_end: known.period_end, changes_at: null }
  }
  if (now < end) {
    return { tier: plan, plan, status: 'active', period_end: end, changes_at: end }
  }
  if (next_plan !== null) {
    return manualStanding(
      { ...known, plan: next_plan, next_plan: null, period_end: monthAfter(end) },
      now,
    )
  }
  const graceEnd = end + GRACE_MS
  if (now < graceEnd) {
    return { tier: plan, plan, status: 'past_due', period_end: end, changes_at: graceEnd }
  }
  return { tier: 'free', plan, status: 'canceled', period_end: end, changes_at: null }
}

/** The same day of the next month, or that month's last day where it has none such. */
export function monthAfter(time: number): number {
  const date = new Date(time)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + 1)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}
