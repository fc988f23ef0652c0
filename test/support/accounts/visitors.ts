import { openVisitorQuota, type VisitorQuotaOptions } from '#actions/accounts/visitor-quota.ts'
import type { Quota } from '#rules/accounts/tiers.ts'
import type { Volume } from '#rules/accounts/visitors.ts'

/** Opens visitor quotas whose clock is set by each call. */
export function createVisitorQuota(options: Omit<VisitorQuotaOptions, 'now'>) {
  let clock = new Date(0)
  const at = (now: Date) => {
    clock = now
  }
  return {
    open(address: string) {
      const account = openVisitorQuota({ ...options, now: () => clock }, address)
      return {
        async charge(credits: number, now: Date) {
          at(now)
          return account.charge(credits)
        },
        async refund(charged: Quota, now: Date) {
          at(now)
          return account.refund(charged, 1)
        },
        async get(now: Date) {
          at(now)
          return account.get()
        },
        /** Returns true if the data was counted, false if it was refused. */
        async receive(volume: Volume, now: Date): Promise<boolean> {
          at(now)
          try {
            await account.receive(volume)
            return true
          } catch (error) {
            if ((error as { code?: string }).code !== 'RATE_LIMIT_EXCEEDED') throw error // a ServiceError has a code
            return false
          }
        },
      }
    },
  }
}
