import { MS_PER_DAY } from '../primitives/days.ts'
import type { SubscriptionFacts } from './billing.ts'
import { type Plan, PRICE_CENTS } from './plans.ts'
import { computeStanding, keepAnchor, monthAfter, monthBefore } from './subscriptions.ts'

/** Applies one manually paid month to the account's current or former subscription. */
export function extendManualSubscription(
  known: SubscriptionFacts | undefined,
  bought: { ref: string; account_id: number; plan: Plan },
  now: number,
): SubscriptionFacts {
  const { account_id, plan } = bought
  const fresh = { ...NEW, ref: known?.ref ?? bought.ref, account_id, plan }
  const standing = known && computeStanding(known, null, now)
  const today = new Date(now).getUTCDate()
  const fromToday = { period_end: monthAfter(now), anchor_day: today }
  if (standing === undefined || standing.tier === 'free') return { ...fresh, ...fromToday }
  const end = standing.period_end ?? now
  const { next_plan } = standing
  const anchor_day = known?.anchor_day ?? null
  const next = monthAfter(end, anchor_day)
  // Days of the grace period were used, so the new month starts where the old one ended.
  if (plan === standing.plan) return { ...fresh, period_end: next, anchor_day, next_plan }
  const month = next - end
  if (PRICE_CENTS[plan] < PRICE_CENTS[standing.plan] && end > now) {
    const running = { ...fresh, plan: standing.plan }
    if (next_plan === null) return { ...running, period_end: end, anchor_day, next_plan: plan }
    // At most one plan can wait. A further month is credited as time on the current plan.
    const period_end = end + creditMs(plan, standing.plan, month)
    return { ...running, period_end, anchor_day: keepAnchor(period_end, anchor_day), next_plan }
  }
  const left = creditMs(standing.plan, plan, end - now)
  const waiting = next_plan === null ? 0 : creditMs(next_plan, plan, month)
  const period_end = fromToday.period_end + left + waiting
  return { ...fresh, period_end, anchor_day: keepAnchor(period_end, today) }
}

/**
 * Removes one refunded month from a subscription. The oldest payment is used first: a used month removes nothing, and
 * an unused one removes only its own time.
 *
 * @param refunded plan of the refunded month
 * @param paid other, unrefunded payments: the plans paid later, oldest first, and whether an earlier payment may have
 * time left
 */
export function refundManualMonth(
  known: SubscriptionFacts,
  refunded: Plan,
  { later, hasEarlier }: { later: readonly Plan[]; hasEarlier: boolean },
  now: number,
): SubscriptionFacts {
  const { tier, plan, period_end, next_plan } = computeStanding(known, null, now)
  if (tier === 'free' || period_end === null) return known
  // A plan that waits for the end of the period was paid last.
  const waits = next_plan !== null
  if (waits && later.length === 0) return { ...known, next_plan: null }
  const { anchor_day } = known
  const month = period_end - monthBefore(period_end, anchor_day)
  const kept = (waits ? later.slice(0, -1) : later)
    .map((one) => creditMs(one, plan, month))
    .reduce((sum, ms) => sum + ms, 0)
  const own = Math.max(0, period_end - now - kept)
  const end = period_end - Math.min(creditMs(refunded, plan, month), own)
  const left = {
    ...known,
    plan,
    next_plan,
    period_end: end,
    anchor_day: keepAnchor(end, anchor_day),
  }
  if (end - now > (hasEarlier ? 0 : MONTHS_DIFFER_MS) || kept > 0) return left
  if (!waits) return { ...left, status: 'canceled', period_end: Math.min(end, now) }
  const fromToday = { period_end: monthAfter(now), anchor_day: new Date(now).getUTCDate() }
  return { ...left, plan: next_plan, next_plan: null, ...fromToday }
}

const NEW = {
  provider: 'manual',
  status: 'active',
  cancels: false,
  next_plan: null,
  past_due_at: null,
} as const

/** Difference between the longest and the shortest month. A smaller remainder does not count as paid time. */
const MONTHS_DIFFER_MS = 3 * MS_PER_DAY

/** Converts the remaining time of one plan into time of equal value on another plan. */
function creditMs(from: Plan, to: Plan, leftMs: number): number {
  return Math.max(0, Math.round((leftMs * PRICE_CENTS[from]) / PRICE_CENTS[to]))
}
