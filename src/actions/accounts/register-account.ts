import type { Deps } from '#deps.ts'
import { findPasswordProblem, hashSecret } from '#rules/accounts/credentials.ts'
import { isEmailAddress } from '#rules/accounts/email-address.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account } from '#store/ledger/accounts.ts'
import { NEW_PASSWORD_RANK, type PasswordHasher } from './passwords.ts'
import { countAttempt, firstMailLimits, registrationLimits } from './rate-limits.ts'

export type RegistrationInput = {
  email: string
  password: string
  tier: Tier
  /** IP address of the client; undefined for the operator's command line, which has no limits. */
  address: string | undefined
  /** Code sent by the client. */
  invitation?: string | undefined
}

/**
 * Creates an account.
 *
 * @throws ServiceError EMAIL_TAKEN, INVITATION_REQUIRED, REGISTRATION_CLOSED, TOO_MANY_ATTEMPTS,
 *   UNAVAILABLE, or VALIDATION_ERROR with the name of the field
 */
export async function registerAccount(
  deps: Pick<Deps, 'ledger' | 'config' | 'now'>,
  hasher: PasswordHasher,
  { email, password, tier, address, invitation }: RegistrationInput,
): Promise<Account> {
  const mode = address === undefined ? 'open' : deps.config.registration
  if (mode === 'closed') throw registrationClosed()
  if (!isEmailAddress(email))
    throw new ServiceError('VALIDATION_ERROR', '"email" must be an e-mail address.')
  assertPassword('password', password)
  const limits = address === undefined ? [] : registrationLimits(deps, address)
  await countAttempt(deps, limits)
  const code = mode === 'invite' ? hashSecret(invitation?.trim() ?? '') : undefined
  // Before the password is hashed, so that people who are refused do not cost that time.
  if (code !== undefined) await assertInvited(deps, code, email)
  const { accounts } = deps.ledger
  // The response says so anyway, so the hash would hide nothing.
  if (await accounts.isTaken(email)) throw emailTaken()
  if (address !== undefined) await countAttempt(deps, firstMailLimits(deps, email, address))
  const rank = NEW_PASSWORD_RANK + (await deps.ledger.attempts.countSpent(limits, deps.now()))
  const password_hash = await hasher.hash(password, rank, clientNetwork(address ?? ''))
  const audit = { now: deps.now(), address }
  const created = { email, password_hash, tier }
  const account =
    code === undefined
      ? await accounts.create(created, audit)
      : await accounts.createInvited(created, audit, code)
  if (account === 'uninvited') throw invitationRequired()
  if (account === undefined) throw emailTaken()
  return account
}

export function emailTaken(): ServiceError {
  return new ServiceError(
    'EMAIL_TAKEN',
    'An account with this e-mail address, or one that looks like it, already exists. Log in instead.',
  )
}

/** @throws ServiceError INVITATION_REQUIRED */
async function assertInvited(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  code_hash: Uint8Array,
  email: string,
): Promise<void> {
  if (!(await ledger.invitations.isUsable({ code_hash, email, now: now() }))) {
    throw invitationRequired()
  }
}

function invitationRequired(): ServiceError {
  return new ServiceError(
    'INVITATION_REQUIRED',
    'A valid invitation for this e-mail address is required. Ask the operator for one.',
  )
}

function registrationClosed(): ServiceError {
  return new ServiceError(
    'REGISTRATION_CLOSED',
    'Registration is closed. Ask the operator to create an account for you.',
  )
}

/** @throws ServiceError VALIDATION_ERROR with the name of the field */
export function assertPassword(field: string, password: string): void {
  const problem = findPasswordProblem(password)
  if (problem !== undefined) throw new ServiceError('VALIDATION_ERROR', `"${field}" ${problem}.`)
}
