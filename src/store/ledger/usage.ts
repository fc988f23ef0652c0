import { leaseOf } from '#rules/accounts/tiers.ts'
import type { LedgerEngine } from './engine/operation.ts'
import type { UsageByKeyRow, UsageDailyRow } from './schema/accounts.ts'

/** Requests granted from an account's day, and the number of used requests of the day in total. */
export type QuotaLease = { granted: number; used: number }

export type LeaseRequest = { limit: number; wanted: number; needed: number }

/** Accepted requests of one key to one group of endpoints on one day, and the time of the last request. */
export type KeyUsage = UsageByKeyRow & { last_used_at: number }

/** Accepted requests of one key to one group of endpoints on one day. */
export type KeyDayUsage = UsageByKeyRow

/** Daily quota of accounts, and requests of their keys. */
export type UsageStore = {
  /**
   * Leases requests of the day: at least `needed`, and up to `wanted` while the limit is far away; none if fewer than
   * `needed` are left. Servers never exceed the limit together, because no request is granted twice.
   */
  lease(account: number, day: number, request: LeaseRequest): Promise<QuotaLease>
  /** Adds requests that were granted while nothing could be stored, also beyond the limit. */
  addUsed(account: number, day: number, requests: number): Promise<void>
  /** Returns leased requests that were not used. */
  refund(account: number, day: number, unused: number): Promise<void>
  /** Returns the number of requests of a day that all servers have leased. */
  getUsed(account: number, day: number): Promise<number>
  /** Adds requests that a server has counted. */
  add(counted: readonly KeyUsage[]): Promise<void>
  /** Lists the requests of each of an account's keys, by day and endpoint group. */
  listByAccount(account: number, firstDay: number): Promise<KeyDayUsage[]>
  /** Deletes usage before a day, at most `limit` rows of each table. @returns number of deleted rows */
  deleteBefore(day: number, limit: number): Promise<number>
}

export function openUsageStore(engine: LedgerEngine): UsageStore {
  const { query, transact } = engine
  // Repeats `leaseOf` in SQL: one statement needs no transaction and never waits for another lease between its read
  // and its write.
  const lease = engine.prepare<[LeaseParameters], QuotaLease>(
    `INSERT INTO usage_daily AS today (account_id, day, used, granted)
     VALUES (@account, @day, @first, @first)
     ON CONFLICT (account_id, day) DO UPDATE SET used = today.used + ${LEASE}, granted = ${LEASE}
      WHERE @limit - today.used >= @needed RETURNING granted, used`,
  )
  const used = engine.prepare<[number, number], Pick<UsageDailyRow, 'used'>>(
    'SELECT used FROM usage_daily WHERE account_id = ? AND day = ?',
  )
  const addToDay = engine.prepare<[number, number, number]>(
    `INSERT INTO usage_daily AS today (account_id, day, used) VALUES (?, ?, ?)
     ON CONFLICT (account_id, day) DO UPDATE SET used = today.used + excluded.used`,
  )
  const giveBack = engine.prepare<[number, number, number]>(
    'UPDATE usage_daily SET used = used - ? WHERE account_id = ? AND day = ?',
  )
  // The key of a deleted account no longer exists.
  const addOfKey = engine.prepare<[number, string, number, string]>(
    `INSERT INTO usage_by_key AS known (key_id, day, endpoint_group, requests)
     SELECT id, CAST(? AS BIGINT), ?, CAST(? AS BIGINT) FROM keys WHERE id = ?
     ON CONFLICT (key_id, day, endpoint_group)
       DO UPDATE SET requests = known.requests + excluded.requests`,
  )
  const addTotal = engine.prepare<[number, number, string]>(
    `INSERT INTO key_totals AS known (key_id, requests, last_used_at)
     SELECT id, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM keys WHERE id = ?
     ON CONFLICT (key_id) DO UPDATE SET requests = known.requests + excluded.requests,
       last_used_at = CASE WHEN known.last_used_at > excluded.last_used_at
         THEN known.last_used_at ELSE excluded.last_used_at END`,
  )
  const ofAccount = engine.prepare<[number, number], KeyDayUsage>(
    `SELECT key_id, day, endpoint_group, requests
       FROM keys CROSS JOIN usage_by_key
      WHERE usage_by_key.key_id = keys.id AND account_id = +? AND day >= +?
      ORDER BY day, endpoint_group`,
  )
  const forgetKeys = engine.prepare<[number, number]>(
    `DELETE FROM usage_by_key WHERE (key_id, day, endpoint_group) IN
       (SELECT key_id, day, endpoint_group FROM usage_by_key WHERE day < ? LIMIT ?)`,
  )
  const forgetDays = engine.prepare<[number, number]>(
    `DELETE FROM usage_daily WHERE (account_id, day) IN
       (SELECT account_id, day FROM usage_daily WHERE day < ? LIMIT ?)`,
  )

  const getUsed = async (account: number, day: number) =>
    (await query(used.get(account, day)))?.used ?? 0

  return {
    async lease(account, day, request) {
      const first = leaseOf(request.limit, request)
      const leased =
        first > 0 ? await query(lease.get({ account, day, first, ...request })) : undefined
      return leased ?? { granted: 0, used: await getUsed(account, day) }
    },
    addUsed: async (account, day, requests) =>
      void (await query(addToDay.run(account, day, requests))),
    refund: async (account, day, unused) => void (await query(giveBack.run(unused, account, day))),
    getUsed,
    add: (counted) =>
      transact(function* () {
        for (const { key_id, day, endpoint_group, requests, last_used_at } of counted) {
          yield* addOfKey.run(day, endpoint_group, requests, key_id)
          yield* addTotal.run(requests, last_used_at, key_id)
        }
      }),
    listByAccount: (account, firstDay) => query(ofAccount.all(account, firstDay)),
    deleteBefore: async (day, limit) =>
      (await query(forgetKeys.run(day, limit))) + (await query(forgetDays.run(day, limit))),
  }
}

type LeaseParameters = LeaseRequest & { account: number; day: number; first: number }

/** `leaseOf` in SQL, for the rest of the day; none if fewer than needed are left. */
const LEASE = `CASE
  WHEN (@limit - today.used) >> 3 >= @wanted AND @wanted >= @needed THEN @wanted
  WHEN (@limit - today.used) >> 3 >= @needed AND @wanted >= @needed THEN (@limit - today.used) >> 3
  ELSE @needed END`
