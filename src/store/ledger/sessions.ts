import { LOGIN_PLACES_MAX } from '#rules/accounts/login-places.ts'
import { SESSIONS_MAX } from '#rules/accounts/sessions.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { type Db, inTransaction } from '../db.ts'
import { openAuditWriter } from './audit.ts'
import { openLoginPlaceWriter } from './login-places.ts'
import type { AccountRow, SessionRow } from './schema.ts'

/** A session with its account. Times are epoch milliseconds. */
export type Session = Omit<StoredSession, 'is_operator'> & { is_operator: boolean }

type StoredSession = Pick<SessionRow, 'id' | 'account_id' | 'created_at' | 'last_seen_at'> &
  Pick<AccountRow, 'email' | 'tier' | 'is_operator'> & { registered_at: number }

/** A session as it is listed. */
export type SessionSummary = Pick<SessionRow, 'id' | 'created_at' | 'last_seen_at'>

export type NewSession = {
  account_id: number
  /** Hash that the password was verified against; it must still be the account's. */
  password_hash: string
  token_hash: Uint8Array
  /** Previous session of the same browser. */
  replaces: number | undefined
  now: Date
  address: string
  /** Keyed hash of the client's network, from which the account may log in more easily. */
  place?: Uint8Array
}

/** Sessions, found by the hash of the browser's cookie. */
export type SessionStore = {
  /** Returns a session; undefined if not found. */
  getByToken(tokenHash: Uint8Array): Promise<Session | undefined>
  /** Creates a session, deletes the oldest above SESSIONS_MAX; false if the password has changed. */
  create(session: NewSession): Promise<boolean>
  /** Lists an account's sessions, last used first. */
  list(accountId: number): Promise<SessionSummary[]>
  /** Stores the time of the last use. */
  touch(id: number, now: Date): Promise<void>
  /** Deletes one session of an account, or all of them. */
  delete(
    session: Pick<Session, 'id' | 'account_id'>,
    options: { all: boolean; now: Date; address: string },
  ): Promise<void>
  /** Deletes expired sessions, at most `limit` of each kind. @returns how many */
  deleteBefore(time: { createdAt: Date; lastSeenAt: Date }, limit: number): Promise<number>
}

export function openSessionStore(db: Db): SessionStore {
  const write = openAuditWriter(db)
  const places = openLoginPlaceWriter(db)
  const find = db.prepare<[Uint8Array], StoredSession>(
    `SELECT sessions.id, account_id, email, tier, is_operator, accounts.created_at AS registered_at,
            sessions.created_at, last_seen_at
       FROM sessions JOIN accounts ON accounts.id = account_id WHERE token_hash = +?`,
  )
  const add = db.prepare<[Uint8Array, number, number, number, string]>(
    `INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at)
     SELECT id, ?, ?, ? FROM accounts WHERE id = ? AND password_hash = ?`,
  )
  const trim = db.prepare<[number, number | bigint, number]>(
    `DELETE FROM sessions WHERE id IN
       (SELECT id FROM sessions WHERE account_id = ? AND id <> ?
         ORDER BY last_seen_at DESC, id DESC LIMIT -1 OFFSET ?)`,
  )
  const seen = db.prepare<[number, number]>('UPDATE sessions SET last_seen_at = ? WHERE id = ?')
  const end = db.prepare<[number]>('DELETE FROM sessions WHERE id = ?')
  const endAll = db.prepare<[number]>('DELETE FROM sessions WHERE account_id = ?')
  const forget = (column: 'created_at' | 'last_seen_at') =>
    db.prepare<[number, number]>(
      `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE ${column} < ? LIMIT ?)`,
    )
  const [forgetOld, forgetIdle] = [forget('created_at'), forget('last_seen_at')]
  const list = db.prepare<[number], SessionSummary>(
    `SELECT id, created_at, last_seen_at FROM sessions WHERE account_id = ?
      ORDER BY last_seen_at DESC, id DESC`,
  )

  return {
    async getByToken(tokenHash) {
      const found = find.get(tokenHash)
      return found && { ...found, is_operator: found.is_operator === 1 }
    },
    async create({ account_id, token_hash, now, address, ...given }) {
      const time = now.getTime()
      return inTransaction(db, () => {
        const added = add.run(token_hash, time, time, account_id, given.password_hash)
        if (added.changes === 0) return false
        if (given.replaces !== undefined) end.run(given.replaces)
        trim.run(account_id, added.lastInsertRowid, SESSIONS_MAX - 1)
        const { place } = given
        if (place !== undefined) {
          places.remember({ account_id, place, day: dayOf(now) }, LOGIN_PLACES_MAX)
        }
        write({ at: now, event: 'login', account_id, address })
        return true
      })
    },
    list: async (accountId) => list.all(accountId),
    touch: async (id, now) => void seen.run(now.getTime(), id),
    async delete(session, { all, now, address }) {
      const { id, account_id } = session
      inTransaction(db, () => {
        if (all) endAll.run(account_id)
        else end.run(id)
        const detail = all ? { detail: 'everywhere' } : {}
        write({ at: now, event: 'logout', account_id, address, ...detail })
      })
    },
    deleteBefore: async ({ createdAt, lastSeenAt }, limit) =>
      forgetOld.run(createdAt.getTime(), limit).changes +
      forgetIdle.run(lastSeenAt.getTime(), limit).changes,
  }
}
