import { leaseOf } from '#rules/quota.ts'
import type { Db } from '../db.ts'

/** Requests taken from an account's day, and how many of the day are taken in all. */
export type Lease = { granted: number; used: number }

/** How many requests of its day an account has used. */
export function openUsage(db: Db) {
  const open = db.prepare<[number, number]>(
    'INSERT INTO usage_daily VALUES (?, ?, 0) ON CONFLICT DO NOTHING',
  )
  const used = db
    .prepare<[number, number], number>(
      'SELECT used FROM usage_daily WHERE account_id = ? AND day = ?',
    )
    .pluck()
  const take = db.prepare<[number, number, number]>(
    'UPDATE usage_daily SET used = used + ? WHERE account_id = ? AND day = ?',
  )

  // Made once: a transaction function of its own for each lease would cost as much as the lease.
  const lease = db.transaction((account: number, day: number, limit: number, wanted: number) => {
    open.run(account, day)
    const before = used.get(account, day) ?? 0
    const granted = leaseOf(Math.max(0, limit - before), wanted)
    if (granted > 0) take.run(granted, account, day)
    return { granted, used: before + granted }
  })

  return {
    /**
     * Takes up to `wanted` requests of the day (fewer close to the limit, none beyond it). What is
     * granted here is granted to nobody else: several servers never exceed the limit together.
     */
    async take(account: number, day: number, limit: number, wanted: number): Promise<Lease> {
      return lease.immediate(account, day, limit, wanted)
    },
    /** Gives back what was taken and not used. */
    async give(account: number, day: number, unused: number): Promise<void> {
      take.run(-unused, account, day)
    },
  }
}
