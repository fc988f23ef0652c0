import type { Deps } from '#deps.ts'
import { isEmailAddress } from '#rules/accounts/email-address.ts'
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
  /** IP address of the client; undefined for the command line, which has no rate limit. */
  address: string | undefined
}

/**
 * Creates an account.
 *
 * @throws ServiceError EMAIL_TAKEN, TOO_MANY_ATTEMPTS, UNAVAILABLE, or VALIDATION_ERROR with the name
 *   of the field
 */
export async function registerAccount(
  deps: Pick<Deps, 'ledger' | 'config' | 'now'>,
  hasher: PasswordHasher,
  { email, password, tier, address }: RegistrationInput,
): Promise<Account> {
  if (!isEmailAddress(email))
    throw new ServiceError('VALIDATION_ERROR', '"email" must be an e-mail address.')
  assertPassword('password', password)
  const limits = address === undefined ? [] : registrationLimits(deps, address)
  await countAttempt(deps, limits)
  const rank = await deps.ledger.attempts.countSpent(limits, deps.now())
  // Hashed first, so that the response to an address that is taken takes as long.
  const password_hash = await hasher.hash(password, rank)
  const audit = { now: deps.now(), address }
  const account = await deps.ledger.accounts.create({ email, password_hash, tier }, audit)
  if (account === undefined) {
    throw new ServiceError(
      'EMAIL_TAKEN',
      'An account with this e-mail address, or one that looks like it, already exists. Log in instead.',
    )
  }
  return account
}

/** @throws ServiceError VALIDATION_ERROR with the name of the field */
export function assertPassword(field: string, password: string): void {
  const problem = findPasswordProblem(password)
  if (problem !== undefined) throw new ServiceError('VALIDATION_ERROR', `"${field}" ${problem}.`)
}
