import type { Deps } from '#deps.ts'
import { TIERS, type Tier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { PasswordHasher } from './passwords.ts'
import { assertPassword } from './register-account.ts'

type AccountDeps = Pick<Deps, 'ledger' | 'now'>

/**
 * Changes an account's tier, as the operator.
 *
 * @throws ServiceError NOT_FOUND, or VALIDATION_ERROR for an unknown tier
 */
export async function changeTier(
  { ledger, now }: AccountDeps,
  { email, tier }: { email: string; tier: string },
): Promise<Account> {
  const audit = { now: now(), address: undefined }
  const account = await ledger.accounts.updateTier(email, parseTier(tier), audit)
  return account ?? accountNotFound(email)
}

/**
 * Grants or revokes an account's operator rights.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function setOperator(
  { ledger, now }: AccountDeps,
  { email, is_operator }: { email: string; is_operator: boolean },
): Promise<Account> {
  const audit = { now: now(), address: undefined }
  const account = await ledger.accounts.updateOperator(email, is_operator, audit)
  return account ?? accountNotFound(email)
}

/**
 * Sets a new password for an account, and ends all its sessions.
 *
 * @throws ServiceError NOT_FOUND, or VALIDATION_ERROR for a password of invalid length
 */
export async function resetPassword(
  deps: AccountDeps,
  hasher: PasswordHasher,
  { email, password }: { email: string; password: string },
): Promise<Account> {
  assertPassword('password', password)
  const account = await getAccount(deps, email)
  const audit = { now: deps.now(), address: undefined }
  await deps.ledger.accounts.updatePassword(account.id, await hasher.hash(password), audit)
  return account
}

/** Accounts that people have registered themselves, which keep their limits on a private server. */
export type RegisteredAccounts = { accounts: Account[]; has_more: boolean }

export async function listRegistered({
  ledger,
}: Pick<Deps, 'ledger'>): Promise<RegisteredAccounts> {
  const found = await ledger.accounts.listRegistered(LISTED_MAX + 1)
  return { accounts: found.slice(0, LISTED_MAX), has_more: found.length > LISTED_MAX }
}

/** More than register before a server is set up. */
const LISTED_MAX = 100

/** @throws ServiceError NOT_FOUND */
export async function getAccount({ ledger }: AccountDeps, email: string): Promise<Account> {
  const found = await ledger.accounts.getByEmail(email)
  if (found === undefined) return accountNotFound(email)
  const { password_hash: _, email_confirmed_at: __, ...account } = found
  return account
}

/** @throws ServiceError VALIDATION_ERROR for an unknown tier */
function parseTier(text: string): Tier {
  const tier = TIERS.find((known) => known === text)
  if (tier !== undefined) return tier
  throw new ServiceError('VALIDATION_ERROR', `"tier" must be one of ${TIERS.join(', ')}.`)
}

function accountNotFound(email: string): never {
  const remedy = '"bun run admin account list" lists all accounts.'
  throw new ServiceError('NOT_FOUND', `No account has the e-mail address ${email}. ${remedy}`)
}
