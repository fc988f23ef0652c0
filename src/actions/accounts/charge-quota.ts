import type { Deps } from '#deps.ts'
import { type AccountLimits, dailyRequests, leaseOf, type Quota } from '#rules/accounts/tiers.ts'
import { dayOf, nextMidnight } from '#rules/primitives/days.ts'
import { isWriteFault } from '#rules/primitives/system-errors.ts'
import type { LeaseRequest } from '#store/ledger/usage.ts'

export type QuotaOwner = AccountLimits & { account_id: number }

/** `isAllowed` is false if the day's quota is used up. */
export type QuotaCharge = { isAllowed: boolean; quota: Quota }

/** Charges requests to the daily quotas of accounts. */
export type QuotaCharger = {
  /**
   * Charges one request: immediately while the lease lasts, otherwise with the next lease.
   *
   * @param credits cost of the request, charged completely or not at all
   */
  charge(owner: QuotaOwner, credits?: number): QuotaCharge | Promise<QuotaCharge>
  /**
   * Refunds a request that failed because of the server. A charge of the day before is not refunded.
   *
   * @param charged the quota that `charge` returned
   */
  refund(owner: QuotaOwner, charged: Pick<Quota, 'daily_reset'>, credits?: number): Quota
  /** Returns the remaining quota without charging it. */
  get(owner: QuotaOwner): Promise<Quota>
  /** Returns the unused part of all leases to the ledger. Called when the server stops. */
  close(): Promise<void>
}

/**
 * Leases some dozen requests from the durable counter at once and charges them in memory, so that a request costs
 * microseconds. A server that is killed loses its leases, and never grants too much.
 */
export function createQuotaCharger({ ledger, now }: Pick<Deps, 'ledger' | 'now'>): QuotaCharger {
  const leases = new Map<number, OpenLease>()

  function leaseFor(owner: QuotaOwner): OpenLease {
    const day = dayOf(now())
    const open = leases.get(owner.account_id)
    if (open?.day === day) return open
    // Unused requests expire with their day.
    const fresh = {
      day,
      unspent: 0,
      used: 0,
      owed: 0,
      reset: nextMidnight(now()),
      refill: undefined,
    }
    leases.set(owner.account_id, fresh)
    return fresh
  }

  async function refill(owner: QuotaOwner, lease: OpenLease, needed: number): Promise<void> {
    const limit = dailyRequests(owner)
    const size = Math.min(
      LEASE_REQUESTS_MAX,
      Math.max(LEASE_REQUESTS, Math.floor(limit / LEASES_A_DAY)),
    )
    const wanted = { limit, wanted: size, needed }
    try {
      await settle(owner.account_id, lease)
      const { granted, used } = await ledger.usage.lease(owner.account_id, lease.day, wanted)
      lease.unspent += granted
      lease.used = used
    } catch (error) {
      if (!isWriteFault(error)) throw error
      await borrow(owner, lease, wanted)
    }
  }

  /**
   * Grants requests that the ledger cannot store, so that customers can still read when the disk is full. They are
   * counted in memory until the ledger can store them, so an account gets its limit at most once more per server
   * (choice 5).
   */
  async function borrow(
    { account_id }: QuotaOwner,
    lease: OpenLease,
    { limit, ...wanted }: LeaseRequest,
  ): Promise<void> {
    const stored = await ledger.usage.getUsed(account_id, lease.day)
    lease.used = Math.max(lease.used, stored + lease.owed)
    const granted = leaseOf(Math.max(0, limit - lease.used), wanted)
    lease.owed += granted
    lease.unspent += granted
    lease.used += granted
  }

  /** Stores what was granted in memory. */
  async function settle(account: number, lease: OpenLease): Promise<void> {
    if (lease.owed === 0) return
    await ledger.usage.addUsed(account, lease.day, lease.owed)
    lease.owed = 0
  }

  function quotaOf(owner: QuotaOwner, lease: OpenLease): Quota {
    const limit = dailyRequests(owner)
    return {
      daily_limit: limit,
      daily_remaining: Math.max(0, limit - lease.used + lease.unspent),
      daily_reset: lease.reset,
    }
  }

  /** The limit of a lower tier also ends a lease early. */
  function isWithinLimit(owner: QuotaOwner, lease: OpenLease, credits: number): boolean {
    return lease.used - lease.unspent + credits <= dailyRequests(owner)
  }

  function canPay(owner: QuotaOwner, lease: OpenLease, credits: number): boolean {
    return lease.unspent >= credits && isWithinLimit(owner, lease, credits)
  }

  function chargeLease(owner: QuotaOwner, lease: OpenLease, credits: number): QuotaCharge {
    lease.unspent -= credits
    return { isAllowed: true, quota: quotaOf(owner, lease) }
  }

  /** Waits for the durable counter. An account has only one refill at a time. */
  async function chargeAfterRefill(owner: QuotaOwner, credits: number): Promise<QuotaCharge> {
    for (let isRefilled = false; ; isRefilled = true) {
      // Looked up each time: midnight may have passed while waiting.
      const lease = leaseFor(owner)
      if (canPay(owner, lease, credits)) return chargeLease(owner, lease, credits)
      // Refused only after a refill, because another server may have returned requests.
      if (isRefilled && !isWithinLimit(owner, lease, credits)) {
        return { isAllowed: false, quota: quotaOf(owner, lease) }
      }
      lease.refill ??= refill(owner, lease, Math.max(1, credits - lease.unspent)).finally(() => {
        lease.refill = undefined
      })
      await lease.refill
    }
  }

  return {
    charge(owner, credits = 1) {
      const lease = leaseFor(owner)
      return canPay(owner, lease, credits)
        ? chargeLease(owner, lease, credits)
        : chargeAfterRefill(owner, credits)
    },
    refund(owner, charged, credits = 1) {
      const lease = leaseFor(owner)
      if (lease.reset === charged.daily_reset) {
        lease.unspent = Math.min(lease.used, lease.unspent + credits)
      }
      return quotaOf(owner, lease)
    },
    async get(owner) {
      const lease = leaseFor(owner)
      // Read only: a lease taken here would be missing on other servers.
      if (lease.used === 0) {
        const taken = await ledger.usage.getUsed(owner.account_id, lease.day)
        // If a lease was taken in the meantime, this number is outdated.
        lease.used = Math.max(lease.used, taken)
      }
      return quotaOf(owner, lease)
    },
    async close() {
      for (const [account, lease] of leases) {
        await settle(account, lease)
        if (lease.unspent > 0) await ledger.usage.refund(account, lease.day, lease.unspent)
      }
      leases.clear()
    },
  }
}

type OpenLease = {
  day: number
  unspent: number
  /** Requests of the whole day on all servers, as of the last refill. */
  used: number
  /** Requests in `used` that the ledger could not store yet. */
  owed: number
  reset: string
  refill: Promise<void> | undefined
}

/** Minimum number of requests of a lease. A lease is a write to the disk, which costs as much as five requests. */
const LEASE_REQUESTS = 64

/** Maximum number of leases of a large quota: a killed server loses half a percent of the quota. */
const LEASES_A_DAY = 200

/**
 * Maximum number of requests of a lease, and so the precision with which the usage of an unlimited account is
 * counted.
 */
const LEASE_REQUESTS_MAX = 250
