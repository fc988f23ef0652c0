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
  /** Current session of the browser, which ends. */
  session: Session | undefined
}

/**
 * Logs in to an account. An unknown account and a wrong password have the same response, after the same
 * time.
 *
 * @returns the account, and the token of its new session, which is not stored
 * @throws ServiceError INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS or UNAVAILABLE
 */
export async function logIn(
  deps: LoginDeps,
  hasher: PasswordHasher,
  { email, password, address, session }: LoginInput,
): Promise<{ account: Account; token: string }> {
  for (;;) {
    const found = await deps.ledger.accounts.getByEmail(email)
    const account = await verifyPassword(deps, hasher, { email, password, address, account: found })
    const token = await createSession(deps, { account, address, replaces: session?.id })
    // Undefined if the stored hash has changed since: verify the password again.
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
  change: { session: Session; current: string; wanted: string; address: string },
): Promise<string> {
  const { session, current, wanted, address } = change
  assertPassword('new_password', wanted)
  const { accounts } = deps.ledger
  const { account_id, email } = session
  for (;;) {
    const found = await accounts.getById(account_id)
    const proof = { email, password: current, address, account: found }
    const { password_hash: replaces, ...account } = await verifyPassword(deps, hasher, proof)
    const password_hash = await hasher.hash(wanted)
    const audit = { now: deps.now(), address, replaces }
    // As in `logIn`: the stored hash has changed since.
    if (!(await accounts.updatePassword(account_id, password_hash, audit))) continue
    const changed = { ...account, password_hash }
    const token = await createSession(deps, { account: changed, address, replaces: undefined })
    if (token !== undefined) return token
  }
}

type PasswordAttempt = Omit<LoginInput, 'session'> & { account: Credentials | undefined }

/**
 * Verifies a password. Each failure is counted and written to the audit log.
 *
 * @returns the account with the hash that the password matched
 */
async function verifyPassword(
  deps: LoginDeps,
  hasher: PasswordHasher,
  tried: PasswordAttempt,
): Promise<Credentials> {
  // In sequence: a correct password must not be refused while earlier attempts are pending.
  const line = `${tried.email.toLowerCase()} ${tried.address}`
  return hasher.inSequence(line, () => verifyOnce(deps, hasher, tried))
}

async function verifyOnce(
  deps: LoginDeps,
  hasher: PasswordHasher,
  { email, password, address, account }: PasswordAttempt,
): Promise<Credentials> {
  const { ledger, now } = deps
  const limits = loginLimits(deps, email, address)
  // Counted before the check, so that attempts in several processes cannot exceed the limit.
  await countAttempt(deps, limits)
  let failed = false
  try {
    const { matches, outdated } =
      Buffer.byteLength(password) > PASSWORD_BYTES_MAX
        ? { matches: false, outdated: false }
        : await hasher.verify(password, account?.password_hash)
    failed = !matches
    if (matches && account !== undefined) {
      return outdated ? await rehash(deps, hasher, account, password) : account
    }
  } finally {
    if (!failed) await ledger.attempts.refund(limits)
  }
  await ledger.audit.create({ at: now(), event: 'login_failed', account_id: account?.id, address })
  throw new ServiceError('INVALID_CREDENTIALS', 'Wrong e-mail address or password.')
}

/** Hashes the password with the current parameters. */
async function rehash(
  { ledger }: LoginDeps,
  hasher: PasswordHasher,
  account: Credentials,
  password: string,
): Promise<Credentials> {
  const { id, password_hash: old } = account
  const password_hash = await hasher.hash(password)
  const isSaved = await ledger.accounts.updatePasswordHash(id, password_hash, old)
  return isSaved ? { ...account, password_hash } : account
}

/** @returns the token; undefined if the account's hash has changed since it was verified */
async function createSession(
  { ledger, now }: LoginDeps,
  { account, ...of }: { account: Credentials; address: string; replaces: number | undefined },
): Promise<string | undefined> {
  const token = generateSessionToken((bytes) => randomBytes(bytes))
  const { id: account_id, password_hash } = account
  const session = { account_id, password_hash, token_hash: hashSecret(token), now: now(), ...of }
  return (await ledger.sessions.create(session)) ? token : undefined
}
