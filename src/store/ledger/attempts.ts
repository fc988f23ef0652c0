import { consume, countSpent, type RateLimit, refund } from '#rules/accounts/rate-limit.ts'
import { type Db, inTransaction } from '../db.ts'

/** A rate limit; the name says what is limited, where, and for whom. */
export type LimitedAction = { name: string; limit: RateLimit }

/** Times are milliseconds: until the booked turn, or until one can be booked. */
export type Booking = { isBooked: true; delayMs: number } | { isBooked: false; waitMs: number }

/** Rate limits that every process on the file shares, also across restarts. */
export type AttemptStore = {
  /** Counts an attempt under all names or none. @returns milliseconds to wait, if refused */
  consume(limits: readonly LimitedAction[], now: Date): Promise<number | undefined>
  /** Counts an attempt under each name that has one left. */
  record(limits: readonly LimitedAction[], now: Date): Promise<void>
  /** Books the next turn of attempts that are spaced evenly (`evenPace`). */
  book(limited: LimitedAction, now: Date): Promise<Booking>
  /** Returns the sum of the attempts under these names that are not replenished yet. */
  countSpent(limits: readonly LimitedAction[], now: Date): Promise<number>
  /** Takes one attempt back under all of the names. */
  refund(limits: readonly LimitedAction[]): Promise<void>
}

export function openAttemptStore(db: Db): AttemptStore {
  const { read, put, attempt, consumeAll } = openAttemptCounter(db)

  return {
    consume: async (limits, now) => inTransaction(db, () => consumeAll(limits, now)),
    record: async (limits, now) =>
      inTransaction(db, () => {
        const tries = limits.map((one) => attempt(one, now.getTime()))
        for (const one of tries) if (one.isAllowed) put.run(one.name, one.replenishedAt)
      }),
    book: async (limited, now) =>
      inTransaction(db, () => {
        const time = now.getTime()
        const tried = attempt(limited, time)
        if (!tried.isAllowed) return { isBooked: false, waitMs: tried.waitMs }
        put.run(limited.name, tried.replenishedAt)
        const { limit, windowMs } = limited.limit
        return {
          isBooked: true,
          delayMs: Math.max(0, tried.replenishedAt - time - windowMs / limit),
        }
      }),
    countSpent: async (limits, now) =>
      limits
        .map(({ name, limit }) => countSpent(read(name), limit, now.getTime()))
        .reduce((sum, spent) => sum + spent, 0),
    refund: async (limits) =>
      inTransaction(db, () => {
        for (const { name, limit } of limits) {
          const wholeAt = read(name)
          if (wholeAt > 0) put.run(name, refund(wholeAt, limit))
        }
      }),
  }
}

/** Prepares the counting of attempts. The caller provides the transaction. */
export function openAttemptCounter(db: Db) {
  const readState = db
    .prepare<[string], number>('SELECT whole_at FROM attempts WHERE name = ?')
    .pluck()
  const put = db.prepare<[string, number]>(
    'INSERT INTO attempts VALUES (?, ?) ON CONFLICT DO UPDATE SET whole_at = excluded.whole_at',
  )
  // More than an attempt adds, and never so many that a login waits for them.
  const forget = db.prepare<[number]>(
    `DELETE FROM attempts WHERE name IN
       (SELECT name FROM attempts WHERE whole_at < ? LIMIT 100)`,
  )

  const read = (name: string) => readState.get(name) ?? 0

  const attempt = ({ name, limit }: LimitedAction, time: number) => ({
    name,
    ...consume(read(name), limit, time),
  })

  /** Returns milliseconds until an attempt is allowed under all names; undefined if it is now. */
  function findWait(limits: readonly LimitedAction[], now: Date): number | undefined {
    const tries = limits.map((one) => attempt(one, now.getTime()))
    const waits = tries.flatMap((one) => (one.isAllowed ? [] : [one.waitMs]))
    return waits.length === 0 ? undefined : Math.max(...waits)
  }

  return {
    read,
    put,
    attempt,
    findWait,
    /** Counts an attempt under all names or none. @returns milliseconds to wait, if refused */
    consumeAll(limits: readonly LimitedAction[], now: Date): number | undefined {
      const waitMs = findWait(limits, now)
      if (waitMs !== undefined) return waitMs
      for (const one of limits.map((limited) => attempt(limited, now.getTime()))) {
        if (one.isAllowed) put.run(one.name, one.replenishedAt)
      }
      forget.run(now.getTime())
      return undefined
    },
  }
}
