import { and, count, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Tier } from '#rules/accounts/tiers.ts'
import { type Db, inTransaction } from '../db.ts'
import { openAuditWriter } from './audit.ts'
import type { AuditContext } from './keys.ts'
import { accounts, sessions } from './schema.ts'
import { openTierWriter } from './tiers.ts'

/** Times are epoch milliseconds. */
export type Account = {
  id: number
  email: string
  tier: Tier
  /** Whether its sessions see how the service fares, and may start a sync. */
  is_operator: boolean
  created_at: number
}

/** What of an account only logging in needs. */
export type Credentials = Account & { password_hash: string }

const ACCOUNT = {
  id: accounts.id,
  email: accounts.email,
  tier: accounts.tier,
  is_operator: accounts.is_operator,
  created_at: accounts.created_at,
}

/** Who may ask. */
export function openAccountStore(db: Db) {
  const orm = drizzle(db)
  const write = openAuditWriter(db)
  const tiers = openTierWriter(db)
  const byEmail = orm
    .select({ ...ACCOUNT, password_hash: accounts.password_hash })
    .from(accounts)
    .where(eq(accounts.email, sql.placeholder('email')))
    .prepare()
  const byId = orm
    .select({ ...ACCOUNT, password_hash: accounts.password_hash })
    .from(accounts)
    .where(eq(accounts.id, sql.placeholder('id')))
    .prepare()
  const scans = orm
    .select({
      balance: accounts.scan_balance,
      debt: accounts.scan_debt,
      trial_at: accounts.scan_trial_at,
    })
    .from(accounts)
    .where(eq(accounts.id, sql.placeholder('id')))
    .prepare()
  // Read off an index: by tier, all of the table would have to be read.
  const total = orm.select({ total: count() }).from(accounts).prepare()
  const list = orm.select(ACCOUNT).from(accounts).orderBy(accounts.id).prepare()

  /** What was changed meanwhile stays: whoever proved the old password comes too late. */
  function putHash(id: number, password_hash: string, replaces: string | undefined): boolean {
    const isSame = replaces === undefined ? undefined : eq(accounts.password_hash, replaces)
    const where = and(eq(accounts.id, id), isSame)
    return orm.update(accounts).set({ password_hash }).where(where).run().changes > 0
  }

  return {
    /** @returns undefined when the address is taken */
    async create(
      account: { email: string; password_hash: string; tier: Tier },
      { now, address }: AuditContext,
    ): Promise<Account | undefined> {
      return inTransaction(db, () => {
        const added = orm
          .insert(accounts)
          .values({ ...account, granted_tier: account.tier, created_at: now.getTime() })
          .onConflictDoNothing()
          .returning(ACCOUNT)
          .get()
        if (added !== undefined) {
          write({ at: now, event: 'registered', account_id: added.id, address })
        }
        return added
      })
    },
    getByEmail: async (email: string): Promise<Credentials | undefined> => byEmail.get({ email }),
    getById: async (id: number): Promise<Credentials | undefined> => byId.get({ id }),
    count: async (): Promise<number> => total.get()?.total ?? 0,
    list: async (): Promise<Account[]> => list.all(),
    /** How many scans an account has left; `trial_at` is null before its first identification. */
    getScans: async (id: number) => scans.get({ id }) ?? { balance: 0, debt: 0, trial_at: null },
    /**
     * Gives an account a tier; where it pays for a higher one, that stays.
     *
     * @returns the account as it is now; undefined when there is none with that address
     */
    async updateTier(
      email: string,
      tier: Tier,
      auditContext: AuditContext,
    ): Promise<Account | undefined> {
      return inTransaction(db, () => {
        const found = byEmail.get({ email })
        if (found === undefined) return undefined
        tiers.grant(found.id, tier, auditContext)
        const { password_hash: _, ...account } = byEmail.get({ email }) ?? found
        return account
      })
    },
    /**
     * Marks an account as operator, or no longer; its sessions know it from their next request on.
     *
     * @returns the account as it is now; undefined when there is none with that address
     */
    async updateOperator(
      email: string,
      is_operator: boolean,
      { now, address }: AuditContext,
    ): Promise<Account | undefined> {
      return inTransaction(db, () => {
        const found = byEmail.get({ email })
        if (found === undefined) return undefined
        const { password_hash: _, ...account } = found
        if (account.is_operator !== is_operator) {
          orm.update(accounts).set({ is_operator }).where(eq(accounts.id, account.id)).run()
          const event = is_operator ? 'operator_granted' : 'operator_revoked'
          write({ at: now, event, account_id: account.id, address })
        }
        return { ...account, is_operator }
      })
    },
    /**
     * Gives an account another password, and ends all of its sessions.
     *
     * @returns whether it did: not where its hash is another one than `replaces` by now
     */
    async updatePassword(
      id: number,
      password_hash: string,
      { now, address, replaces }: AuditContext & { replaces?: string },
    ): Promise<boolean> {
      return inTransaction(db, () => {
        if (!putHash(id, password_hash, replaces)) return false
        orm.delete(sessions).where(eq(sessions.account_id, id)).run()
        write({ at: now, event: 'password_changed', account_id: id, address })
        return true
      })
    },
    /**
     * Keeps the same password as another hash.
     *
     * @returns whether it did: not where the hash is another one than `replaces` by now
     */
    updatePasswordHash: async (
      id: number,
      password_hash: string,
      replaces: string,
    ): Promise<boolean> => putHash(id, password_hash, replaces),
  }
}
