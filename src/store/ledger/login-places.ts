import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { LoginPlaceRow } from './schema/accounts.ts'

/** Networks from which accounts have logged in, as keyed hashes. */
export type LoginPlaceStore = {
  /** Returns true if the account has logged in from the network since a time. */
  has(accountId: number, place: Uint8Array, since: Date): Promise<boolean>
  /** Deletes at most `limit` networks last used before a time. @returns their number */
  deleteBefore(before: Date, limit: number): Promise<number>
}

export function openLoginPlaceStore(engine: LedgerEngine): LoginPlaceStore {
  const { query } = engine
  const find = engine.prepare<[number, Uint8Array, number], Pick<LoginPlaceRow, 'last_at'>>(
    'SELECT last_at FROM login_places WHERE account_id = ? AND place = ? AND last_at >= ?',
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM login_places WHERE (account_id, place) IN
       (SELECT account_id, place FROM login_places WHERE last_at < ? LIMIT ?)`,
  )
  return {
    has: async (accountId, place, since) =>
      (await query(find.get(accountId, place, since.getTime()))) !== undefined,
    deleteBefore: (before, limit) => query(forget.run(before.getTime(), limit)),
  }
}

/** A login from a network. */
export type LoginPlace = { account_id: number; place: Uint8Array; at: number }

/** Prepares writing places. The caller provides the transaction. */
export function openLoginPlaceWriter(engine: LedgerEngine) {
  const put = engine.prepare<[number, Uint8Array, number]>(
    `INSERT INTO login_places AS known (account_id, place, last_at) VALUES (?, ?, ?)
     ON CONFLICT (account_id, place) DO UPDATE SET last_at = excluded.last_at
      WHERE known.last_at < excluded.last_at`,
  )
  const trim = engine.prepare<[{ account_id: number; place: Uint8Array; others: number }]>(
    `DELETE FROM login_places WHERE account_id = @account_id AND place <> @place AND place NOT IN
       (SELECT place FROM login_places WHERE account_id = @account_id AND place <> @place
         ORDER BY last_at DESC LIMIT @others)`,
  )
  const forget = engine.prepare<[number]>('DELETE FROM login_places WHERE account_id = ?')
  return {
    /** Stores the network of a login, and deletes those beyond `max` that were not used for the longest time. */
    *remember({ account_id, place, at }: LoginPlace, max: number): LedgerOperation<void> {
      yield* put.run(account_id, place, at)
      yield* trim.run({ account_id, place, others: max - 1 })
    },
    /** Deletes all networks of an account after its password has changed. */
    forgetAll: (accountId: number) => forget.run(accountId),
  }
}
