import { consume, type RateLimit, refund } from '#rules/accounts/rate-limit.ts'
import { type Db, inTransaction } from '../db.ts'

/** A rate limit; the name says what is limited, where, and for whom. */
export type LimitedAction = { name: string; limit: RateLimit }

/** Rate limits that every process on the file shares, also across restarts. */
export type AttemptStore = {
  /** Counts an attempt under all names or none. @returns milliseconds to wait, if refused */
  consume(limits: readonly LimitedAction[], now: Date): Promise<number | undefined>
  /** Takes one attempt back under all of the names. */
  refund(limits: readonly LimitedAction[]): Promise<void>
}

export function openAttemptStore(db: Db): AttemptStore {
  const read = db.prepare<[string], number>('SELECT whole_at FROM attempts WHERE name = ?').pluck()
  const put = db.prepare<[string, number]>(
    'INSERT INTO attempts VALUES (?, ?) ON CONFLICT DO UPDATE SET whole_at = excluded.whole_at',
  )
  const forget = db.prepare<[number]>('DELETE FROM attempts WHERE whole_at < ?')

  return {
    async consume(limits, now) {
      const time = now.getTime()
      return inTransaction(db, () => {
        const tries = limits.map(({ name, limit }) => ({
          name,
          ...consume(read.get(name) ?? 0, limit, time),
        }))
        const waits = tries.flatMap((one) => (one.isAllowed ? [] : [one.waitMs]))
        if (waits.length > 0) return Math.max(...waits)
        for (const one of tries) if (one.isAllowed) put.run(one.name, one.replenishedAt)
        forget.run(time)
        return undefined
      })
    },
    refund: async (limits) =>
      inTransaction(db, () => {
        for (const { name, limit } of limits) {
          const wholeAt = read.get(name)
          if (wholeAt !== undefined) put.run(name, refund(wholeAt, limit))
        }
      }),
  }
}
