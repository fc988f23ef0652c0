import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { isSubscriptionOngoing } from '#rules/billing/subscriptions.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import type { KeyRecord } from '#store/ledger/keys.ts'
import type { KeyDayUsage } from '#store/ledger/usage.ts'

/** Requests of one UTC day, and how many of them went to which group of endpoints. */
export type UsageDay = { date: string; requests: number; groups: Record<string, number> }

export type Usage = {
  /** The last thirty days, today last, also those without a request. */
  days: UsageDay[]
  /** Each key with its days of the thirty on which it was used. */
  keys: (KeyRecord & { days: UsageDay[] })[]
  scans: { balance: number; trial_pending: boolean }
}

/** What the keys of an account were used for in the last thirty days. */
export async function getUsage(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  accountId: number,
): Promise<Usage> {
  const today = dayOf(now())
  const first = today - USAGE_DAYS + 1
  const [keys, used, scans] = await Promise.all([
    ledger.keys.list(accountId, today),
    ledger.usage.listByAccount(accountId, first),
    ledger.accounts.getScans(accountId),
  ])
  const all = daysOf(used)
  const days = Array.from({ length: USAGE_DAYS }, (_, index) => {
    return all.get(first + index) ?? { date: formatDate(first + index), requests: 0, groups: {} }
  })
  return {
    days,
    keys: keys.map((key) => ({
      ...key,
      days: [...daysOf(used.filter((row) => row.key_id === key.id)).values()],
    })),
    scans: { balance: scans.balance, trial_pending: scans.trial_at === null },
  }
}

/** What an account's subscription is; one that has none was given its tier by the operator. */
export async function getSubscription(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { account_id, tier }: { account_id: number; tier: Tier },
) {
  const all = await ledger.subscriptions.listByAccount(account_id, now())
  // The one that counts; of those that do not, the one that was told of last.
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

/** An account's quota, and how much of it is used. */
export function accountUsage(tier: Tier, quota: Quota) {
  const today_requests = quota.daily_limit - quota.daily_remaining
  return { tier, today_requests, ...quota }
}

function daysOf(used: readonly KeyDayUsage[]): Map<number, UsageDay> {
  const days = new Map<number, UsageDay>()
  for (const { day, endpoint_group, requests } of used) {
    const known = days.get(day) ?? { date: formatDate(day), requests: 0, groups: {} }
    known.requests += requests
    known.groups[endpoint_group] = (known.groups[endpoint_group] ?? 0) + requests
    days.set(day, known)
  }
  return days
}

/** Days that usage is kept and told for, today included. */
export const USAGE_DAYS = 30
