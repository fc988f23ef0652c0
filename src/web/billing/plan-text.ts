import type { PlanOffer, Usage } from '#client/endpoints.ts'
import * as texts from '#texts/billing/plan.ts'
import { count, dayText, moneyText } from '../format.ts'

export function planName(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}

/** Lists the features of a plan. Missing ones are listed too, so that plans line up. */
export function planFeatures(plan: PlanOffer): { text: string; isKept: boolean }[] {
  const has = (feature: string) => plan.features.includes(feature)
  return [
    { text: texts.requestsPerDay(count(plan.daily_requests)), isKept: true },
    historyPromise(plan),
    {
      text: texts.bulkResolveUpTo(count(plan.resolve_items ?? 0)),
      isKept: plan.resolve_items !== null,
      without: texts.bulkResolve,
    },
    { text: texts.pricesOfEntireSets, isKept: has('set_prices') },
    { text: texts.bulkPricesAndCards, isKept: has('bulk_prices') },
    { text: texts.exports, isKept: has('set_export') },
    { text: texts.priceAlerts, isKept: has('alerts') },
    { text: texts.commercialUse, isKept: plan.commercial_use },
  ].map(({ text, isKept, without = text }) => ({ text: isKept ? text : without, isKept }))
}

function historyPromise({ history_days: days }: PlanOffer) {
  const text = days === null ? texts.fullPriceHistory : texts.daysOfPriceHistory(count(days))
  return { text, isKept: days !== 0, without: texts.priceHistory }
}

export function usdOfCents(cents: number): string {
  return moneyText(cents / 100)
}

export type PlanSubscription = Usage['subscription']

const STATUS: Readonly<
  Record<string, readonly [tone: 'good' | 'wait' | 'bad' | '', text: string]>
> = {
  active: ['good', texts.active],
  trialing: ['good', texts.trial],
  past_due: ['wait', texts.paymentOverdue],
  unpaid: ['bad', texts.unpaid],
  paused: ['wait', texts.paused],
  incomplete: ['wait', texts.waitingForPayment],
  incomplete_expired: ['', texts.notPaid],
  canceled: ['', texts.canceled],
}

/** Returns the status tag of a subscription; undefined without a subscription. */
export function subscriptionTag({ status }: PlanSubscription) {
  return status === 'none' ? undefined : (STATUS[status] ?? (['', status] as const))
}

/** Describes when a subscription renews, changes or ends. */
export function subscriptionText(planSubscription: PlanSubscription): string {
  const { status, current_period_end: end, cancel_at_period_end, next_plan } = planSubscription
  const day = end === null ? undefined : dayText(end)
  if (status === 'none') return texts.youHaveNoPaidPlan
  if (status === 'past_due' || status === 'unpaid') {
    return day === undefined ? texts.overdue : texts.overdueSince(day)
  }
  if (status === 'canceled' || status === 'incomplete_expired') {
    return day === undefined ? texts.planHasEnded : texts.planEndedOn(day)
  }
  if (day === undefined) return texts.assignedByTheOperator
  if (cancel_at_period_end) return texts.endsOn(day)
  if (next_plan !== null) return texts.untilThen({ day, planName: planName(next_plan) })
  return texts.until(day)
}
