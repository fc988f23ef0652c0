import type { PlanOffer, Usage } from '#client/endpoints.ts'
import { count, dayText, moneyText } from '../format.ts'

export function planName(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}

/** Lists the features of a plan. Missing ones are listed too, so that plans line up. */
export function planFeatures(plan: PlanOffer): { text: string; isKept: boolean }[] {
  const has = (feature: string) => plan.features.includes(feature)
  return [
    { text: `${count(plan.daily_requests)} requests per day`, isKept: true },
    historyPromise(plan),
    {
      text: `Bulk resolve, up to ${count(plan.resolve_items ?? 0)} cards`,
      isKept: plan.resolve_items !== null,
      without: 'Bulk resolve',
    },
    { text: 'Prices of entire sets', isKept: has('set_prices') },
    { text: 'Bulk prices and cards', isKept: has('bulk_prices') },
    { text: 'Exports', isKept: has('set_export') },
    { text: 'Price alerts', isKept: has('alerts') },
    { text: 'Commercial use', isKept: plan.commercial_use },
  ].map(({ text, isKept, without = text }) => ({ text: isKept ? text : without, isKept }))
}

function historyPromise({ history_days: days }: PlanOffer) {
  const text = days === null ? 'Full price history' : `${count(days)} days of price history`
  return { text, isKept: days !== 0, without: 'Price history' }
}

export function usdOfCents(cents: number): string {
  return moneyText(cents / 100)
}

export type PlanSubscription = Usage['subscription']

const STATUS: Readonly<
  Record<string, readonly [tone: 'good' | 'wait' | 'bad' | '', text: string]>
> = {
  active: ['good', 'Active'],
  trialing: ['good', 'Trial'],
  past_due: ['wait', 'Payment overdue'],
  unpaid: ['bad', 'Unpaid'],
  paused: ['wait', 'Paused'],
  incomplete: ['wait', 'Waiting for payment'],
  incomplete_expired: ['', 'Not paid'],
  canceled: ['', 'Canceled'],
}

/** Returns the status tag of a subscription; undefined without a subscription. */
export function subscriptionTag({ status }: PlanSubscription) {
  return status === 'none' ? undefined : (STATUS[status] ?? (['', status] as const))
}

/** Describes when a subscription renews, changes or ends. */
export function subscriptionText(planSubscription: PlanSubscription): string {
  const { status, current_period_end: end, cancel_at_period_end, next_plan } = planSubscription
  const day = end === null ? undefined : dayText(end)
  if (status === 'none') return 'You have no paid plan.'
  if (status === 'past_due' || status === 'unpaid') {
    const since = day === undefined ? '' : ` Your plan was paid until ${day}.`
    return `Your payment is overdue.${since} Pay within a week to keep the plan.`
  }
  if (status === 'canceled' || status === 'incomplete_expired') {
    return day === undefined ? 'Your plan has ended.' : `Your plan ended on ${day}.`
  }
  if (day === undefined) return 'Assigned by the operator.'
  if (cancel_at_period_end) return `Ends on ${day}. It will not renew.`
  if (next_plan !== null) return `Until ${day}. Then your plan changes to ${planName(next_plan)}.`
  return `Until ${day}.`
}
