import { emailSkeleton } from '#rules/accounts/email-address.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { type AuditContext, openAuditWriter } from './audit.ts'
import { openLookalikeFinder } from './email-skeletons.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import { openInvitationWriter } from './invitations.ts'
import { openLoginPlaceWriter } from './login-places.ts'
import { prepareUnlinkUnproven } from './logins/address-proof.ts'
import { openSetupTokenWriter } from './logins/setup-tokens.ts'
import type { ScanBalance } from './scan-ledger.ts'
import type { AccountRow } from './schema/accounts.ts'
import { openTierWriter } from './tiers.ts'

/** An account. Times are epoch milliseconds. */
export type Account = {
  id: number
  email: string
  tier: Tier
  /** True if its sessions may see the status page and start syncs. */
  is_operator: boolean
  created_at: number
}

/** An account with its password hash, for logging in. */
export type Credentials = Account & {
  /** Empty if it has no password. */
  password_hash: string
  /** Time at which its address was confirmed by mail; null if it never was. */
  email_confirmed_at: number | null
}

type StoredAccount = Pick<AccountRow, 'id' | 'email' | 'tier' | 'is_operator' | 'created_at'>

type StoredCredentials = StoredAccount & Pick<AccountRow, 'password_hash' | 'email_confirmed_at'>

const ACCOUNT = 'id, email, tier, is_operator, created_at'

export type NewAccount = { email: string; password_hash: string; tier: Tier }

type StoredNewAccount = NewAccount &
  Pick<AccountRow, 'is_admitted'> & { skeleton: string; confirmed_at: number | null; at: number }

/** Accounts and their credentials. */
export type AccountStore = {
  /** Returns true if an e-mail address, or one that looks like it, has an account. */
  isTaken(email: string): Promise<boolean>
  /** Creates an account; undefined if its address is taken. */
  create(account: NewAccount, context: AuditContext): Promise<Account | undefined>
  /** Like `create`, and uses up an invitation; `uninvited` if the address cannot use it now. */
  createInvited(
    account: NewAccount,
    context: AuditContext,
    codeHash: Uint8Array,
  ): Promise<Account | 'uninvited' | undefined>
  /**
   * Like `create`, as an operator, and ends all tokens of the setup.
   *
   * @param tokenHash token of the setup; undefined for the operator's command line, which needs none
   * @returns also `has operator` if there already is one, and `no token` if the token is not valid
   */
  createFirstOperator(
    account: NewAccount,
    context: AuditContext,
    tokenHash: Uint8Array | undefined,
  ): Promise<Account | 'has operator' | 'no token' | undefined>
  /** Returns the account of the first operator; undefined without one. */
  getOperator(): Promise<Account | undefined>
  /** Returns an account by e-mail address; undefined if not found. */
  getByEmail(email: string): Promise<Credentials | undefined>
  /** Returns an account by id; undefined if not found. */
  getById(id: number): Promise<Credentials | undefined>
  /** Counts all accounts. */
  count(): Promise<number>
  /** Lists all accounts by id. */
  list(): Promise<Account[]>
  /** Lists at most `limit` accounts by id that people have registered themselves, so that they are not admitted. */
  listRegistered(limit: number): Promise<Account[]>
  /**
   * Returns an account's scans, and whether it is admitted (see `accountLimits`). `trial_at` is null before its first
   * identification.
   */
  getScans(id: number): Promise<ScanBalance & { is_admitted: boolean }>
  /** Grants a tier, unless a higher one is paid for. @returns the account; undefined if not found */
  updateTier(email: string, tier: Tier, context: AuditContext): Promise<Account | undefined>
  /** Grants or revokes the operator role at once. @returns the account; undefined if not found */
  updateOperator(
    email: string,
    is_operator: boolean,
    context: AuditContext,
  ): Promise<Account | undefined>
  /**
   * Changes a password, ends all sessions and forgets login networks; false unless the current hash is `replaces`. If
   * the operator changes it, without `replaces`, also removes links to the login provider as a reset by mail does.
   */
  updatePassword(
    id: number,
    password_hash: string,
    context: AuditContext & { replaces?: string },
  ): Promise<boolean>
  /** Stores a stronger hash of the same password; false unless the current hash is `replaces`. */
  updatePasswordHash(id: number, password_hash: string, replaces: string): Promise<boolean>
}

