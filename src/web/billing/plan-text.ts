import type { PlanOffer, Usage } from '#client/endpoints.ts'
import { count, dayText } from '../format.ts'

/** What people read of plans and subscriptions. */
export function planName(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}

/** What a plan brings, line by line; what it does not bring is told, too, so that plans line up. */
export function planFeatures(plan: PlanOffer): { text: string; isKept: boolean }[] {
  const has = (feature: string) => plan.features.includes(feature)
  return [
    { text: `${count(plan.daily_requests)} requests a day`, isKept: true },
    historyPromise(plan),
    {
      text: `Resolves ${count(plan.resolve_items ?? 0)} cards at once`,
      isKept: plan.resolve_items !== null,
      without: 'Bulk resolve',
    },
    { text: 'Prices of whole sets', isKept: has('set_prices') },
    { text: 'Bulk prices and cards', isKept: has('bulk_prices') },
    { text: 'Exports', isKept: has('set_export') },
    { text: 'Price alerts', isKept: has('alerts') },
    { text: 'Commercial use', isKept: plan.commercial_use },
  ].map(({ text, isKept, without = text }) => ({ text: isKept ? text : without, isKept }))
}

function historyPromise({ history_days: days }: PlanOffer) {
  const text = days === null ? 'All price history' : `${count(days)} days of price history`
  return { text, isKept: days !== 0, without: 'Price history' }
}

export type PlanSubscription = Usage['subscription']

const STATUS: Readonly<
  Record<string, readonly [tone: 'good' | 'wait' | 'bad' | '', text: string]>
> = {
  active: ['good', 'Active'],
  trialing: ['good', 'Trial'],
  past_due: ['wait', 'Payment missing'],
  unpaid: ['bad', 'Not paid'],
  paused: ['wait', 'Paused'],
  incomplete: ['wait', 'Waiting for payment'],
  incomplete_expired: ['', 'Was not paid'],
  canceled: ['', 'Over'],
}

/** How a subscription stands, in a word; undefined: there is none. */
export function subscriptionTag({ status }: PlanSubscription) {
  return status === 'none' ? undefined : (STATUS[status] ?? (['', status] as const))
}

/** What becomes of a subscription, in sentences. */
export function subscriptionText(planSubscription: PlanSubscription): string {
  const { status, current_period_end: end, cancel_at_period_end, next_plan } = planSubscription
  const day = end === null ? undefined : dayText(end)
  if (status === 'none') return 'You pay for no plan.'
  if (status === 'past_due' || status === 'unpaid') {
    const since = day === undefined ? '' : ` It was paid until ${day}.`
    return `A payment is missing.${since} Pay it to keep the plan; for a week it stays as it is.`
  }
  if (status === 'canceled' || status === 'incomplete_expired') {
    return day === undefined ? 'It is over.' : `It ended on ${day}.`
  }
  if (day === undefined) return 'Whoever runs this service gave it to you.'
  if (cancel_at_period_end) return `It ends on ${day}, and is not paid again.`
  if (next_plan !== null) return `Until ${day}. From then on you have ${planName(next_plan)}.`
  return `Until ${day}.`
}
