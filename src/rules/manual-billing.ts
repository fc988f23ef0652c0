import type { SubscriptionFacts } from './billing.ts'
import { type Plan, PRICE_CENTS } from './plans.ts'
import { monthAfter, standingOf } from './subscriptions.ts'

/** What a month of a plan, paid by hand, makes of the subscription that an account has, or had. */
export function manualChange(
  known: SubscriptionFacts | undefined,
  bought: { ref: string; account_id: number; plan: Plan },
  now: number,
): SubscriptionFacts {
  const { account_id, plan } = bought
  const fresh = { ...NEW, ref: known?.ref ?? bought.ref, account_id, plan }
  const standing = known && standingOf(known, false, now)
  if (known === undefined || standing === undefined || standing.tier === 'free') {
    return { ...fresh, period_end: monthAfter(now) }
  }
  const end = standing.period_end ?? now
  // Also within the time of grace: that was used, so the new month begins where the old one ended.
  if (plan === standing.plan) return { ...fresh, period_end: monthAfter(end) }
  if (PRICE_CENTS[plan] < PRICE_CENTS[standing.plan] && end > now) {
    return { ...known, next_plan: plan }
  }
  return { ...fresh, period_end: monthAfter(now) + creditMs(standing.plan, plan, end - now) }
}

const NEW = {
  provider: 'manual',
  status: 'active',
  cancels: false,
  next_plan: null,
  past_due_at: null,
} as const

/** What is left of a dearer or cheaper plan, as time of another one of the same worth. */
function creditMs(from: Plan, to: Plan, leftMs: number): number {
  return Math.max(0, Math.round((leftMs * PRICE_CENTS[from]) / PRICE_CENTS[to]))
}
