import { leaseOf } from '#rules/accounts/quota.ts'
import { type Db, inTransaction } from '../db.ts'
import type { UsageByKeyRow } from './schema.ts'

/** Requests granted from an account's day, and how many of the day are used in total. */
export type QuotaLease = { granted: number; used: number }

export type LeaseRequest = { limit: number; wanted: number; needed: number }

/** Accepted requests of one key to one group of endpoints on one day, and the last of them. */
export type KeyUsage = UsageByKeyRow & { last_used_at: number }

/** Accepted requests of one key to one group of endpoints on one day. */
export type KeyDayUsage = UsageByKeyRow

/** Daily quota of accounts, and requests of their keys. */
export type UsageStore = {
  /**
   * Leases requests of the day: what is needed, and more of what is wanted the further the limit is;
   * nothing if less than needed is left. Servers never exceed the limit together, because no request
   * is granted twice.
   */
  lease(account: number, day: number, request: LeaseRequest): Promise<QuotaLease>
  /** Adds requests that were granted while nothing could be stored, also beyond the limit. */
  addUsed(account: number, day: number, requests: number): Promise<void>
  /** Returns leased requests that were not used. */
  refund(account: number, day: number, unused: number): Promise<void>
  /** Returns how many requests of a day are leased, by all servers. */
  getUsed(account: number, day: number): Promise<number>
  /** Adds requests that a server has counted. */
  add(counted: readonly KeyUsage[]): Promise<void>
  /** Lists the requests of each of an account's keys, by day and endpoint group. */
  listByAccount(account: number, firstDay: number): Promise<KeyDayUsage[]>
  /** Deletes usage before a day, at most `limit` rows of each table. @returns how many */
  deleteBefore(day: number, limit: number): Promise<number>
}

export function openUsageStore(db: Db): UsageStore {
  const open = db.prepare<[number, number]>(
    'INSERT INTO usage_daily VALUES (?, ?, 0) ON CONFLICT DO NOTHING',
  )
  const used = db
    .prepare<[number, number], number>(
      'SELECT used FROM usage_daily WHERE account_id = ? AND day = ?',
    )
    .pluck()
  const change = db.prepare<[number, number, number]>(
    'UPDATE usage_daily SET used = used + ? WHERE account_id = ? AND day = ?',
  )
  // Created once: creating a transaction function per lease would cost as much as the lease.
  const lease = db.transaction((account: number, day: number, request: LeaseRequest) => {
    open.run(account, day)
    const before = used.get(account, day) ?? 0
    const granted = leaseOf(Math.max(0, request.limit - before), request)
    if (granted > 0) change.run(granted, account, day)
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
  const forgetKeys = db.prepare<[number, number]>(
    `DELETE FROM usage_by_key WHERE (key_id, day, endpoint_group) IN
       (SELECT key_id, day, endpoint_group FROM usage_by_key WHERE day < ? LIMIT ?)`,
  )
  const forgetDays = db.prepare<[number, number]>(
    `DELETE FROM usage_daily WHERE (account_id, day) IN
       (SELECT account_id, day FROM usage_daily WHERE day < ? LIMIT ?)`,
  )

  return {
    lease: async (account, day, request) => lease.immediate(account, day, request),
    addUsed: async (account, day, requests) =>
      inTransaction(db, () => {
        open.run(account, day)
        change.run(requests, account, day)
      }),
    refund: async (account, day, unused) => void change.run(-unused, account, day),
    getUsed: async (account, day) => used.get(account, day) ?? 0,
    add: async (counted) =>
      inTransaction(db, () => {
        for (const { key_id, day, endpoint_group, requests, last_used_at } of counted) {
          addUsed.run(key_id, day, endpoint_group, requests)
          addTotal.run(key_id, requests, last_used_at)
        }
      }),
    listByAccount: async (account, firstDay) => ofAccount.all(account, firstDay),
    deleteBefore: async (day, limit) =>
      forgetKeys.run(day, limit).changes + forgetDays.run(day, limit).changes,
  }
}
