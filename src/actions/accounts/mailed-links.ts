import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Credentials } from '#store/ledger/accounts.ts'
import type { PasswordReset } from '#store/ledger/logins/mailed-tokens.ts'
import { NEW_PASSWORD_RANK, type PasswordHasher } from './passwords.ts'
import { countAttempt, linkLimits } from './rate-limits.ts'
import { assertPassword } from './register-account.ts'

type LinkDeps = Pick<Deps, 'config' | 'ledger' | 'now'>

/**
 * Sets a new password with the token of a mail, ends all sessions, and removes links to the login provider that are
 * older than the first confirmation of the address.
 *
 * @returns the account, and the number of removed links
 * @throws ServiceError VALIDATION_ERROR, LINK_INVALID, TOO_MANY_ATTEMPTS or UNAVAILABLE
 */
export async function resetPasswordByMail(
  deps: LinkDeps,
  hasher: PasswordHasher,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<PasswordReset> {
  assertPassword('new_password', password)
  const { ledger, now } = deps
  const token_hash = hashSecret(token)
  // Before the password is hashed, so that only the owner of a link costs that time.
  const accountId = await ledger.mailedTokens.find(token_hash, 'reset', now())
  if (accountId === undefined) return refuseLink(deps, address)
  // In sequence, because an earlier request may use the link.
  return hasher.inSequence(`reset ${accountId}`, async () => {
    const found = await ledger.mailedTokens.find(token_hash, 'reset', now())
    if (found === undefined) return refuseLink(deps, address)
    const hash = await hasher.hash(password, NEW_PASSWORD_RANK, clientNetwork(address))
    const audit = { now: now(), address }
    const reset = await ledger.mailedTokens.resetPassword(token_hash, hash, audit)
    return reset ?? refuseLink(deps, address)
  })
}

/**
 * Confirms an e-mail address with the token of a mail.
 *
 * @returns the account
 * @throws ServiceError LINK_INVALID or TOO_MANY_ATTEMPTS
 */
export async function confirmEmail(
  deps: LinkDeps,
  { token, address }: { token: string; address: string },
): Promise<Credentials> {
  const audit = { now: deps.now(), address }
  const account = await deps.ledger.mailedTokens.confirmEmail(hashSecret(token), audit)
  return account ?? refuseLink(deps, address)
}

/** Refuses a link that is not valid. Only these are counted, so that nobody can keep the owner of one from using it. */
async function refuseLink(deps: LinkDeps, address: string): Promise<never> {
  await countAttempt(deps, linkLimits(address))
  throw new ServiceError(
    'LINK_INVALID',
    'This link has expired, was used, or was replaced by newer ones. Request another mail.',
  )
}
