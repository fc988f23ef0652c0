import type { Quota, VisitorLimits } from '#rules/accounts/quota.ts'
import { nextMidnight } from '#rules/primitives/days.ts'

/** Quota of visitors, by client and UTC day. */
export type VisitorQuota = {
  /** Charges a client if it and the total have enough quota left. */
  consume(client: string, credits: number, now: Date): { isAllowed: boolean; quota: Quota }
  /** Refunds a charge, by the quota that `consume` returned. A charge of an earlier day is ignored. */
  refund(client: string, charged: Pick<Quota, 'daily_reset'>, credits: number, now: Date): Quota
  /** Returns the remaining quota of a client. */
  get(client: string, now: Date): Quota
}

/**
 * Creates the counter of visitors' requests. After `clientsMax` clients in a day, new ones count
 * toward the total only, which bounds the memory.
 */
export function createVisitorQuota(
  { perClient, total }: Pick<VisitorLimits, 'perClient' | 'total'>,
  clientsMax = CLIENTS_MAX,
): VisitorQuota {
  const spent = new Map<string, number>()
  let totalSpent = 0
  let reset = ''

  function startDay(now: Date): void {
    const next = nextMidnight(now)
    if (next === reset) return
    reset = next
    totalSpent = 0
    spent.clear()
  }

  function add(client: string, credits: number): void {
    totalSpent += credits
    const known = spent.get(client)
    if (known !== undefined || spent.size < clientsMax) spent.set(client, (known ?? 0) + credits)
  }

  function remaining(client: string): Quota {
    const left = Math.min(perClient - (spent.get(client) ?? 0), total - totalSpent)
    return { daily_limit: perClient, daily_remaining: left, daily_reset: reset }
  }

  return {
    consume(client, credits, now) {
      startDay(now)
      const isAllowed = credits <= remaining(client).daily_remaining
      if (isAllowed) add(client, credits)
      return { isAllowed, quota: remaining(client) }
    },
    refund(client, charged, credits, now) {
      startDay(now)
      if (charged.daily_reset === reset) add(client, -credits)
      return remaining(client)
    },
    get(client, now) {
      startDay(now)
      return remaining(client)
    },
  }
}

/** About 10 MB. */
const CLIENTS_MAX = 100_000
