import type { Deps } from '#deps.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account, Credentials } from '#store/ledger/accounts.ts'
import type { Session } from '#store/ledger/sessions.ts'
import { createSession, type SessionClient } from './manage-sessions.ts'
import { NEW_PASSWORD_RANK, type PasswordHasher } from './passwords.ts'
import { assertPassword } from './register-account.ts'
import { verifyPassword } from './verify-password.ts'

type LoginDeps = Pick<Deps, 'ledger' | 'config' | 'now' | 'secrets'>

export type LoginInput = SessionClient & {
  email: string
  password: string
  /** Current session of the browser, which a login ends. */
  session: Session | undefined
}

/**
 * Logs in to an account. An unknown account and a wrong password have the same response, after the same
 * time.
 *
 * @returns the account, and the token of its new session, which is not stored
 * @throws ServiceError INVALID_CREDENTIALS, EMAIL_UNCONFIRMED, TOO_MANY_ATTEMPTS or UNAVAILABLE
 */
export async function logIn(
  deps: LoginDeps,
  hasher: PasswordHasher,
  { email, password, address, userAgent, session }: LoginInput,
): Promise<{ account: Account; token: string }> {
  for (;;) {
    const found = await deps.ledger.accounts.getByEmail(email)
    const account = await verifyPassword(deps, hasher, { email, password, address, account: found })
    assertConfirmed(deps, account)
    const client = { address, userAgent }
    const token = await createSession(deps, { account, ...client, replaces: session?.id })
    // Undefined if the stored hash has changed since: the password must be verified again.
    if (token !== undefined) return { account, token }
  }
}

/**
 * Changes an account's password and ends all its sessions. The browser that sent the request gets a new
 * session.
 *
 * @returns the token of the new session
 * @throws ServiceError INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS, UNAVAILABLE or VALIDATION_ERROR
 */
export async function changePassword(
  deps: LoginDeps,
  hasher: PasswordHasher,
  change: SessionClient & { session: Session; current: string; wanted: string },
): Promise<string> {
  const { session, current, wanted, address, userAgent } = change
  assertPassword('new_password', wanted)
  const { accounts } = deps.ledger
  const { account_id, email } = session
  for (;;) {
    const found = await accounts.getById(account_id)
    const proof = { email, password: current, address, account: found }
    const { password_hash: replaces, ...account } = await verifyPassword(deps, hasher, proof)
    const password_hash = await hasher.hash(wanted, NEW_PASSWORD_RANK, clientNetwork(address))
    const audit = { now: deps.now(), address, replaces }
    // As in `logIn`: the stored hash has changed since.
    if (!(await accounts.updatePassword(account_id, password_hash, audit))) continue
    const changed = { ...account, password_hash }
    const begun = { account: changed, address, userAgent, replaces: undefined }
    const token = await createSession(deps, begun)
    if (token !== undefined) return token
  }
}

/** @throws ServiceError EMAIL_UNCONFIRMED, which only the owner of the password sees */
function assertConfirmed({ config }: LoginDeps, { email_confirmed_at }: Credentials): void {
  if (!config.requiresConfirmedEmail || email_confirmed_at !== null) return
  throw new ServiceError(
    'EMAIL_UNCONFIRMED',
    'Confirm your e-mail address first: open the link in the mail, or request another one.',
  )
}
