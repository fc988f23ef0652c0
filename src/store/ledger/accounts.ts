import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Tier } from '#rules/tiers.ts'
import type { Db } from '../db.ts'
import { accounts } from './schema.ts'

export type Account = { id: number; email: string; tier: Tier; created_at: number }

const ACCOUNT = {
  id: accounts.id,
  email: accounts.email,
  tier: accounts.tier,
  created_at: accounts.created_at,
}

/** Who may ask. */
export function openAccounts(db: Db) {
  const orm = drizzle(db)
  const byEmail = orm
    .select(ACCOUNT)
    .from(accounts)
    .where(eq(accounts.email, sql.placeholder('email')))
    .prepare()
  const list = orm.select(ACCOUNT).from(accounts).orderBy(accounts.id).prepare()

  return {
    /** @returns undefined when the address is taken */
    async add(account: {
      email: string
      password_hash: string
      tier: Tier
      now: Date
    }): Promise<Account | undefined> {
      const { now, ...rest } = account
      return orm
        .insert(accounts)
        .values({ ...rest, created_at: now.getTime() })
        .onConflictDoNothing()
        .returning(ACCOUNT)
        .get()
    },
    byEmail: async (email: string): Promise<Account | undefined> => byEmail.get({ email }),
    list: async (): Promise<Account[]> => list.all(),
    /** @returns the account as it is now; undefined when there is none with that address */
    async putTier(email: string, tier: Tier): Promise<Account | undefined> {
      return orm
        .update(accounts)
        .set({ tier })
        .where(eq(accounts.email, email))
        .returning(ACCOUNT)
        .get()
    },
  }
}
