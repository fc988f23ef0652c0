import type { Deps } from '#deps.ts'
import { findPasswordProblem } from '#rules/accounts/passwords.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { PasswordHasher } from './passwords.ts'
import { countAttempt, registrationLimits } from './rate-limits.ts'

export type RegistrationInput = {
  email: string
  password: string
  tier: Tier
  /** Where it comes from; undefined: from the command line, which nothing limits. */
  address: string | undefined
}

/**
 * Opens an account.
 *
 * @throws ServiceError EMAIL_TAKEN, TOO_MANY_ATTEMPTS, UNAVAILABLE, or VALIDATION_ERROR that names
 *   the field
 */
export async function registerAccount(
  deps: Pick<Deps, 'ledger' | 'config' | 'now'>,
  hasher: PasswordHasher,
  { email, password, tier, address }: RegistrationInput,
): Promise<Account> {
  if (!EMAIL.test(email)) throw new ServiceError('VALIDATION_ERROR', '"email" must be an address.')
  assertPassword('password', password)
  if (address !== undefined) await countAttempt(deps, registrationLimits(deps, address))
  // Hashed before anybody looks whether the address is taken: either answer takes as long.
  const password_hash = await hasher.hash(password)
  const deed = { now: deps.now(), address }
  const account = await deps.ledger.accounts.create({ email, password_hash, tier }, deed)
  if (account === undefined) {
    throw new ServiceError('EMAIL_TAKEN', 'An account with this address exists already. Log in.')
  }
  return account
}

/** @throws ServiceError VALIDATION_ERROR that names the field */
export function assertPassword(field: string, password: string): void {
  const fault = findPasswordProblem(password)
  if (fault !== undefined) throw new ServiceError('VALIDATION_ERROR', `"${field}" ${fault}.`)
}

// One @ with something on both sides: whether mail arrives there only mail can tell.
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u
