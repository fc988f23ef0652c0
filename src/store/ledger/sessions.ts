import { SESSIONS_MAX } from '#rules/accounts/sessions.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { type Db, inTransaction } from '../db.ts'
import { openAuditWriter } from './audit.ts'

/** A session and the account that is logged in with it. Times are epoch milliseconds. */
export type Session = {
  id: number
  account_id: number
  email: string
  tier: Tier
  is_operator: boolean
  registered_at: number
  created_at: number
  last_seen_at: number
}

/** As SQLite tells it. */
type Found = Omit<Session, 'is_operator'> & { is_operator: 0 | 1 }

export type SessionSummary = { id: number; created_at: number; last_seen_at: number }

export type NewSession = {
  account_id: number
  /** What the password was proven against, and must still be the account's. */
  password_hash: string
  token_hash: Uint8Array
  /** The session that the same browser had until now. */
  replaces: number | undefined
  now: Date
  address: string
}

/** Who is logged in, by the hash of what the browser's cookie holds. */
export function openSessionStore(db: Db) {
  const write = openAuditWriter(db)
  const find = db.prepare<[Uint8Array], Found>(
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
  const forget = db.prepare<[number, number]>(
    'DELETE FROM sessions WHERE created_at < ? OR last_seen_at < ?',
  )
  const list = db.prepare<[number], SessionSummary>(
    `SELECT id, created_at, last_seen_at FROM sessions WHERE account_id = ?
      ORDER BY last_seen_at DESC, id DESC`,
  )

  return {
    async getByToken(tokenHash: Uint8Array): Promise<Session | undefined> {
      const found = find.get(tokenHash)
      return found && { ...found, is_operator: found.is_operator === 1 }
    },
    /**
     * Begins a session; of an account that has too many, those longest unused end.
     *
     * @returns whether it began: not where the account's hash is another one by now
     */
    async create({ account_id, token_hash, now, address, ...given }: NewSession): Promise<boolean> {
      const time = now.getTime()
      return inTransaction(db, () => {
        const added = add.run(token_hash, time, time, account_id, given.password_hash)
        if (added.changes === 0) return false
        if (given.replaces !== undefined) end.run(given.replaces)
        trim.run(account_id, added.lastInsertRowid, SESSIONS_MAX - 1)
        write({ at: now, event: 'login', account_id, address })
        return true
      })
    },
    list: async (accountId: number): Promise<SessionSummary[]> => list.all(accountId),
    touch: async (id: number, now: Date): Promise<void> => void seen.run(now.getTime(), id),
    /** Ends one session of an account, or all of them. */
    async delete(
      session: Pick<Session, 'id' | 'account_id'>,
      { all, now, address }: { all: boolean; now: Date; address: string },
    ): Promise<void> {
      const { id, account_id } = session
      inTransaction(db, () => {
        if (all) endAll.run(account_id)
        else end.run(id)
        const detail = all ? { detail: 'everywhere' } : {}
        write({ at: now, event: 'logout', account_id, address, ...detail })
      })
    },
    /** Forgets what ended by itself. */
    async deleteBefore(time: { createdAt: Date; lastSeenAt: Date }): Promise<void> {
      forget.run(time.createdAt.getTime(), time.lastSeenAt.getTime())
    },
  }
}