export function openAccountStore(engine: LedgerEngine): AccountStore {
  const { query, transact } = engine
  const write = openAuditWriter(engine)
  const tiers = openTierWriter(engine)
  const places = openLoginPlaceWriter(engine)
  const invitations = openInvitationWriter(engine)
  const setupTokens = openSetupTokenWriter(engine)
  const unlinkUnproven = prepareUnlinkUnproven(engine)
  const looksTaken = openLookalikeFinder(engine)
  const byEmail = engine.prepare<[string], StoredCredentials>(
    `SELECT ${ACCOUNT}, password_hash, email_confirmed_at FROM accounts WHERE email = ?`,
  )
  const byId = openCredentialReader(engine)
  const scans = engine.prepare<[number], ScanBalance & Pick<AccountRow, 'is_admitted'>>(
    `SELECT scan_balance AS balance, scan_debt AS debt, scan_trial_at AS trial_at, is_admitted
       FROM accounts WHERE id = ?`,
  )
  // The last id is the number of accounts, because rows are never deleted; few ids belong to deleted accounts. So no
  // scrape has to count.
  const count = engine.prepare<[], { accounts: number | null }>(
    `SELECT (SELECT id FROM accounts ORDER BY id DESC LIMIT 1) -
            (SELECT count(*) FROM accounts WHERE deleted_at IS NOT NULL) AS accounts`,
  )
  const list = engine.prepare<[], StoredAccount>(
    `SELECT ${ACCOUNT} FROM accounts WHERE deleted_at IS NULL ORDER BY id`,
  )
  const registered = engine.prepare<[number], StoredAccount>(
    `SELECT ${ACCOUNT} FROM accounts WHERE is_admitted = 0 AND deleted_at IS NULL
      ORDER BY id LIMIT ?`,
  )
  const add = engine.prepare<[StoredNewAccount], StoredAccount>(
    `INSERT INTO accounts
       (email, password_hash, tier, granted_tier, email_skeleton, email_confirmed_at, is_admitted, created_at)
     VALUES (@email, @password_hash, @tier, @tier, @skeleton, @confirmed_at, @is_admitted, @at)
     ON CONFLICT DO NOTHING RETURNING ${ACCOUNT}`,
  )
  const putHash = engine.prepare<[string, number]>(
    'UPDATE accounts SET password_hash = ? WHERE id = ?',
  )
  const replaceHash = engine.prepare<[string, number, string]>(
    'UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?',
  )
  const makeOperator = engine.prepare<[number]>(
    'UPDATE accounts SET is_operator = 1, is_admitted = 1 WHERE id = ?',
  )
  const revokeOperator = engine.prepare<[number]>(
    'UPDATE accounts SET is_operator = 0 WHERE id = ?',
  )
  const firstOperator = engine.prepare<[], StoredAccount>(
    `SELECT ${ACCOUNT} FROM accounts WHERE is_operator = 1 ORDER BY id LIMIT 1`,
  )
  const endSessions = engine.prepare<[number]>('DELETE FROM sessions WHERE account_id = ?')

  /** Addresses entered by the operator count as confirmed. */
  function* insert(
    account: NewAccount,
    now: Date,
    { isConfirmed, isAdmitted }: { isConfirmed: boolean; isAdmitted: boolean },
  ): LedgerOperation<Account | undefined> {
    if (yield* looksTaken(account.email)) return undefined
    const at = now.getTime()
    const confirmed_at = isConfirmed ? at : null
    const skeleton = emailSkeleton(account.email)
    const is_admitted = isAdmitted ? 1 : 0
    const added = yield* add.get({ ...account, skeleton, confirmed_at, is_admitted, at })
    return added && toAccount(added)
  }

  function* appoint(id: number): LedgerOperation<void> {
    yield* makeOperator.run(id)
    yield* setupTokens.endAll()
  }

  return {
    isTaken: (email) =>
      transact(function* () {
        return (yield* byEmail.get(email)) !== undefined || (yield* looksTaken(email))
      }),
    create: (account, { now, address }) =>
      transact(function* () {
        const isByOperator = address === undefined
        const origin = { isConfirmed: isByOperator, isAdmitted: isByOperator }
        const added = yield* insert(account, now, origin)
        if (added !== undefined) {
          yield* write({ at: now, event: 'registered', account_id: added.id, address })
        }
        return added
      }),
    createInvited: (account, { now, address }, code_hash) =>
      transact(function* () {
        const invitation = yield* invitations.findUsable({ code_hash, email: account.email, now })
        if (invitation === undefined) return 'uninvited'
        const origin = { isConfirmed: address === undefined, isAdmitted: true }
        const added = yield* insert(account, now, origin)
        if (added === undefined) return undefined
        yield* invitations.markUsed(invitation, added.id, now)
        const detail = `invitation ${invitation}`
        yield* write({ at: now, event: 'registered', account_id: added.id, address, detail })
        return added
      }),
    createFirstOperator: (account, { now, address }, tokenHash) =>
      transact(function* () {
        if ((yield* firstOperator.get()) !== undefined) return 'has operator'
        if (tokenHash !== undefined && !(yield* setupTokens.isValid(tokenHash))) return 'no token'
        const added = yield* insert(account, now, { isConfirmed: true, isAdmitted: true })
        if (added === undefined) return undefined
        yield* appoint(added.id)
        for (const event of ['registered', 'operator_granted'] as const) {
          yield* write({ at: now, event, account_id: added.id, address })
        }
        return { ...added, is_operator: true }
      }),
    getOperator: async () => {
      const found = await query(firstOperator.get())
      return found && toAccount(found)
    },
    getByEmail: async (email) => toCredentials(await query(byEmail.get(email))),
    getById: (id) => query(byId(id)),
    count: async () => (await query(count.get()))?.accounts ?? 0,
    list: async () => (await query(list.all())).map(toAccount),
    listRegistered: async (limit) => (await query(registered.all(limit))).map(toAccount),
    async getScans(id) {
      const found = await query(scans.get(id))
      const { is_admitted, ...balance } = found ?? { ...NO_SCANS, is_admitted: 0 }
      return { ...balance, is_admitted: is_admitted === 1 }
    },
    updateTier: (email, tier, auditContext) =>
      transact(function* () {
        const found = yield* byEmail.get(email)
        if (found === undefined) return undefined
        yield* tiers.grant(found.id, tier, auditContext)
        return toAccount((yield* byEmail.get(email)) ?? found)
      }),
    updateOperator: (email, is_operator, { now, address }) =>
      transact(function* () {
        const found = yield* byEmail.get(email)
        if (found === undefined) return undefined
        const account = toAccount(found)
        if (account.is_operator !== is_operator) {
          if (is_operator) yield* appoint(account.id)
          else yield* revokeOperator.run(account.id)
          const event = is_operator ? 'operator_granted' : 'operator_revoked'
          yield* write({ at: now, event, account_id: account.id, address })
        }
        return { ...account, is_operator }
      }),
    updatePassword: (id, password_hash, { now, address, replaces }) =>
      transact(
        function* () {
          // Only if the hash is the one with which the old password was verified.
          const changed =
            replaces === undefined
              ? yield* putHash.run(password_hash, id)
              : yield* replaceHash.run(password_hash, id, replaces)
          if (changed === 0) return false
          if (replaces === undefined) yield* unlinkUnproven(id, { now, address })
          yield* endSessions.run(id)
          yield* places.forgetAll(id)
          yield* write({ at: now, event: 'password_changed', account_id: id, address })
          return true
        },
        { account: id },
      ),
    updatePasswordHash: async (id, password_hash, replaces) =>
      (await query(replaceHash.run(password_hash, id, replaces))) > 0,
  }
}

const NO_SCANS = { balance: 0, debt: 0, trial_at: null }

/** Prepares reading an account by its id, with its password hash. */
export function openCredentialReader(
  engine: LedgerEngine,
): (id: number) => LedgerOperation<Credentials | undefined> {
  const byId = engine.prepare<[number], StoredCredentials>(
    `SELECT ${ACCOUNT}, password_hash, email_confirmed_at FROM accounts WHERE id = ?`,
  )
  return function* (id) {
    return toCredentials(yield* byId.get(id))
  }
}

function toAccount({ id, email, tier, is_operator, created_at }: StoredAccount): Account {
  return { id, email, tier, is_operator: is_operator === 1, created_at }
}

function toCredentials(row: StoredCredentials | undefined): Credentials | undefined {
  return row && { ...row, is_operator: row.is_operator === 1 }
}
