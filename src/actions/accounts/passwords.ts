import { availableParallelism } from 'node:os'
import { ServiceError } from '#rules/primitives/errors.ts'

/** argon2id at the minimum that OWASP's password storage page gives. */
const PARAMETERS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** How every hash that was made with them begins. */
const HASH_PREFIX = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=1$`

/** The hash of a password that nobody knows: an address that nobody has takes the same time. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$4hW6NbRTFJxcfUsDu1qV1aktOpurm+GQ2rVAHQua56c$SccXy5FJM3mT/IyWXqQx1doVANWh/ojnZFR3I3Qw9Vo'

export type PasswordCheck = {
  matches: boolean
  /** It fits, but was hashed with other parameters than today's. */
  outdated: boolean
}

/**
 * Hashes and checks passwords, on threads of their own, so that requests go on meanwhile; only as
 * many at once as the machine has processors, because each takes 19 MB and all of one.
 */
export function createPasswordHasher(slots = Math.max(2, availableParallelism())) {
  const inTurn = openTurns(slots)
  /** By name: how many go through that line now, and its gate. */
  const lines = new Map<string, { length: number; inTurn: ReturnType<typeof openTurns> }>()

  return {
    /**
     * Does a deed when those of the same name before it are done: of many tries for one account from
     * one place each then knows how the others ended.
     *
     * @throws ServiceError UNAVAILABLE when too many are waiting already
     */
    async inSequence<T>(name: string, deed: () => Promise<T>): Promise<T> {
      const line = lines.get(name) ?? { length: 0, inTurn: openTurns(1) }
      lines.set(name, line)
      line.length++
      try {
        return await line.inTurn(deed)
      } finally {
        line.length--
        if (line.length === 0) lines.delete(name)
      }
    },
    /** @throws ServiceError UNAVAILABLE when too many are waiting already */
    hash: (password: string): Promise<string> =>
      inTurn(() => Bun.password.hash(password, PARAMETERS)),
    /**
     * @param hash undefined for an account that does not exist, which takes as long
     * @throws ServiceError UNAVAILABLE when too many are waiting already
     */
    async verify(password: string, hash: string | undefined): Promise<PasswordCheck> {
      const fits = await inTurn(() => isRight(password, hash ?? DUMMY_HASH))
      const known = fits && hash !== undefined
      return { matches: known, outdated: known && !hash.startsWith(HASH_PREFIX) }
    },
  }
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

async function isRight(password: string, hash: string): Promise<boolean> {
  try {
    return await Bun.password.verify(password, hash)
  } catch {
    // An empty password, or a hash in a format that is not known: neither opens anything.
    return false
  }
}

/** Lets so many deeds run at once; the others wait, up to a number of them. */
function openTurns(slots: number) {
  const waiting: (() => void)[] = []
  let free = slots

  return async function inTurn<T>(deed: () => Promise<T>): Promise<T> {
    if (free > 0) free--
    else if (waiting.length >= WAITING_MAX) throw busy()
    // Who ends hands its turn on, so nobody who comes later gets it first.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await deed()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** At some 50 ms each, nobody waits longer than a few seconds. */
const WAITING_MAX = 64

function busy(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many people are logging in. Try again in a moment.', {
    retryAfter: 2,
  })
}
