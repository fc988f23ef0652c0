import type { SessionOrigin } from '#rules/accounts/session-origin.ts'
import {
  LOGIN_PLACES_MAX,
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
  SESSIONS_MAX,
} from '#rules/accounts/sessions.ts'
import { type AuditContext, openAuditWriter } from './audit.ts'
import type { LedgerEngine } from './engine/operation.ts'
import { openOwnedRows } from './engine/owned-rows.ts'
import { openLoginPlaceWriter } from './login-places.ts'
import { type AccountRow, type SessionRow, sessions } from './schema/accounts.ts'

/** A session with its account. Times are epoch milliseconds. */
export type Session = Omit<StoredSession, 'is_operator' | 'is_admitted'> & {
  is_operator: boolean
  /** See `accountLimits`. */
  is_admitted: boolean
}

type StoredSession = Pick<SessionRow, 'id' | 'account_id' | 'created_at' | 'last_seen_at'> &
  Pick<AccountRow, 'email' | 'tier' | 'is_operator' | 'is_admitted'> & {
    registered_at: number
    /** Time of the ledger when the session was found, for comparison with `last_seen_at`. */
    found_at: number
  }

/** A session in a list. */
export type SessionSummary = Pick<
  SessionRow,
  'id' | 'created_at' | 'last_seen_at' | 'browser' | 'network'
>

export type NewSession = {
  account_id: number
  /** Hash that the password was verified against; the account must still have this hash. */
  password_hash: string
  token_hash: Uint8Array
  /** Previous session of the same browser. */
  replaces: number | undefined
  now: Date
  address: string
  /** Keyed hash of the client's network. Known networks have their own allowance of login attempts. */
  place?: Uint8Array
  /** Unknown if omitted. */
  origin?: SessionOrigin
}

/** Sessions, found by the hash of the browser's cookie. */
export type SessionStore = {
  /** Returns a session; undefined if not found or expired. */
  getByToken(tokenHash: Uint8Array, now: Date): Promise<Session | undefined>
  /** Creates a session, and deletes the oldest ones above SESSIONS_MAX; false if the password has changed. */
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
  /** Ends one session of an account; false if it has none with this id. */
  end(session: Pick<Session, 'id' | 'account_id'>, context: AuditContext): Promise<boolean>
  /** Ends all sessions of an account but one. @returns number of ended sessions */
  endOthers(session: Pick<Session, 'id' | 'account_id'>, context: AuditContext): Promise<number>
  /** Deletes expired sessions, at most `limit` of each kind. @returns number of deleted sessions */
  deleteExpired(now: Date, limit: number): Promise<number>
}

