import type { Deps } from '#deps.ts'
import type { Quota, Tier } from '#rules/accounts/tiers.ts'
import { isSubscriptionOngoing, type SubscriptionStanding } from '#rules/billing/subscriptions.ts'
import { USAGE_DAYS } from '#rules/operations/retention.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import type { KeyRecord } from '#store/ledger/keys.ts'
import type { KeyDayUsage } from '#store/ledger/usage.ts'

/** Requests of one UTC day, in total and by group of endpoints. */
export type UsageDay = { date: string; requests: number; groups: Record<string, number> }

export type Usage = {
  /** The last thirty days, today last, including days without requests. */
  days: UsageDay[]
  /** API keys, each with the days on which it was used. */
  keys: (KeyRecord & { days: UsageDay[] })[]
  scans: { balance: number; trial_pending: boolean }
}

/** Returns how an account's API keys were used in the last thirty days. */
export async function getUsage(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  accountId: number,
): Promise<Usage> {
  const today = dayOf(now())
  const first = today - USAGE_DAYS + 1
  const [keys, used, scans] = await Promise.all([
    ledger.keys.list({ account_id: accountId, today }),
    ledger.usage.listByAccount(accountId, first),
    ledger.accounts.getScans(accountId),
  ])
  const all = groupByDay(used)
  const days = Array.from({ length: USAGE_DAYS }, (_, index) => {
    return all.get(first + index) ?? { date: formatDate(first + index), requests: 0, groups: {} }
  })
  return {
    days,
    keys: keys.rows.map((key) => ({
      ...key,
      days: [...groupByDay(used.filter((row) => row.key_id === key.id)).values()],
    })),
    scans: { balance: scans.balance, trial_pending: scans.trial_at === null },
  }
}

export type SubscriptionSummary = {
  plan: Tier
  status: SubscriptionStanding['status'] | 'none'
  current_period_end: string | null
  cancel_at_period_end: boolean
  next_plan: SubscriptionStanding['next_plan']
}

/** Returns an account's subscription. A tier that the operator granted counts as an active plan. */
export async function getSubscription(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { account_id, tier }: { account_id: number; tier: Tier },
): Promise<SubscriptionSummary> {
  const all = await ledger.subscriptions.listByAccount(account_id, now())
  // The subscription that determines the tier; otherwise the last updated one.
  const current = all.find(({ standing }) => standing.tier === tier) ?? all[0]
  if (current === undefined) {
    const status = tier === 'free' ? 'none' : 'active'
    return { ...NO_PERIOD, plan: tier, status }
  }
  const { standing, cancels } = current
  const { plan, status, period_end, next_plan } = standing
  return {
    plan,
    status,
    current_period_end: period_end === null ? null : new Date(period_end).toISOString(),
    cancel_at_period_end: cancels && isSubscriptionOngoing(standing),
    next_plan,
  }
}

const NO_PERIOD = { current_period_end: null, cancel_at_period_end: false, next_plan: null }

/** Returns an account's quota, with the number of requests used today. */
export function accountUsage(tier: Tier, quota: Quota) {
  const today_requests = quota.daily_limit - quota.daily_remaining
  return { tier, today_requests, ...quota }
}

function groupByDay(used: readonly KeyDayUsage[]): Map<number, UsageDay> {
  const days = new Map<number, UsageDay>()
  for (const { day, endpoint_group, requests } of used) {
    const known = days.get(day) ?? { date: formatDate(day), requests: 0, groups: {} }
    known.requests += requests
    known.groups[endpoint_group] = (known.groups[endpoint_group] ?? 0) + requests
    days.set(day, known)
  }
  return days
}
