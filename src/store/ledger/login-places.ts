import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { LoginPlaceRow } from './schema/accounts.ts'

/** Networks from which accounts have logged in, as keyed hashes. Days are UTC days. */
export type LoginPlaceStore = {
  /** Returns true if the account has logged in from the network since `firstDay`. */
  has(accountId: number, place: Uint8Array, firstDay: number): Promise<boolean>
  /** Deletes at most `limit` networks last used before a day. @returns their number */
  deleteBefore(day: number, limit: number): Promise<number>
}

export function openLoginPlaceStore(engine: LedgerEngine): LoginPlaceStore {
  const { query } = engine
  const find = engine.prepare<[number, Uint8Array, number], Pick<LoginPlaceRow, 'last_day'>>(
    'SELECT last_day FROM login_places WHERE account_id = ? AND place = ? AND last_day >= ?',
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM login_places WHERE (account_id, place) IN
       (SELECT account_id, place FROM login_places WHERE last_day < ? LIMIT ?)`,
  )
  return {
    has: async (accountId, place, firstDay) =>
      (await query(find.get(accountId, place, firstDay))) !== undefined,
    deleteBefore: (day, limit) => query(forget.run(day, limit)),
  }
}

/** A login from a network. */
export type LoginPlace = { account_id: number; place: Uint8Array; day: number }

/** Prepares writing places. The caller provides the transaction. */
export function openLoginPlaceWriter(engine: LedgerEngine) {
  const put = engine.prepare<[number, Uint8Array, number]>(
    `INSERT INTO login_places AS known (account_id, place, last_day) VALUES (?, ?, ?)
     ON CONFLICT (account_id, place) DO UPDATE SET last_day = excluded.last_day
      WHERE known.last_day < excluded.last_day`,
  )
  const trim = engine.prepare<[{ account_id: number; place: Uint8Array; others: number }]>(
    `DELETE FROM login_places WHERE account_id = @account_id AND place <> @place AND place NOT IN
       (SELECT place FROM login_places WHERE account_id = @account_id AND place <> @place
         ORDER BY last_day DESC LIMIT @others)`,
  )
  const forget = engine.prepare<[number]>('DELETE FROM login_places WHERE account_id = ?')
  return {
    /** Stores the network of a login, and deletes the oldest ones beyond `max`. */
    *remember({ account_id, place, day }: LoginPlace, max: number): LedgerOperation<void> {
      yield* put.run(account_id, place, day)
      yield* trim.run({ account_id, place, others: max - 1 })
    },
    /** Deletes all networks of an account after its password has changed. */
    forgetAll: (accountId: number) => forget.run(accountId),
  }
}
