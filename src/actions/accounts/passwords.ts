import { availableParallelism } from 'node:os'
import { ServiceError } from '#rules/primitives/errors.ts'

/** argon2id at the minimum that OWASP's password storage page gives. */
const PARAMETERS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Prefix of every hash with these parameters. */
const HASH_PREFIX = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=1$`

/** Hash of an unknown password, so that a login to an unknown account takes as long. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$4hW6NbRTFJxcfUsDu1qV1aktOpurm+GQ2rVAHQua56c$SccXy5FJM3mT/IyWXqQx1doVANWh/ojnZFR3I3Qw9Vo'

/** `outdated`: the password matches, but was hashed with other parameters. */
export type PasswordCheck = { matches: boolean; outdated: boolean }

/** Every method throws ServiceError UNAVAILABLE if too many calls are waiting. */
export type PasswordHasher = {
  /** Runs actions of the same name one at a time, so that each login attempt sees how earlier ones ended. */
  inSequence<T>(name: string, action: () => Promise<T>): Promise<T>
  hash(password: string): Promise<string>
  /** @param hash undefined for an account that does not exist, which takes as long */
  verify(password: string, hash: string | undefined): Promise<PasswordCheck>
}

/**
 * Hashes and checks passwords on threads of their own, at most one per processor: each uses 19 MB and a
 * whole processor.
 */
export function createPasswordHasher(slots = Math.max(2, availableParallelism())): PasswordHasher {
  const runLimited = createLimiter(slots)
  const queues = new Map<string, { length: number; run: Limiter }>()

  return {
    async inSequence(name, action) {
      const queue = queues.get(name) ?? { length: 0, run: createLimiter(1) }
      queues.set(name, queue)
      queue.length++
      try {
        return await queue.run(action)
      } finally {
        queue.length--
        if (queue.length === 0) queues.delete(name)
      }
    },
    hash: (password) => runLimited(() => Bun.password.hash(password, PARAMETERS)),
    async verify(password, hash) {
      const fits = await runLimited(() => isMatch(password, hash ?? DUMMY_HASH))
      const known = fits && hash !== undefined
      return { matches: known, outdated: known && !hash.startsWith(HASH_PREFIX) }
    },
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

type Limiter = <T>(action: () => Promise<T>) => Promise<T>

/** Runs a limited number of actions at once; a limited number of others wait. */
function createLimiter(slots: number): Limiter {
  const waiting: (() => void)[] = []
  let free = slots

  return async function run(action) {
    if (free > 0) free--
    else if (waiting.length >= WAITING_MAX) throw tooManyLogins()
    // A slot passes to the first in the queue, so that later callers cannot overtake.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await action()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** At some 50 ms each, a call waits a few seconds at most. */
const WAITING_MAX = 64

function tooManyLogins(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many people are logging in. Try again in a moment.', {
    retryAfter: 2,
  })
}
