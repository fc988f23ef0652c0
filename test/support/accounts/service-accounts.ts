import { randomUUID } from 'node:crypto'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { createKey } from '#actions/accounts/manage-keys.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { openLedger } from '#store/open-ledger.ts'

/** An account of a running service, with an API key and a session cookie. */
export type ServiceAccount = { email: string; key: string; cookie: string }

export type NewServiceAccount = {
  tier: Tier
  /** Number of granted scans; 0 by default. */
  scans?: number
  isOperator?: boolean
  /** Password; without one nobody can log in, which saves the time of a hash. */
  password?: string
}

/** Creates accounts in the ledger of a data folder, even while its service runs. */
export async function createServiceAccounts(
  dataDir: string,
  wanted: readonly NewServiceAccount[],
): Promise<ServiceAccount[]> {
  const ledger = openLedger(dataDir)
  try {
    return await createAccounts(ledger, wanted)
  } finally {
    await ledger.close()
  }
}

/** Creates accounts in a ledger. */
export async function createAccounts(
  ledger: Ledger,
  wanted: readonly NewServiceAccount[],
): Promise<ServiceAccount[]> {
  const deps = { ledger, now: () => new Date() }
  const hasher = createPasswordHasher()
  const context = { now: new Date(), address: undefined }

  async function create(account: NewServiceAccount): Promise<ServiceAccount> {
    const email = `${randomUUID()}@accounts.example`
    const { tier, scans = 0, password } = account
    const password_hash = password === undefined ? 'none' : await hasher.hash(password)
    const created = await ledger.accounts.create({ email, password_hash, tier }, context)
    if (created === undefined) throw new Error(`${email} is taken`)
    const owner = { account_id: created.id, address: undefined }
    const { key } = await createKey(deps, { ...owner, name: 'chaos' })
    if (account.isOperator) await setOperator(deps, { email, is_operator: true })
    if (scans > 0) {
      await ledger.scans.grant({ account_id: created.id, n: scans, ref: randomUUID() }, context)
    }
    const token = generateSessionToken((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
    const session = { account_id: created.id, password_hash, token_hash: hashSecret(token) }
    await ledger.sessions.create({ ...session, ...context, replaces: undefined, address: 'chaos' })
    return { email, key, cookie: `session=${token}` }
  }

  const accounts: ServiceAccount[] = []
  for (const account of wanted) accounts.push(await create(account))
  return accounts
}
