import { type Credentials, openCredentialReader } from '../accounts.ts'
import { type AuditContext, openAuditWriter } from '../audit.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import { openLoginPlaceWriter } from '../login-places.ts'
import type { MailedTokenRow } from '../schema/accounts.ts'
import { prepareConfirmation, prepareUnlinkUnproven } from './address-proof.ts'

/** Purpose of a link in a mail: a new password, or the confirmation of the address. */
export type TokenPurpose = MailedTokenRow['purpose']

export type NewMailedToken = Pick<MailedTokenRow, 'account_id' | 'purpose'> & {
  token_hash: Uint8Array
  validMs: number
}

/** Account with a new password. */
export type PasswordReset = { account: Credentials; unlinked: number }

type TokenKey = { token_hash: Uint8Array; purpose: TokenPurpose; now: number }

/**
 * Links in mails, found by the hash of their token. The two newest ones of an account and a purpose are valid, until one
 * of them is used.
 */
export type MailedTokenStore = {
  /** Stores a link, and ends the account's earlier ones with the same purpose except for the last. */
  create(token: NewMailedToken, now: Date): Promise<void>
  /** Returns true if two newer links have ended this one; false if it is valid or one of them was used. */
  isReplaced(token: Omit<NewMailedToken, 'validMs'>): Promise<boolean>
  /** Returns the account of a link; undefined if the link is unknown, used or expired. */
  find(token_hash: Uint8Array, purpose: TokenPurpose, now: Date): Promise<number | undefined>
  /**
   * Sets a new password with a link, ends all sessions and forgets login networks. Removes links to the login provider
   * that are older than the first confirmation of the address. The address is confirmed by the same mail.
   *
   * @returns the account, and the number of removed links; undefined if the link is unknown, used or expired
   */
  resetPassword(
    token_hash: Uint8Array,
    password_hash: string,
    context: AuditContext,
  ): Promise<PasswordReset | undefined>
  /** Confirms the e-mail address of an account. @returns the account; undefined as for `resetPassword` */
  confirmEmail(token_hash: Uint8Array, context: AuditContext): Promise<Credentials | undefined>
  /** Deletes at most `limit` expired links. @returns their number */
  deleteExpired(now: Date, limit: number): Promise<number>
}

export function openMailedTokenStore(engine: LedgerEngine): MailedTokenStore {
  const { query, transact } = engine
  const write = openAuditWriter(engine)
  const places = openLoginPlaceWriter(engine)
  const getCredentials = openCredentialReader(engine)
  const endOlder = engine.prepare<[number, TokenPurpose]>(
    'DELETE FROM mailed_tokens WHERE account_id = ? AND purpose = ? AND age = 1',
  )
  const grow = engine.prepare<[number, TokenPurpose]>(
    'UPDATE mailed_tokens SET age = 1 WHERE account_id = ? AND purpose = ?',
  )
  const add = engine.prepare<[NewMailedToken & { now: number }]>(
    `INSERT INTO mailed_tokens (account_id, purpose, age, token_hash, expires_at)
     VALUES (@account_id, @purpose, 0, @token_hash, clock(@now) + @validMs)`,
  )
  const replaced = engine.prepare<[Omit<NewMailedToken, 'validMs'>], { count: number }>(
    `SELECT count(*) AS count FROM mailed_tokens
      WHERE account_id = @account_id AND purpose = @purpose AND NOT EXISTS
        (SELECT 1 FROM mailed_tokens AS own WHERE own.token_hash = @token_hash)`,
  )
  const find = engine.prepare<[TokenKey], Pick<MailedTokenRow, 'account_id'>>(
    `SELECT account_id FROM mailed_tokens WHERE token_hash = @token_hash AND purpose = @purpose
        AND expires_at > clock(@now)`,
  )
  // In one statement, so that of two links that are used at once only one is found.
  const take = engine.prepare<[TokenKey], Pick<MailedTokenRow, 'account_id'>>(
    `DELETE FROM mailed_tokens WHERE purpose = @purpose AND account_id =
       (SELECT account_id FROM mailed_tokens WHERE token_hash = @token_hash AND purpose = @purpose
           AND expires_at > clock(@now))
      RETURNING account_id`,
  )
  const putHash = engine.prepare<[string, number]>(
    'UPDATE accounts SET password_hash = ? WHERE id = ?',
  )
  const confirm = prepareConfirmation(engine)
  const unlinkUnproven = prepareUnlinkUnproven(engine)
  const endSessions = engine.prepare<[number]>('DELETE FROM sessions WHERE account_id = ?')
  const forget = engine.prepare<[{ now: number; limit: number }]>(
    `DELETE FROM mailed_tokens WHERE token_hash IN
       (SELECT token_hash FROM mailed_tokens WHERE expires_at <= clock(@now) LIMIT @limit)`,
  )

  /** Uses a link, and confirms the address. @returns the account, and the number of removed links to the provider */
  function* use(
    token_hash: Uint8Array,
    purpose: TokenPurpose,
    context: AuditContext,
  ): LedgerOperation<{ id: number; unlinked: number } | undefined> {
    const { now, address } = context
    const found = yield* take.get({ token_hash, purpose, now: now.getTime() })
    if (found === undefined) return undefined
    const { account_id } = found
    // Before the address is confirmed.
    const unlinked = purpose === 'reset' ? yield* unlinkUnproven(account_id, context) : 0
    yield* confirm.run(now.getTime(), account_id)
    const event = purpose === 'reset' ? 'password_reset' : 'email_confirmed'
    yield* write({ at: now, event, account_id, address })
    return { id: account_id, unlinked }
  }

  return {
    create: (token, now) =>
      transact(
        function* () {
          const { account_id, purpose } = token
          yield* endOlder.run(account_id, purpose)
          yield* grow.run(account_id, purpose)
          yield* add.run({ ...token, now: now.getTime() })
        },
        { account: token.account_id },
      ),
    isReplaced: async (token) => ((await query(replaced.get(token)))?.count ?? 0) > 1,
    find: async (token_hash, purpose, now) =>
      (await query(find.get({ token_hash, purpose, now: now.getTime() })))?.account_id,
    resetPassword: (token_hash, password_hash, context) =>
      transact(
        function* () {
          const used = yield* use(token_hash, 'reset', context)
          if (used === undefined) return undefined
          const { id, unlinked } = used
          yield* putHash.run(password_hash, id)
          yield* endSessions.run(id)
          yield* places.forgetAll(id)
          const account = yield* getCredentials(id)
          return account && { account, unlinked }
        },
        { isDurable: true },
      ),
    confirmEmail: (token_hash, context) =>
      transact(function* () {
        const used = yield* use(token_hash, 'confirm', context)
        return used && (yield* getCredentials(used.id))
      }),
    deleteExpired: (now, limit) => query(forget.run({ now: now.getTime(), limit })),
  }
}
