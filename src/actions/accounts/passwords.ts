import { availableParallelism } from 'node:os'
import { ServiceError } from '#rules/primitives/errors.ts'
import { createLimiterByName, createRankedLimiter, type Turn } from './ranked-limiter.ts'
import { tooManyAttempts } from './rate-limits.ts'

/** argon2id at the minimum that OWASP's password storage page gives. */
const PARAMETERS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Prefix of every hash with these parameters. */
const HASH_PREFIX = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=1$`

/** Hash of an unknown password, so that a login to an unknown account takes as long. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$4hW6NbRTFJxcfUsDu1qV1aktOpurm+GQ2rVAHQua56c$SccXy5FJM3mT/IyWXqQx1doVANWh/ojnZFR3I3Qw9Vo'

/** `outdated`: the password matches, but was hashed with other parameters. */
export type PasswordCheck = { matches: boolean; outdated: boolean }

/** `hash` and `verify` throw ServiceError UNAVAILABLE if too many calls are waiting. */
export type PasswordHasher = {
  /** @param rank turn among waiting calls: the lowest goes first */
  hash(password: string, rank?: number): Promise<string>
  /**
   * @param hash undefined for an account that does not exist, which takes as long
   * @param rank as in `hash`
   */
  verify(password: string, hash: string | undefined, rank?: number): Promise<PasswordCheck>
} & LoginLines

/**
 * Hashes and checks passwords on threads of their own, at most one per processor: each uses 19 MB and a
 * whole processor.
 */
export function createPasswordHasher(slots = Math.max(2, availableParallelism())): PasswordHasher {
  const run = createRankedLimiter({ slots, waitingMax: WAITING_MAX, refusal: tooManyLogins })

  return {
    ...createLoginLines(),
    hash: (password, rank = 0) => run(() => Bun.password.hash(password, PARAMETERS), { rank }),
    async verify(password, hash, rank = 0) {
      const fits = await run(() => isMatch(password, hash ?? DUMMY_HASH), { rank })
      const known = fits && hash !== undefined
      return { matches: known, outdated: known && !hash.startsWith(HASH_PREFIX) }
    },
  }
}

/** Lines in which login attempts of this process wait for each other. */
export type LoginLines = {
  /**
   * Runs the attempts of one client for one e-mail address one at a time, so that each sees how
   * earlier ones ended. Throws ServiceError UNAVAILABLE if too many wait.
   */
  inSequence<T>(name: string, action: () => Promise<T>): Promise<T>
  /**
   * Runs the attempts of all unknown clients for one e-mail address one at a time, the lowest rank
   * first, and a random one among equals. Throws ServiceError TOO_MANY_ATTEMPTS if too many wait, or
   * once `isOver` returns true.
   */
  inTurn<T>(name: string, action: () => Promise<T>, turn: Required<Turn>): Promise<T>
  /** Waits until the next turn. */
  sleep(milliseconds: number): Promise<void>
}

export function createLoginLines(sleep: LoginLines['sleep'] = Bun.sleep): LoginLines {
  const inSequence = createLimiterByName({
    slots: 1,
    waitingMax: WAITING_MAX,
    refusal: tooManyLogins,
  })
  const inTurn = createLimiterByName({
    slots: 1,
    waitingMax: WAITING_TURNS_MAX,
    refusal: () => tooManyAttempts(TURN_RETRY_MS),
  })
  return {
    inSequence: (name, action) => inSequence(name, action),
    inTurn: (name, action, { rank, isOver }) =>
      inTurn(name, action, { rank: rank + Math.random(), isOver }),
    sleep,
  }
}

async function isMatch(password: string, hash: string): Promise<boolean> {
  try {
    return await Bun.password.verify(password, hash)
  } catch {
    // An empty password, or a hash in an unknown format.
    return false
  }
}

/** At some 50 ms each, a call waits a few seconds at most. */
const WAITING_MAX = 64

/** Clients that wait for a turn of one e-mail address: more than an attacker usually has networks. */
const WAITING_TURNS_MAX = 512

/** Time until another attempt may find a turn. */
const TURN_RETRY_MS = 2_000

function tooManyLogins(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many people are logging in. Try again in a moment.', {
    retryAfter: 2,
  })
}
