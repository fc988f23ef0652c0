import type { Deps } from '#deps.ts'
import { PASSWORD_BYTES_MAX } from '#rules/accounts/credentials.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Credentials } from '#store/ledger/accounts.ts'
import type { LimitedAction } from '#store/ledger/attempts.ts'
import { isKnownPlace } from './manage-sessions.ts'
import type { PasswordHasher } from './passwords.ts'
import { LOGIN_WAIT_MAX_MS, type LoginLimits, loginLimits, tooManyAttempts } from './rate-limits.ts'

type PasswordDeps = Pick<Deps, 'ledger' | 'config' | 'now' | 'secrets'>

type PasswordAttempt = {
  email: string
  password: string
  address: string
  account: Credentials | undefined
}

/**
 * Verifies a password. Each failure is counted and written to the audit log. All attempts share the turns of the e-mail
 * address. In a network from which the account has logged in before, the password is also checked immediately, and a
 * correct one is accepted whatever others in the network have done. A wrong one has the same response, after the same
 * time, as from any other network: only the owner of the password can tell that the network is known.
 *
 * @returns the account with the hash that the password matched
 * @throws ServiceError INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS or UNAVAILABLE
 */
export async function verifyPassword(
  deps: PasswordDeps,
  hasher: PasswordHasher,
  tried: PasswordAttempt,
): Promise<Credentials> {
  // In sequence, so that a correct password is not refused while earlier attempts are pending.
  const line = `${tried.email.toLowerCase()} ${tried.address}`
  return hasher.inSequence(line, () => verifyInSequence(deps, hasher, tried))
}

async function verifyInSequence(
  deps: PasswordDeps,
  hasher: PasswordHasher,
  tried: PasswordAttempt,
): Promise<Credentials> {
  const { attempts } = deps.ledger
  const { email, address, account } = tried
  const limits = loginLimits(deps, email, address)
  const counted = [...limits.place, ...limits.network]
  const isKnown = await isKnownPlace(deps, account?.id ?? NO_ACCOUNT, address)
  // Counted before the check, so that attempts in several processes cannot exceed the limit.
  const waitMs = await attempts.consume(counted, deps.now())
  if (waitMs !== undefined && (await isUsedUp(deps, limits.place))) throw tooManyAttempts(waitMs)
  const refusableAt = deps.now().getTime() + REFUSAL_MS
  const check = createCheck(deps, hasher, tried)
  const early = isKnown ? checkEarly(deps, limits.early, check) : undefined
  let failed = false
  try {
    const late = (
      waitMs === undefined
        ? checkInTurn(deps, hasher, limits, check)
        : Promise.reject(tooManyAttempts(waitMs))
    ).catch((error) => refuseLate(deps, hasher, { error, refusableAt }))
    const verified = await (early === undefined ? late : preferEarly(early, late))
    failed = verified === undefined
    if (verified !== undefined) return verified
  } finally {
    if (waitMs === undefined && !failed) await attempts.refund(counted)
  }
  throw new ServiceError('INVALID_CREDENTIALS', 'Wrong e-mail address or password.')
}

/** Checks the password of an attempt. @returns the account; undefined for a wrong password */
type Check = (rank: number) => Promise<Credentials | undefined>

/** Creates the check of an attempt, which may be needed twice. The second one has the same result and takes as long. */
function createCheck(deps: PasswordDeps, hasher: PasswordHasher, tried: PasswordAttempt): Check {
  const { password, address } = tried
  let first: ReturnType<Check> | undefined
  let isPending = true
  return async (rank) => {
    if (first === undefined) {
      first = matchPassword(deps, hasher, tried, rank).finally(() => {
        isPending = false
      })
      return first
    }
    const wasPending = isPending
    const matched = await first
    if (matched === undefined && !wasPending) {
      await hasher.verify(password, undefined, rank, clientNetwork(address))
    }
    return matched
  }
}

/** Checks the password before its turn, unless too many wrong ones were checked in this way. */
async function checkEarly(
  { ledger, now }: PasswordDeps,
  limits: readonly LimitedAction[],
  check: Check,
): ReturnType<Check> {
  if ((await ledger.attempts.consume(limits, now())) !== undefined) return undefined
  let failed = false
  try {
    const matched = await check(0)
    failed = matched === undefined
    return matched
  } finally {
    if (!failed) await ledger.attempts.refund(limits)
  }
}

/** Returns the result of the early check if the password is correct, and otherwise that of the late one. */
function preferEarly(early: ReturnType<Check>, late: ReturnType<Check>): ReturnType<Check> {
  return Promise.race([
    late,
    early.then(
      (matched) => matched ?? late,
      () => late,
    ),
  ])
}

/** Refuses an attempt; if there were too many, not before the time in which an early check ends. */
async function refuseLate(
  { now }: PasswordDeps,
  hasher: PasswordHasher,
  { error, refusableAt }: { error: unknown; refusableAt: number },
): Promise<undefined> {
  const isLimited = error instanceof ServiceError && error.code === 'TOO_MANY_ATTEMPTS'
  const leftMs = refusableAt - now().getTime()
  if (isLimited && leftMs > 0) await hasher.sleep(leftMs)
  throw error
}

/** Many times as long as a check, and short enough for a person who waits. */
const REFUSAL_MS = 2_000

async function isUsedUp(
  { ledger, now }: PasswordDeps,
  limits: readonly LimitedAction[],
): Promise<boolean> {
  const [first] = limits
  return (
    first !== undefined && (await ledger.attempts.countSpent(limits, now())) >= first.limit.limit
  )
}

/**
 * Checks a password in its turn. The network with the fewest failures goes first, so that a person without failures
 * precedes one who guesses.
 */
async function checkInTurn(
  { ledger, now }: PasswordDeps,
  hasher: PasswordHasher,
  { place, network, pace, history }: LoginLimits,
  check: Check,
): ReturnType<Check> {
  const checkRanked = async () =>
    check(await ledger.attempts.countSpent([...place, ...network], now()))
  if (pace === undefined) return checkRanked()
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
        const verified = await checkRanked()
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

/** Compares a password with that of the account. A wrong one is written to the audit log. */
async function matchPassword(
  deps: PasswordDeps,
  hasher: PasswordHasher,
  { password, account, address }: PasswordAttempt,
  rank: number,
): Promise<Credentials | undefined> {
  const isTooLong = Buffer.byteLength(password) > PASSWORD_BYTES_MAX
  const network = clientNetwork(address)
  const { matches, outdated } = isTooLong
    ? NO_MATCH
    : await hasher.verify(password, account?.password_hash, rank, network)
  if (matches && account !== undefined) {
    return outdated ? rehash(deps, hasher, { account, password, network }) : account
  }
  const failure = { event: 'login_failed', account_id: account?.id, address } as const
  await deps.ledger.audit.create({ at: deps.now(), ...failure })
  return undefined
}

const NO_MATCH = { matches: false, outdated: false }

/** ID that no account has, so that an unknown e-mail address takes the same time. */
const NO_ACCOUNT = 0

/** Hashes the password with the current parameters. */
async function rehash(
  { ledger }: PasswordDeps,
  hasher: PasswordHasher,
  { account, password, network }: { account: Credentials; password: string; network: string },
): Promise<Credentials> {
  const { id, password_hash: old } = account
  const password_hash = await hasher.hash(password, 0, network)
  const isSaved = await ledger.accounts.updatePasswordHash(id, password_hash, old)
  return isSaved ? { ...account, password_hash } : account
}
