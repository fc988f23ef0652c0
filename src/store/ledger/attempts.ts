import { type Allowance, takeBack, tryOnce } from '#rules/accounts/rate-limit.ts'
import { type Db, inTransaction } from '../db.ts'

/** Something that may be tried so often; the name says what, where and by whom. */
export type Limited = { name: string; allowance: Allowance }

/** How often things were tried, in every process on the file, and across restarts. */
export function openAttempts(db: Db) {
  const read = db.prepare<[string], number>('SELECT whole_at FROM attempts WHERE name = ?').pluck()
  const put = db.prepare<[string, number]>(
    'INSERT INTO attempts VALUES (?, ?) ON CONFLICT DO UPDATE SET whole_at = excluded.whole_at',
  )
  const forget = db.prepare<[number]>('DELETE FROM attempts WHERE whole_at < ?')

  return {
    /**
     * Counts one try under all of the names, or under none of them.
     *
     * @returns undefined when it may go on, else how many milliseconds to wait
     */
    async count(limits: readonly Limited[], now: Date): Promise<number | undefined> {
      const time = now.getTime()
      return inTransaction(db, () => {
        const tries = limits.map(({ name, allowance }) => ({
          name,
          ...tryOnce(read.get(name) ?? 0, allowance, time),
        }))
        const waits = tries.flatMap((one) => (one.admitted ? [] : [one.waitMs]))
        if (waits.length > 0) return Math.max(...waits)
        for (const one of tries) if (one.admitted) put.run(one.name, one.wholeAt)
        forget.run(time)
        return undefined
      })
    },
    /** Takes one try back under all of the names. */
    async takeBack(limits: readonly Limited[]): Promise<void> {
      inTransaction(db, () => {
        for (const { name, allowance } of limits) {
          const wholeAt = read.get(name)
          if (wholeAt !== undefined) put.run(name, takeBack(wholeAt, allowance))
        }
      })
    },
  }
}
