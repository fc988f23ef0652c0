import { MS_PER_DAY } from '../primitives/days.ts'
import type { SubscriptionFacts } from './billing.ts'
import { type Plan, PRICE_CENTS } from './plans.ts'
import { computeStanding, monthAfter, monthBefore } from './subscriptions.ts'

/** What a month of a plan, paid by hand, makes of the subscription that an account has, or had. */
export function extendManualSubscription(
  known: SubscriptionFacts | undefined,
  bought: { ref: string; account_id: number; plan: Plan },
  now: number,
): SubscriptionFacts {
  const { account_id, plan } = bought
  const fresh = { ...NEW, ref: known?.ref ?? bought.ref, account_id, plan }
  const standing = known && computeStanding(known, null, now)
  if (standing === undefined || standing.tier === 'free') {
    return { ...fresh, period_end: monthAfter(now) }
  }
  const end = standing.period_end ?? now
  const { next_plan } = standing
  // Also within the time of grace: that was used, so the new month begins where the old one ended.
  if (plan === standing.plan) return { ...fresh, period_end: monthAfter(end), next_plan }
  const month = monthAfter(end) - end
  if (PRICE_CENTS[plan] < PRICE_CENTS[standing.plan] && end > now) {
    const running = { ...fresh, plan: standing.plan }
    if (next_plan === null) return { ...running, period_end: end, next_plan: plan }
    // One plan waits at the most: another month counts as time of the plan that runs.
    return { ...running, period_end: end + creditMs(plan, standing.plan, month), next_plan }
  }
  const left = creditMs(standing.plan, plan, end - now)
  const waiting = next_plan === null ? 0 : creditMs(next_plan, plan, month)
  return { ...fresh, period_end: monthAfter(now) + left + waiting }
}

/**
 * What is left of a subscription when the money of one month went back. What was paid first is used
 * first, so a month that is used up takes nothing with it, and one that is not takes its own time alone.
 *
 * @param refunded the plan whose month went back
 * @param paid what else is paid and was not refunded: the plans that were paid after it, oldest first, and
 *   whether one was paid before it, of which what is left may be
 */
export function refundManualMonth(
  known: SubscriptionFacts,
  refunded: Plan,
  { later, hasEarlier }: { later: readonly Plan[]; hasEarlier: boolean },
  now: number,
): SubscriptionFacts {
  const { tier, plan, period_end, next_plan } = computeStanding(known, null, now)
  if (tier === 'free' || period_end === null) return known
  // Whatever waits for the end of the period was paid last.
  const waits = next_plan !== null
  if (waits && later.length === 0) return { ...known, next_plan: null }
  const month = period_end - monthBefore(period_end)
  const kept = (waits ? later.slice(0, -1) : later)
    .map((one) => creditMs(one, plan, month))
    .reduce((sum, ms) => sum + ms, 0)
  const own = Math.max(0, period_end - now - kept)
  const end = period_end - Math.min(creditMs(refunded, plan, month), own)
  const left = { ...known, plan, next_plan }
  if (end - now > (hasEarlier ? 0 : MONTHS_DIFFER_MS) || kept > 0)
    return { ...left, period_end: end }
  if (!waits) return { ...left, status: 'canceled', period_end: Math.min(end, now) }
  return { ...left, plan: next_plan, next_plan: null, period_end: monthAfter(now) }
}

const NEW = {
  provider: 'manual',
  status: 'active',
  cancels: false,
  next_plan: null,
  past_due_at: null,
} as const

/** So much longer is the longest month than the shortest: less than that is no time that was paid. */
const MONTHS_DIFFER_MS = 3 * MS_PER_DAY

/** What is left of a dearer or cheaper plan, as time of another one of the same worth. */
function creditMs(from: Plan, to: Plan, leftMs: number): number {
  return Math.max(0, Math.round((leftMs * PRICE_CENTS[from]) / PRICE_CENTS[to]))
}
