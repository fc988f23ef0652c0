import { and, eq, max, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { emailSkeleton } from '#rules/accounts/email-address.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { type Db, inTransaction } from '../db.ts'
import { openAuditWriter } from './audit.ts'
import { openLookalikeFinder } from './email-skeletons.ts'
import { openInvitationWriter } from './invitations.ts'
import type { AuditContext } from './keys.ts'
import { openLoginPlaceWriter } from './login-places.ts'
import type { ScanBalance } from './scan-ledger.ts'
import { accounts, sessions } from './schema.ts'
import { openTierWriter } from './tiers.ts'

/** An account. Times are epoch milliseconds. */
export type Account = {
  id: number
  email: string
  tier: Tier
  /** True if its sessions may see the status page and start a sync. */
  is_operator: boolean
  created_at: number
}

/** An account with its password hash, for logging in. */
export type Credentials = Account & { password_hash: string }

const ACCOUNT = {
  id: accounts.id,
  email: accounts.email,
  tier: accounts.tier,
  is_operator: accounts.is_operator,
  created_at: accounts.created_at,
}

export type NewAccount = { email: string; password_hash: string; tier: Tier }

/** Accounts and their credentials. */
export type AccountStore = {
  /** Creates an account; undefined if the e-mail address, or one that looks like it, is taken. */
  create(account: NewAccount, context: AuditContext): Promise<Account | undefined>
  /** Like `create`, and uses an invitation up; `uninvited` if the address cannot use it now. */
  createInvited(
    account: NewAccount,
    context: AuditContext,
    codeHash: Uint8Array,
  ): Promise<Account | 'uninvited' | undefined>
  /** Returns an account by e-mail address; undefined if not found. */
  getByEmail(email: string): Promise<Credentials | undefined>
  /** Returns an account by id; undefined if not found. */
  getById(id: number): Promise<Credentials | undefined>
  /** Counts all accounts. */
  count(): Promise<number>
  /** Lists all accounts by id. */
  list(): Promise<Account[]>
  /** Returns an account's scans; `trial_at` is null before its first identification. */
  getScans(id: number): Promise<ScanBalance>
  /** Grants a tier unless a higher one is paid for. @returns the account; undefined if not found */
  updateTier(email: string, tier: Tier, context: AuditContext): Promise<Account | undefined>
  /** Grants or revokes the operator role at once. @returns the account; undefined if not found */
  updateOperator(
    email: string,
    is_operator: boolean,
    context: AuditContext,
  ): Promise<Account | undefined>
  /** Changes a password, ends all sessions and forgets login places; false unless the current hash is `replaces`. */
  updatePassword(
    id: number,
    password_hash: string,
    context: AuditContext & { replaces?: string },
  ): Promise<boolean>
  /** Stores a stronger hash of the same password; false unless the current hash is `replaces`. */
  updatePasswordHash(id: number, password_hash: string, replaces: string): Promise<boolean>
}

export function openAccountStore(db: Db): AccountStore {
  const orm = drizzle(db)
  const write = openAuditWriter(db)
  const tiers = openTierWriter(db)
  const places = openLoginPlaceWriter(db)
  const invitations = openInvitationWriter(db)
  const looksTaken = openLookalikeFinder(db)
  const byColumn = (name: 'id' | 'email') =>
    orm
      .select({ ...ACCOUNT, password_hash: accounts.password_hash })
      .from(accounts)
      .where(eq(accounts[name], sql.placeholder(name)))
      .prepare()
  const byEmail = byColumn('email')
  const byId = byColumn('id')
  const scans = orm
    .select({
      balance: accounts.scan_balance,
      debt: accounts.scan_debt,
      trial_at: accounts.scan_trial_at,
    })
    .from(accounts)
    .where(eq(accounts.id, sql.placeholder('id')))
    .prepare()
  // Counts from an index; grouping by tier would read the whole table.
  // Accounts are never deleted, so the last id is their number, and no scrape has to count them.
  const total = orm
    .select({ total: max(accounts.id) })
    .from(accounts)
    .prepare()
  const list = orm.select(ACCOUNT).from(accounts).orderBy(accounts.id).prepare()

  /** Updates the hash unless it changed since the old password was verified. */
  function putHash(id: number, password_hash: string, replaces: string | undefined): boolean {
    const isSame = replaces === undefined ? undefined : eq(accounts.password_hash, replaces)
    const where = and(eq(accounts.id, id), isSame)
    return orm.update(accounts).set({ password_hash }).where(where).run().changes > 0
  }

  function insert(account: NewAccount, now: Date): Account | undefined {
    if (looksTaken(account.email)) return undefined
    const email_skeleton = emailSkeleton(account.email)
    const added = { email_skeleton, granted_tier: account.tier, created_at: now.getTime() }
    return orm
      .insert(accounts)
      .values({ ...account, ...added })
      .onConflictDoNothing()
      .returning(ACCOUNT)
      .get()
  }

  return {
    create: async (account, { now, address }) =>
      inTransaction(db, () => {
        const added = insert(account, now)
        if (added !== undefined) {
          write({ at: now, event: 'registered', account_id: added.id, address })
        }
        return added
      }),
    createInvited: async (account, { now, address }, code_hash) =>
      inTransaction(db, () => {
        const invitation = invitations.findUsable({ code_hash, email: account.email, now })
        if (invitation === undefined) return 'uninvited'
        const added = insert(account, now)
        if (added === undefined) return undefined
        invitations.markUsed(invitation, added.id, now)
        const detail = `invitation ${invitation}`
        write({ at: now, event: 'registered', account_id: added.id, address, detail })
        return added
      }),
    getByEmail: async (email) => byEmail.get({ email }),
    getById: async (id) => byId.get({ id }),
    count: async () => total.get()?.total ?? 0,
    list: async () => list.all(),
    getScans: async (id) => scans.get({ id }) ?? { balance: 0, debt: 0, trial_at: null },
    updateTier: async (email, tier, auditContext) =>
      inTransaction(db, () => {
        const found = byEmail.get({ email })
        if (found === undefined) return undefined
        tiers.grant(found.id, tier, auditContext)
        const { password_hash: _, ...account } = byEmail.get({ email }) ?? found
        return account
      }),
    updateOperator: async (email, is_operator, { now, address }) =>
      inTransaction(db, () => {
        const found = byEmail.get({ email })
        if (found === undefined) return undefined
        const { password_hash: _, ...account } = found
        if (account.is_operator !== is_operator) {
          orm.update(accounts).set({ is_operator }).where(eq(accounts.id, account.id)).run()
          const event = is_operator ? 'operator_granted' : 'operator_revoked'
          write({ at: now, event, account_id: account.id, address })
        }
        return { ...account, is_operator }
      }),
    updatePassword: async (id, password_hash, { now, address, replaces }) =>
      inTransaction(db, () => {
        if (!putHash(id, password_hash, replaces)) return false
        orm.delete(sessions).where(eq(sessions.account_id, id)).run()
        places.forgetAll(id)
        write({ at: now, event: 'password_changed', account_id: id, address })
        return true
      }),
    updatePasswordHash: async (id, password_hash, replaces) => putHash(id, password_hash, replaces),
  }
}
