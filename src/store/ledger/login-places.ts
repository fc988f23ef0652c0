import type { Db } from '../db.ts'

/** Networks from which accounts have logged in, as keyed hashes. Days are UTC days. */
export type LoginPlaceStore = {
  /** Returns true if the account has logged in from the network since `firstDay`. */
  has(accountId: number, place: Uint8Array, firstDay: number): Promise<boolean>
  /** Deletes at most `limit` places that were last used before a day. @returns how many */
  deleteBefore(day: number, limit: number): Promise<number>
}

export function openLoginPlaceStore(db: Db): LoginPlaceStore {
  const find = db
    .prepare<[number, Uint8Array, number], number>(
      'SELECT 1 FROM login_places WHERE account_id = ? AND place = ? AND last_day >= ?',
    )
    .pluck()
  const forget = db.prepare<[number, number]>(
    `DELETE FROM login_places WHERE (account_id, place) IN
       (SELECT account_id, place FROM login_places WHERE last_day < ? LIMIT ?)`,
  )
  return {
    has: async (accountId, place, firstDay) => find.get(accountId, place, firstDay) === 1,
    deleteBefore: async (day, limit) => forget.run(day, limit).changes,
  }
}

/** A login from a network. */
export type LoginPlace = { account_id: number; place: Uint8Array; day: number }

/** Prepares writing places. The caller provides the transaction. */
export function openLoginPlaceWriter(db: Db) {
  const put = db.prepare<[number, Uint8Array, number]>(
    `INSERT INTO login_places VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET last_day = max(last_day, excluded.last_day)`,
  )
  const trim = db.prepare<[{ account_id: number; place: Uint8Array; others: number }]>(
    `DELETE FROM login_places WHERE account_id = @account_id AND place IN
       (SELECT place FROM login_places WHERE account_id = @account_id AND place <> @place
         ORDER BY last_day DESC LIMIT -1 OFFSET @others)`,
  )
  const forget = db.prepare<[number]>('DELETE FROM login_places WHERE account_id = ?')
  return {
    /** Remembers the place of a login, and forgets the oldest beyond `max`. */
    remember({ account_id, place, day }: LoginPlace, max: number): void {
      put.run(account_id, place, day)
      trim.run({ account_id, place, others: max - 1 })
    },
    /** Forgets all places of an account, whose password has changed. */
    forgetAll: (accountId: number): void => void forget.run(accountId),
  }
}
