import type { Deps } from '#deps.ts'
import { PASSWORD_BYTES_MAX } from '#rules/accounts/credentials.ts'
import { LOGIN_PLACE_DAYS } from '#rules/operations/retention.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account, Credentials } from '#store/ledger/accounts.ts'
import type { Session } from '#store/ledger/sessions.ts'
import { createSession, loginPlace, type SessionClient } from './manage-sessions.ts'
import type { PasswordHasher } from './passwords.ts'
import {
  countAttempt,
  LOGIN_WAIT_MAX_MS,
  type LoginLimits,
  loginLimits,
  tooManyAttempts,
} from './rate-limits.ts'
import { assertPassword } from './register-account.ts'

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
    const password_hash = await hasher.hash(wanted)
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

type PasswordAttempt = Omit<LoginInput, 'session' | 'userAgent'> & {
  account: Credentials | undefined
}

/**
 * Verifies a password. Each failure is counted and written to the audit log. A network from which the
 * account has logged in before has its own allowance; all others share the turns of the e-mail address.
 *
 * @returns the account with the hash that the password matched
 */
export async function verifyPassword(
  deps: LoginDeps,
  hasher: PasswordHasher,
  tried: PasswordAttempt,
): Promise<Credentials> {
  // In sequence, so that a correct password is not refused while earlier attempts are pending.
  const line = `${tried.email.toLowerCase()} ${tried.address}`
  return hasher.inSequence(line, () => verifyInSequence(deps, hasher, tried))
}

async function verifyInSequence(
  deps: LoginDeps,
  hasher: PasswordHasher,
  tried: PasswordAttempt,
): Promise<Credentials> {
  const { ledger, now } = deps
  const { email, address, account } = tried
  const limits = loginLimits(deps, email, address)
  const isKnown = await isKnownPlace(deps, account?.id ?? NO_ACCOUNT, address)
  // Counted before the check, so that attempts in several processes cannot exceed the limit.
  await countAttempt(deps, limits.network)
  let failed = false
  try {
    const verified = isKnown
      ? await matchPassword(deps, hasher, tried, 0)
      : await matchInTurn(deps, hasher, tried, limits)
    failed = verified === undefined
    if (verified !== undefined) return verified
  } finally {
    if (!failed) await ledger.attempts.refund(limits.network)
  }
  await ledger.audit.create({ at: now(), event: 'login_failed', account_id: account?.id, address })
  throw new ServiceError('INVALID_CREDENTIALS', 'Wrong e-mail address or password.')
}

/**
 * Checks a password from an unknown network in its turn. The network with the fewest failures goes first, so that a
 * person without failures precedes one who guesses.
 */
async function matchInTurn(
  deps: LoginDeps,
  hasher: PasswordHasher,
  tried: PasswordAttempt,
  { network, pace, history }: LoginLimits,
): Promise<Credentials | undefined> {
  const { ledger, now } = deps
  const match = async () =>
    matchPassword(deps, hasher, tried, await ledger.attempts.countSpent(network, now()))
  if (pace === undefined) return match()
  const rank = await ledger.attempts.countSpent(history, now())
  const deadline = now().getTime() + LOGIN_WAIT_MAX_MS
  const turn = { rank, isOver: () => now().getTime() > deadline }
  return hasher.inTurn(
    pace.name,
    async () => {
      const booking = await ledger.attempts.book(pace, now())
      if (!booking.isBooked) throw tooManyAttempts(booking.waitMs)
      let failed = false
      try {
        if (booking.delayMs > 0) await hasher.sleep(booking.delayMs)
        const verified = await match()
        failed = verified === undefined
        return verified
      } finally {
        if (failed) await ledger.attempts.record(history, now())
        else await ledger.attempts.refund([pace])
      }
    },
    turn,
  )
}

/** @returns the account; undefined for a wrong password */
async function matchPassword(
  deps: LoginDeps,
  hasher: PasswordHasher,
  { password, account }: PasswordAttempt,
  rank: number,
): Promise<Credentials | undefined> {
  if (Buffer.byteLength(password) > PASSWORD_BYTES_MAX) return undefined
  const { matches, outdated } = await hasher.verify(password, account?.password_hash, rank)
  if (!matches || account === undefined) return undefined
  return outdated ? rehash(deps, hasher, account, password) : account
}

/** Checks whether the account has logged in from the client's network before. */
function isKnownPlace(deps: LoginDeps, accountId: number, address: string): Promise<boolean> {
  const place = loginPlace(deps, accountId, address)
  return deps.ledger.loginPlaces.has(accountId, place, dayOf(deps.now()) - LOGIN_PLACE_DAYS)
}

/** ID that no account has, so that an unknown e-mail address takes the same time. */
const NO_ACCOUNT = 0

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