export function openSessionStore(engine: LedgerEngine): SessionStore {
  const { query, transact } = engine
  const write = openAuditWriter(engine)
  const places = openLoginPlaceWriter(engine)
  const find = engine.prepare<[{ tokenHash: Uint8Array; now: number }], StoredSession>(
    `SELECT sessions.id, account_id, email, tier, is_operator, is_admitted,
            accounts.created_at AS registered_at, sessions.created_at, last_seen_at, clock(@now) AS found_at
       FROM sessions JOIN accounts ON accounts.id = account_id WHERE token_hash = +@tokenHash
        AND sessions.created_at > clock(@now) - ${SESSION_LIFETIME_MS}
        AND last_seen_at > clock(@now) - ${SESSION_IDLE_MS}`,
  )
  const hashOf = engine.prepare<[number], Pick<AccountRow, 'password_hash'>>(
    'SELECT password_hash FROM accounts WHERE id = ?',
  )
  const add = engine.prepare<
    [Pick<NewSession, 'account_id' | 'token_hash'> & SessionOrigin & { now: number }],
    Pick<SessionRow, 'id'>
  >(
    `INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at, browser, network)
     VALUES (@account_id, @token_hash, clock(@now), clock(@now), @browser, @network) RETURNING id`,
  )
  const trim = engine.prepare<[{ account_id: number; id: number; others: number }]>(
    `DELETE FROM sessions WHERE account_id = @account_id AND id <> @id AND id NOT IN
       (SELECT id FROM sessions WHERE account_id = @account_id AND id <> @id
         ORDER BY last_seen_at DESC, id DESC LIMIT @others)`,
  )
  const seen = engine.prepare<[{ id: number; now: number }]>(
    'UPDATE sessions SET last_seen_at = clock(@now) WHERE id = @id',
  )
  const end = engine.prepare<[number]>('DELETE FROM sessions WHERE id = ?')
  const endAll = engine.prepare<[number]>('DELETE FROM sessions WHERE account_id = ?')
  const endOthers = engine.prepare<[number, number]>(
    'DELETE FROM sessions WHERE account_id = ? AND id <> ?',
  )
  const forget = (column: 'created_at' | 'last_seen_at', lifetimeMs: number) =>
    engine.prepare<[{ now: number; limit: number }]>(
      `DELETE FROM sessions WHERE id IN
         (SELECT id FROM sessions WHERE ${column} < clock(@now) - ${lifetimeMs} LIMIT @limit)`,
    )
  const forgetOld = forget('created_at', SESSION_LIFETIME_MS)
  const forgetIdle = forget('last_seen_at', SESSION_IDLE_MS)
  const rows = openOwnedRows<SessionSummary, typeof sessions>(engine, sessions, {
    select: 'id, created_at, last_seen_at, browser, network FROM sessions',
    order: 'last_seen_at DESC, id DESC',
  })

  return {
    async getByToken(tokenHash, now) {
      const found = await query(find.get({ tokenHash, now: now.getTime() }))
      if (found === undefined) return undefined
      const { is_operator, is_admitted } = found
      return { ...found, is_operator: is_operator === 1, is_admitted: is_admitted === 1 }
    },
    create: ({ account_id, token_hash, now, address, ...given }) =>
      transact(
        function* () {
          const account = yield* hashOf.get(account_id)
          if (account?.password_hash !== given.password_hash) return false
          const origin = given.origin ?? { browser: '', network: '' }
          const added = yield* add.get({ account_id, token_hash, now: now.getTime(), ...origin })
          if (given.replaces !== undefined) yield* end.run(given.replaces)
          yield* trim.run({ account_id, id: added?.id ?? 0, others: SESSIONS_MAX - 1 })
          const { place } = given
          if (place !== undefined) {
            yield* places.remember({ account_id, place, at: now.getTime() }, LOGIN_PLACES_MAX)
          }
          yield* write({ at: now, event: 'login', account_id, address })
          return true
        },
        { account: account_id },
      ),
    list: async (account_id) => (await rows.list({ account_id })).rows,
    touch: async (id, now) => void (await query(seen.run({ id, now: now.getTime() }))),
    delete: ({ id, account_id }, { all, now, address }) =>
      transact(function* () {
        if (all) yield* endAll.run(account_id)
        else yield* end.run(id)
        const detail = all ? { detail: 'everywhere' } : {}
        yield* write({ at: now, event: 'logout', account_id, address, ...detail })
      }),
    async end({ id, account_id }, { now, address }) {
      const detail = 'another session'
      const ended = await rows.delete({ id, account_id }, () =>
        write({ at: now, event: 'logout', account_id, address, detail }),
      )
      return ended !== undefined
    },
    endOthers: ({ id, account_id }, { now, address }) =>
      transact(function* () {
        const ended = yield* endOthers.run(account_id, id)
        if (ended > 0) {
          yield* write({ at: now, event: 'logout', account_id, address, detail: 'other sessions' })
        }
        return ended
      }),
    deleteExpired: async (now, limit) =>
      (await query(forgetOld.run({ now: now.getTime(), limit }))) +
      (await query(forgetIdle.run({ now: now.getTime(), limit }))),
  }
}
