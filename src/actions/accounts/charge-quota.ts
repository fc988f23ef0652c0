import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import { DAILY_REQUESTS, type Tier } from '#rules/accounts/tiers.ts'
import { dayOf, nextMidnight } from '#rules/primitives/days.ts'

export type QuotaOwner = { account_id: number; tier: Tier }

/** What one request cost. `admitted` is false when the day's quota is used up. */
export type QuotaCharge = { isAllowed: boolean; quota: Quota }

/**
 * Charges requests to accounts by the lease: some dozen are taken from the durable counter at once
 * and spent in memory, so that a request costs microseconds. Killed, a server loses its open leases
 * (never grants too much); stopped in order, it gives them back.
 */
export function createQuotaCharger({ ledger, now }: Pick<Deps, 'ledger' | 'now'>) {
  const leases = new Map<number, OpenLease>()

  function leaseFor(quotaOwner: QuotaOwner): OpenLease {
    const day = dayOf(now())
    const open = leases.get(quotaOwner.account_id)
    if (open?.day === day) return open
    // Yesterday's unspent requests are worth nothing today; today's begin with nothing taken.
    const fresh = { day, unspent: 0, used: 0, reset: nextMidnight(now()), refill: undefined }
    leases.set(quotaOwner.account_id, fresh)
    return fresh
  }

  async function refill(owner: QuotaOwner, lease: OpenLease, needed: number): Promise<void> {
    const limit = DAILY_REQUESTS[owner.tier]
    const asked = { limit, wanted: LEASE, needed }
    const { granted, used } = await ledger.usage.lease(owner.account_id, lease.day, asked)
    lease.unspent += granted
    lease.used = used
  }

  function quotaOf(spender: QuotaOwner, lease: OpenLease): Quota {
    const limit = DAILY_REQUESTS[spender.tier]
    return {
      daily_limit: limit,
      daily_remaining: Math.max(0, limit - lease.used + lease.unspent),
      daily_reset: lease.reset,
    }
  }

  /** Whether the day has that many left. A lower tier's limit also ends a lease early. */
  function isWithin({ tier }: QuotaOwner, lease: OpenLease, credits: number): boolean {
    return lease.used - lease.unspent + credits <= DAILY_REQUESTS[tier]
  }

  function canPay(spender: QuotaOwner, lease: OpenLease, credits: number): boolean {
    return lease.unspent >= credits && isWithin(spender, lease, credits)
  }

  function pay(spender: QuotaOwner, lease: OpenLease, credits: number): QuotaCharge {
    lease.unspent -= credits
    return { isAllowed: true, quota: quotaOf(spender, lease) }
  }

  /** Waits for the durable counter: the refills of one account go one after the other. */
  async function spendSlowly(spender: QuotaOwner, credits: number): Promise<QuotaCharge> {
    for (let asked = false; ; asked = true) {
      // Anew each time: midnight may have passed while waiting.
      const lease = leaseFor(spender)
      if (canPay(spender, lease, credits)) return pay(spender, lease, credits)
      // Refused only after asking: another server may have given some back.
      if (asked && !isWithin(spender, lease, credits)) {
        return { isAllowed: false, quota: quotaOf(spender, lease) }
      }
      lease.refill ??= refill(spender, lease, Math.max(1, credits - lease.unspent)).finally(() => {
        lease.refill = undefined
      })
      await lease.refill
    }
  }

  return {
    /**
     * Charges one request: at once while the lease lasts, else with the next one.
     *
     * @param credits what it costs; taken together, or not at all
     */
    charge(spender: QuotaOwner, credits = 1): QuotaCharge | Promise<QuotaCharge> {
      const lease = leaseFor(spender)
      return canPay(spender, lease, credits)
        ? pay(spender, lease, credits)
        : spendSlowly(spender, credits)
    },
    /**
     * Gives a request back: its answer failed on our side. What was charged yesterday is no request of
     * today's.
     *
     * @param charged the quota that `spend` told
     */
    refund(spender: QuotaOwner, charged: Pick<Quota, 'daily_reset'>, credits = 1): Quota {
      const lease = leaseFor(spender)
      if (lease.reset === charged.daily_reset) {
        lease.unspent = Math.min(lease.used, lease.unspent + credits)
      }
      return quotaOf(spender, lease)
    },
    /** What an account has left, without charging it. */
    async get(spender: QuotaOwner): Promise<Quota> {
      const lease = leaseFor(spender)
      // Only read: what a look took would be missing where it is needed.
      if (lease.used === 0) {
        const taken = await ledger.usage.getUsed(spender.account_id, lease.day)
        // A lease may have been taken meanwhile, of which the older answer knows nothing.
        lease.used = Math.max(lease.used, taken)
      }
      return quotaOf(spender, lease)
    },
    /** Gives all unspent requests back: the server stops. */
    async close(): Promise<void> {
      for (const [account, lease] of leases) {
        if (lease.unspent > 0) await ledger.usage.refund(account, lease.day, lease.unspent)
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
