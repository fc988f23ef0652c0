import { emailSkeleton } from '#rules/accounts/email-address.ts'
import { type Credentials, openCredentialReader } from '../accounts.ts'
import { type AuditContext, openAuditWriter } from '../audit.ts'
import { openLookalikeFinder } from '../email-skeletons.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import type { IdentityRow, SessionRow } from '../schema/accounts.ts'
import type { Session } from '../sessions.ts'
import { prepareConfirmation } from './address-proof.ts'

/** Identifies a person at a login provider. */
export type IdentityKey = Pick<IdentityRow, 'issuer' | 'subject'>

/** People of the login provider who are linked to accounts. */
export type IdentityStore = {
  /** Returns the account of a person; undefined if nobody is linked. */
  getAccount(key: IdentityKey): Promise<Credentials | undefined>
  /** Returns when an account was linked to a person at a provider; undefined if it is not linked. */
  getLinkTime(account_id: number, issuer: string): Promise<number | undefined>
  /**
   * Creates an account without a password for a person whose address the provider has confirmed. Returns undefined if
   * the address, or a similar-looking one, is taken.
   */
  register(key: IdentityKey, email: string, context: AuditContext): Promise<Credentials | undefined>
  /**
   * Links a person to the account of a session. The session may have ended while the provider responded, after which
   * nobody may add a login.
   *
   * @returns `taken` if either is already linked, `ended` without the session
   */
  link(
    key: IdentityKey,
    link: NewLink,
    context: AuditContext,
  ): Promise<'linked' | 'taken' | 'ended'>
  /** Removes a link. @returns true if there was one */
  unlink(account_id: number, issuer: string, context: AuditContext): Promise<boolean>
}

/** Link of the account of a session. */
export type NewLink = {
  session: Pick<Session, 'id' | 'account_id'>
  /** True if the provider has confirmed the address of the account. */
  confirmsAddress: boolean
}

export function openIdentityStore(engine: LedgerEngine): IdentityStore {
  const { query, transact } = engine
  const write = openAuditWriter(engine)
  const looksTaken = openLookalikeFinder(engine)
  const getCredentials = openCredentialReader(engine)
  const find = engine.prepare<[string, string], Pick<IdentityRow, 'account_id'>>(
    'SELECT account_id FROM identities WHERE issuer = ? AND subject = ?',
  )
  const linkOf = engine.prepare<[number, string], Pick<IdentityRow, 'linked_at'>>(
    'SELECT linked_at FROM identities WHERE account_id = ? AND issuer = ?',
  )
  const add = engine.prepare<[IdentityRow]>(
    `INSERT INTO identities (issuer, subject, account_id, linked_at)
     VALUES (@issuer, @subject, @account_id, @linked_at) ON CONFLICT DO NOTHING`,
  )
  const findSession = engine.prepare<[number, number], Pick<SessionRow, 'id'>>(
    'SELECT id FROM sessions WHERE id = ? AND account_id = ?',
  )
  const confirm = prepareConfirmation(engine)
  const remove = engine.prepare<[number, string]>(
    'DELETE FROM identities WHERE account_id = ? AND issuer = ?',
  )
  const addAccount = engine.prepare<
    [{ email: string; skeleton: string; at: number }],
    { id: number }
  >(
    `INSERT INTO accounts
       (email, password_hash, tier, granted_tier, email_skeleton, email_confirmed_at, is_admitted, created_at)
     VALUES (@email, '', 'free', 'free', @skeleton, @at, 1, @at) ON CONFLICT DO NOTHING RETURNING id`,
  )

  return {
    getAccount: ({ issuer, subject }) =>
      transact(function* () {
        const found = yield* find.get(issuer, subject)
        return found && (yield* getCredentials(found.account_id))
      }),
    getLinkTime: async (account_id, issuer) =>
      (await query(linkOf.get(account_id, issuer)))?.linked_at,
    register: (key, email, { now, address }) =>
      transact(
        function* () {
          if (yield* looksTaken(email)) return undefined
          const at = now.getTime()
          const added = yield* addAccount.get({ email, skeleton: emailSkeleton(email), at })
          if (added === undefined) return undefined
          yield* add.run({ ...key, account_id: added.id, linked_at: at })
          const detail = 'login provider'
          yield* write({ at: now, event: 'registered', account_id: added.id, address, detail })
          return yield* getCredentials(added.id)
        },
        { isDurable: true },
      ),
    link: (key, { session, confirmsAddress }, { now, address }) => {
      const { account_id } = session
      return transact(
        function* () {
          if ((yield* findSession.get(session.id, account_id)) === undefined) return 'ended'
          const at = now.getTime()
          const added = yield* add.run({ ...key, account_id, linked_at: at })
          if (added === 0) return 'taken'
          if (confirmsAddress) yield* confirm.run(at, account_id)
          yield* write({ at: now, event: 'provider_linked', account_id, address })
          return 'linked'
        },
        { account: account_id },
      )
    },
    unlink: (account_id, issuer, { now, address }) =>
      transact(
        function* () {
          if ((yield* remove.run(account_id, issuer)) === 0) return false
          yield* write({ at: now, event: 'provider_unlinked', account_id, address })
          return true
        },
        { account: account_id },
      ),
  }
}
