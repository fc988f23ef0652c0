import { randomBytes } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { PASSWORD_BYTES_MAX } from '#rules/accounts/passwords.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account, Credentials } from '#store/ledger/accounts.ts'
import type { Session } from '#store/ledger/sessions.ts'
import type { PasswordHasher } from './passwords.ts'
import { countAttempt, loginLimits } from './rate-limits.ts'
import { assertPassword } from './register-account.ts'

type LoginDeps = Pick<Deps, 'ledger' | 'config' | 'now'>

export type LoginInput = {
  email: string
  password: string
  address: string
  /** The session that the browser has until now: it ends. */
  session: Session | undefined
}

/**
 * Logs somebody in. Whether there is no such account or the password is wrong, answer and time are
 * the same.
 *
 * @returns the account, and the token of its new session, which is told here and never again
 * @throws ServiceError INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS or UNAVAILABLE
 */
export async function logIn(
  deps: LoginDeps,
  hasher: PasswordHasher,
  { email, password, address, session }: LoginInput,
): Promise<{ account: Account; token: string }> {
  for (;;) {
    const found = await deps.ledger.accounts.getByEmail(email)
    const account = await prove(deps, hasher, { email, password, address, account: found })
    const token = await beginSession(deps, { account, address, replaces: session?.id })
    // Without one the password is another one by now, or was hashed anew: it is looked at again.
    if (token !== undefined) return { account, token }
  }
}

/**
 * Gives an account another password. All its sessions end, also those of whoever knew the old one;
 * the browser that asked gets a new one.
 *
 * @returns the token of the new session
 * @throws ServiceError INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS, UNAVAILABLE or VALIDATION_ERROR
 */
export async function changePassword(
  deps: LoginDeps,
  hasher: PasswordHasher,
  change: { session: Session; current: string; wanted: string; address: string },
): Promise<string> {
  const { session, current, wanted, address } = change
  assertPassword('new_password', wanted)
  const { accounts } = deps.ledger
  const { account_id, email } = session
  for (;;) {
    const found = await accounts.getById(account_id)
    const proof = { email, password: current, address, account: found }
    const { password_hash: replaces, ...account } = await prove(deps, hasher, proof)
    const password_hash = await hasher.hash(wanted)
    const deed = { now: deps.now(), address, replaces }
    // As with logging in: the current password is another one by now, or was hashed anew.
    if (!(await accounts.updatePassword(account_id, password_hash, deed))) continue
    const changed = { ...account, password_hash }
    const token = await beginSession(deps, { account: changed, address, replaces: undefined })
    if (token !== undefined) return token
  }
}

type Tried = { email: string; password: string; address: string; account: Credentials | undefined }

/**
 * Lets pass who knows the password; each failure counts, and is written down.
 *
 * @returns the account with the hash that the password was proven against
 */
async function prove(deps: LoginDeps, hasher: PasswordHasher, tried: Tried): Promise<Credentials> {
  // One after the other, or right passwords would be refused because others are still looked at.
  const line = `${tried.email.toLowerCase()} ${tried.address}`
  return hasher.inSequence(line, () => proveNow(deps, hasher, tried))
}

async function proveNow(
  deps: LoginDeps,
  hasher: PasswordHasher,
  { email, password, address, account }: Tried,
): Promise<Credentials> {
  const { ledger, now } = deps
  const limits = loginLimits(deps, { email, address })
  // Counted before the password is looked at, so that tries in several processes are not one too many.
  await countAttempt(deps, limits)
  let failed = false
  try {
    const { matches, outdated } =
      Buffer.byteLength(password) > PASSWORD_BYTES_MAX
        ? { matches: false, outdated: false }
        : await hasher.verify(password, account?.password_hash)
    failed = !matches
    if (matches && account !== undefined) {
      return outdated ? await rehashed(deps, hasher, account, password) : account
    }
  } finally {
    if (!failed) await ledger.attempts.refund(limits)
  }
  await ledger.audit.create({ at: now(), event: 'login_failed', account_id: account?.id, address })
  throw invalidCredentials()
}

/** The account with its password hashed as today. */
async function rehashed(
  { ledger }: LoginDeps,
  hasher: PasswordHasher,
  account: Credentials,
  password: string,
): Promise<Credentials> {
  const password_hash = await hasher.hash(password)
  const isKept = await ledger.accounts.updatePasswordHash(
    account.id,
    password_hash,
    account.password_hash,
  )
  return isKept ? { ...account, password_hash } : account
}

/** @returns the token; undefined when the account's hash is another one than was proven */
async function beginSession(
  { ledger, now }: LoginDeps,
  { account, ...of }: { account: Credentials; address: string; replaces: number | undefined },
): Promise<string | undefined> {
  const token = generateSessionToken((bytes) => randomBytes(bytes))
  const { id: account_id, password_hash } = account
  const session = { account_id, password_hash, token_hash: hashSecret(token), now: now(), ...of }
  return (await ledger.sessions.create(session)) ? token : undefined
}

function invalidCredentials(): ServiceError {
  return new ServiceError('INVALID_CREDENTIALS', 'Address or password is wrong.')
}
