import { availableParallelism } from 'node:os'
import { createFairQueue } from '#concurrency/fair-queue.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { tooManyAttempts } from './rate-limits.ts'

/** argon2id with OWASP's minimum parameters (Password Storage Cheat Sheet). */
const PARAMETERS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Prefix of every hash with these parameters. */
const HASH_PREFIX = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=1$`

/** Hash of an unknown password, so that a login to an unknown account takes the same time. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$4hW6NbRTFJxcfUsDu1qV1aktOpurm+GQ2rVAHQua56c$SccXy5FJM3mT/IyWXqQx1doVANWh/ojnZFR3I3Qw9Vo'

/** `outdated`: the password matches, but was hashed with other parameters. */
export type PasswordCheck = { matches: boolean; outdated: boolean }

/**
 * `hash` and `verify` throw ServiceError UNAVAILABLE if too many calls are waiting. Of the waiting calls, the lowest
 * rank goes first; within a rank, networks take turns.
 */
export type PasswordHasher = {
  hash(password: string, rank?: number, network?: string): Promise<string>
  /** @param hash undefined or empty for an account that has none, whose check takes the same time */
  verify(
    password: string,
    hash: string | undefined,
    rank?: number,
    network?: string,
  ): Promise<PasswordCheck>
} & LoginLines

/** Rank of a new password, which waits behind everybody who logs in. */
export const NEW_PASSWORD_RANK = 1_000_000

type HashJob = { rank: number; network: string }

/**
 * Hashes and checks passwords on separate threads, at most one per processor: each uses 19 MB and a whole processor.
 */
export function createPasswordHasher(slots = Math.max(2, availableParallelism())): PasswordHasher {
  const queue = createFairQueue<HashJob>({
    turns: ({ network }) => [network],
    rank: ({ rank }) => rank,
    atOnce: slots,
    findRefused: (job, { waiting }) => findExcess([...waiting(), job]),
    refusal: tooManyLogins,
  })

  return {
    ...createLoginLines(),
    hash: (password, rank = 0, network = '') =>
      queue.run({ rank, network }, () => Bun.password.hash(password, PARAMETERS)),
    async verify(password, hash = '', rank = 0, network = '') {
      const fits = await queue.run({ rank, network }, () => isMatch(password, hash || DUMMY_HASH))
      const known = fits && hash !== ''
      return { matches: known, outdated: known && !hash.startsWith(HASH_PREFIX) }
    },
  }
}

/** Queues in which login attempts of this process wait. */
export type LoginLines = {
  /**
   * Runs the attempts of one client for one e-mail address one at a time, so that each sees the outcome of earlier
   * ones. Throws ServiceError UNAVAILABLE if too many wait.
   */
  inSequence<T>(name: string, action: () => Promise<T>): Promise<T>
  /**
   * Runs the attempts of all unknown clients for one e-mail address one at a time, the lowest rank
   * first, and a random one among equals. Throws ServiceError TOO_MANY_ATTEMPTS if too many wait, or
   * once `isOver` returns true.
   */
  inTurn<T>(name: string, action: () => Promise<T>, turn: LoginTurn): Promise<T>
  /** Waits until the next turn. */
  sleep(milliseconds: number): Promise<void>
}

/** Place of a waiting login attempt. */
export type LoginTurn = {
  rank: number
  /** Returns true once the attempt has waited long enough and is refused. */
  isOver(): boolean
}

export function createLoginLines(sleep: LoginLines['sleep'] = Bun.sleep): LoginLines {
  const sequences = createLines<LineJob>(WAITING_MAX, tooManyLogins)
  const turns = createLines<LineJob & LoginTurn>(WAITING_TURNS_MAX, () =>
    tooManyAttempts(TURN_RETRY_MS),
  )

  /** Refuses queued attempts that have waited too long. */
  function refuseLate(name: string): void {
    for (const job of turns.waiting()) if (job.name === name && job.isOver()) turns.remove(job)
  }

  return {
    inSequence: (name, action) => sequences.run({ name, rank: 0 }, action),
    inTurn: (name, action, { rank, isOver }) =>
      turns
        .run({ name, rank: rank + Math.random(), isOver }, action)
        .finally(() => refuseLate(name)),
    sleep,
  }
}

type LineJob = { name: string; rank: number }

/** Creates queues in which jobs with the same name run one at a time. */
function createLines<Job extends LineJob>(waitingMax: number, refusal: () => Error) {
  return createFairQueue<Job>({
    turns: ({ name }) => [name],
    rank: ({ rank }) => rank,
    limits: ({ name }) => [[name, 1]],
    findRefused(job, { waiting }) {
      const line = waiting().filter(({ name }) => name === job.name)
      return findLast([...line, job], waitingMax)
    },
    refusal,
  })
}

/** Returns the last job of the network with the most jobs of the highest rank if there are too many. */
function findExcess(jobs: readonly HashJob[]): HashJob | undefined {
  if (jobs.length <= WAITING_MAX) return undefined
  const highest = Math.max(...jobs.map(({ rank }) => rank))
  const last = jobs.filter(({ rank }) => rank === highest)
  const networks = Map.groupBy(last, ({ network }) => network)
  return [...networks.values()]
    .reduce((most, own) => (own.length >= most.length ? own : most))
    .at(-1)
}

/** Returns the last job of the highest rank if there are too many, so that a job of a low rank always finds a place. */
function findLast<Job extends { rank: number }>(
  jobs: readonly Job[],
  waitingMax: number,
): Job | undefined {
  if (jobs.length <= waitingMax) return undefined
  return jobs.reduce((last, job) => (job.rank >= last.rank ? job : last))
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

/**
 * Maximum number of clients that wait for a turn of one e-mail address: more than the networks of a typical attacker.
 */
const WAITING_TURNS_MAX = 512

/** Time after which another attempt may get a turn. */
const TURN_RETRY_MS = 2_000

function tooManyLogins(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many people are logging in. Try again in a moment.', {
    retryAfter: 2,
  })
}
