import { consume, countSpent, type RateLimit, refund } from '#rules/accounts/rate-limit.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { AttemptRow } from './schema/accounts.ts'

/** A rate limit; the name states what is limited, where, and for whom. */
export type LimitedAction = { name: string; limit: RateLimit }

/** Milliseconds until the booked turn, or until a turn can be booked. */
export type Booking = { isBooked: true; delayMs: number } | { isBooked: false; waitMs: number }

/** Rate limits shared by all processes on the file, also across restarts. */
export type AttemptStore = {
  /** Counts an attempt under all names or none. @returns milliseconds to wait if refused */
  consume(limits: readonly LimitedAction[], now: Date): Promise<number | undefined>
  /** Counts an attempt under each name that has attempts left. */
  record(limits: readonly LimitedAction[], now: Date): Promise<void>
  /** Books the next turn of evenly spaced attempts (`evenPace`). */
  book(limited: LimitedAction, now: Date): Promise<Booking>
  /** Returns the total of attempts under these names that are not replenished yet. */
  countSpent(limits: readonly LimitedAction[], now: Date): Promise<number>
  /** Refunds one attempt under all of the names. */
  refund(limits: readonly LimitedAction[]): Promise<void>
}

export function openAttemptStore(engine: LedgerEngine): AttemptStore {
  const { query, transact } = engine
  const stored = engine.prepare<[string], Pick<AttemptRow, 'whole_at'>>(
    'SELECT whole_at FROM attempts WHERE name = ?',
  )
  const { read, put, attempt, consumeAll } = openAttemptCounter(engine)

  // Deletes more rows than attempts add in the meantime, but never so many that a login waits for it.
  const forget = engine.prepare<[{ now: number }]>(
    `DELETE FROM attempts WHERE name IN
       (SELECT name FROM attempts WHERE whole_at < clock(@now) LIMIT 1000)`,
  )
  let forgottenAt = Number.NEGATIVE_INFINITY

  return {
    async consume(limits, now) {
      const waitMs = await transact(() => consumeAll(limits, now))
      // In a separate and rare operation, because it reads rows that attempts of others change.
      if (Math.abs(now.getTime() - forgottenAt) >= FORGET_EVERY_MS) {
        forgottenAt = now.getTime()
        await query(forget.run({ now: forgottenAt }))
      }
      return waitMs
    },
    record: (limits, now) =>
      transact(function* () {
        const tries = []
        for (const one of limits) tries.push(yield* attempt(one, now))
        for (const one of tries) if (one.isAllowed) yield* put(one.name, one.replenishedAt)
      }),
    book: (limited, now) =>
      transact(function* (): LedgerOperation<Booking> {
        const tried = yield* attempt(limited, now)
        if (!tried.isAllowed) return { isBooked: false, waitMs: tried.waitMs }
        yield* put(limited.name, tried.replenishedAt)
        const { limit, windowMs } = limited.limit
        return {
          isBooked: true,
          delayMs: Math.max(0, tried.replenishedAt - tried.time - windowMs / limit),
        }
      }),
    async countSpent(limits, now) {
      let sum = 0
      for (const { name, limit } of limits) {
        const state = await query(read(name, now))
        sum += countSpent(state.wholeAt, limit, state.time)
      }
      return sum
    },
    refund: (limits) =>
      transact(function* () {
        for (const { name, limit } of limits) {
          const state = yield* stored.get(name)
          if (state !== undefined) yield* put(name, refund(state.whole_at, limit))
        }
      }),
  }
}

/** Milliseconds between two deletions of old attempts; the difference is absolute, because a clock may be set back. */
const FORGET_EVERY_MS = 1_000

/** Prepares the counting of attempts. The caller provides the transaction. */
export function openAttemptCounter(engine: LedgerEngine) {
  // Always returns one row, because the time is also needed for a name without a state.
  const readState = engine.prepare<
    [{ name: string; now: number }],
    { time: number; whole_at: AttemptRow['whole_at'] | null }
  >(`SELECT clock(@now) AS time, (SELECT whole_at FROM attempts WHERE name = @name) AS whole_at`)
  const putState = engine.prepare<[string, number]>(
    `INSERT INTO attempts (name, whole_at) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET whole_at = excluded.whole_at`,
  )
  /** Returns the state of a name, and the time for which it applies. */
  function* read(name: string, now: Date): LedgerOperation<{ wholeAt: number; time: number }> {
    const row = yield* readState.get({ name, now: now.getTime() })
    return { wholeAt: row?.whole_at ?? 0, time: row?.time ?? now.getTime() }
  }

  function* attempt({ name, limit }: LimitedAction, now: Date) {
    const { wholeAt, time } = yield* read(name, now)
    return { name, time, ...consume(wholeAt, limit, time) }
  }

  /** Returns milliseconds until an attempt is allowed under all names; undefined if it is allowed now. */
  function* findWait(
    limits: readonly LimitedAction[],
    now: Date,
  ): LedgerOperation<number | undefined> {
    let wait: number | undefined
    for (const one of limits) {
      const tried = yield* attempt(one, now)
      if (!tried.isAllowed) wait = Math.max(wait ?? 0, tried.waitMs)
    }
    return wait
  }

  return {
    read,
    put: (name: string, wholeAt: number) => putState.run(name, wholeAt),
    attempt,
    findWait,
    /** Counts an attempt under all names or none. @returns milliseconds to wait if refused */
    *consumeAll(limits: readonly LimitedAction[], now: Date): LedgerOperation<number | undefined> {
      const waitMs = yield* findWait(limits, now)
      if (waitMs !== undefined) return waitMs
      const tries = []
      for (const one of limits) tries.push(yield* attempt(one, now))
      for (const one of tries) if (one.isAllowed) yield* putState.run(one.name, one.replenishedAt)
      return undefined
    },
  }
}
