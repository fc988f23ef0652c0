import { leaseOf } from '#rules/accounts/quota.ts'
import { type Db, inTransaction } from '../db.ts'

/** Requests taken from an account's day, and how many of the day are taken in all. */
export type QuotaLease = { granted: number; used: number }

export type LeaseRequest = { limit: number; wanted: number; needed: number }

/** Admitted requests of one key to one group of endpoints on one day. */
export type KeyUsage = {
  key_id: string
  day: number
  endpoint_group: string
  requests: number
  last_used_at: number
}

export type KeyDayUsage = Omit<KeyUsage, 'last_used_at'>

/** How many requests of its day an account has used, and what its keys were used for. */
export function openUsageStore(db: Db) {
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
  const lease = db.transaction((account: number, day: number, asked: LeaseRequest) => {
    open.run(account, day)
    const before = used.get(account, day) ?? 0
    const granted = leaseOf(Math.max(0, asked.limit - before), asked)
    if (granted > 0) take.run(granted, account, day)
    return { granted, used: before + granted }
  })
  const addUsed = db.prepare<[string, number, string, number]>(
    `INSERT INTO usage_by_key VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`,
  )
  const addTotal = db.prepare<[string, number, number]>(
    `INSERT INTO key_totals VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests,
       last_used_at = max(last_used_at, excluded.last_used_at)`,
  )
  const ofAccount = db.prepare<[number, number], KeyDayUsage>(
    `SELECT key_id, day, endpoint_group, requests
       FROM keys CROSS JOIN usage_by_key ON usage_by_key.key_id = keys.id
      WHERE account_id = +? AND day >= +? ORDER BY day, endpoint_group`,
  )
  const forgetKeys = db.prepare<[number]>('DELETE FROM usage_by_key WHERE day < ?')
  const forgetDays = db.prepare<[number]>('DELETE FROM usage_daily WHERE day < ?')

  return {
    /**
     * Takes a lease of the day: what is needed, and more of what is wanted the further the limit is.
     * Nothing where less than needed is left. What is granted here is granted to nobody else: several
     * servers never exceed the limit together.
     */
    async lease(account: number, day: number, asked: LeaseRequest): Promise<QuotaLease> {
      return lease.immediate(account, day, asked)
    },
    /** Gives back what was taken and not used. */
    async refund(account: number, day: number, unused: number): Promise<void> {
      take.run(-unused, account, day)
    },
    /** How many requests of a day are taken, by all servers. */
    getUsed: async (account: number, day: number): Promise<number> => used.get(account, day) ?? 0,
    /** Adds what servers have counted. */
    async add(counted: readonly KeyUsage[]): Promise<void> {
      inTransaction(db, () => {
        for (const { key_id, day, endpoint_group, requests, last_used_at } of counted) {
          addUsed.run(key_id, day, endpoint_group, requests)
          addTotal.run(key_id, requests, last_used_at)
        }
      })
    },
    /** What each key of an account was used for from a day on, by day. */
    listByAccount: async (account: number, firstDay: number): Promise<KeyDayUsage[]> =>
      ofAccount.all(account, firstDay),
    async deleteBefore(day: number): Promise<void> {
      inTransaction(db, () => {
        forgetKeys.run(day)
        forgetDays.run(day)
      })
    },
  }
}
