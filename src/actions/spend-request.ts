import type { Deps } from '#deps.ts'
import { dayOf, nextMidnight } from '#rules/days.ts'
import type { Quota } from '#rules/quota.ts'
import { DAILY_REQUESTS, type Tier } from '#rules/tiers.ts'

export type Spender = { account_id: number; tier: Tier }

/** What one request cost. `admitted` is false when the day's quota is used up. */
export type Spending = { admitted: boolean; quota: Quota }

/**
 * Charges requests to accounts by the lease: some dozen are taken from the durable counter at once
 * and spent in memory, so that a request costs microseconds. Killed, a server loses its open leases
 * (never grants too much); stopped in order, it gives them back.
 */
export function openSpending({ ledger, now }: Pick<Deps, 'ledger' | 'now'>) {
  const leases = new Map<number, OpenLease>()

  function leaseFor(spender: Spender): OpenLease {
    const day = dayOf(now())
    const open = leases.get(spender.account_id)
    if (open?.day === day) return open
    // Yesterday's unspent requests are worth nothing today; today's begin with nothing taken.
    const fresh = { day, unspent: 0, used: 0, reset: nextMidnight(now()), refill: undefined }
    leases.set(spender.account_id, fresh)
    return fresh
  }

  async function refill(spender: Spender, lease: OpenLease): Promise<void> {
    const limit = DAILY_REQUESTS[spender.tier]
    const { granted, used } = await ledger.usage.take(spender.account_id, lease.day, limit, LEASE)
    lease.unspent += granted
    lease.used = used
  }

  function quotaOf(spender: Spender, lease: OpenLease): Quota {
    const limit = DAILY_REQUESTS[spender.tier]
    return {
      daily_limit: limit,
      daily_remaining: Math.max(0, limit - lease.used + lease.unspent),
      daily_reset: lease.reset,
    }
  }

  /** Whether the lease can pay one more request. A lower tier's limit also ends a lease early. */
  function canPay(spender: Spender, lease: OpenLease): boolean {
    return lease.unspent > 0 && lease.used - lease.unspent < DAILY_REQUESTS[spender.tier]
  }

  function pay(spender: Spender, lease: OpenLease): Spending {
    lease.unspent--
    return { admitted: true, quota: quotaOf(spender, lease) }
  }

  /** Waits for the durable counter: the refills of one account go one after the other. */
  async function spendSlowly(spender: Spender): Promise<Spending> {
    for (;;) {
      const lease = leaseFor(spender)
      if (lease.unspent === 0) {
        lease.refill ??= refill(spender, lease).finally(() => {
          lease.refill = undefined
        })
        await lease.refill
      }
      if (leaseFor(spender) !== lease) continue // Midnight passed while waiting.
      if (canPay(spender, lease)) return pay(spender, lease)
      if (lease.used - lease.unspent >= DAILY_REQUESTS[spender.tier]) {
        return { admitted: false, quota: quotaOf(spender, lease) }
      }
    }
  }

  return {
    /** Charges one request: at once while the lease lasts, else with the next one. */
    spend(spender: Spender): Spending | Promise<Spending> {
      const lease = leaseFor(spender)
      return canPay(spender, lease) ? pay(spender, lease) : spendSlowly(spender)
    },
    /** Gives one request back: its answer failed on our side. */
    refund(spender: Spender): Quota {
      const lease = leaseFor(spender)
      if (lease.used > lease.unspent) lease.unspent++
      return quotaOf(spender, lease)
    },
    /** What an account has left, without charging it. */
    async look(spender: Spender): Promise<Quota> {
      const lease = leaseFor(spender)
      if (lease.used === 0) await refill(spender, lease)
      return quotaOf(spender, lease)
    },
    /** Gives all unspent requests back: the server stops. */
    async close(): Promise<void> {
      for (const [account, lease] of leases) {
        if (lease.unspent > 0) await ledger.usage.give(account, lease.day, lease.unspent)
      }
      leases.clear()
    },
  }
}

type OpenLease = {
  day: number
  unspent: number
  /** Of the whole day, by all servers, as of the last refill. */
  used: number
  reset: string
  refill: Promise<void> | undefined
}

/** Requests taken at once: one write to the disk for 64 requests. */
const LEASE = 64
