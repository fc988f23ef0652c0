import { nextTimestamp } from '#rules/primitives/timestamps.ts'
import type { Db } from '../db.ts'

/** The catalog's versions as the intake makes them: each has a number, and a moment of its own. */
export function openVersionWriter(db: Db) {
  const next = db.prepare<[], number>('SELECT version + 1 FROM publication').pluck()
  const last = db
    .prepare<[], number>('SELECT changed_at FROM versions ORDER BY version DESC LIMIT 1')
    .pluck()
  const add = db.prepare<[number, number]>('INSERT INTO versions VALUES (?, ?)')
  const put = db.prepare<[number, string, string]>(
    `UPDATE publication SET version = ?, changed_at = ?,
       published_at = nullif(max(coalesce(published_at, ''), ?), '')`,
  )

  return {
    /** The version that is being made: what it changes is marked with it. */
    next: () => next.get() ?? 1,
    /**
     * Makes the version that of the catalog, as the last deed of its transaction: whoever looked
     * while it was written saw the version before, and asks for what changed after that look.
     *
     * @param publishedAt upstream publish time; empty where nothing new was read
     */
    put(version: number, now: Date, publishedAt: string): void {
      const moment = nextTimestamp(last.get(), now)
      add.run(version, moment)
      put.run(version, new Date(moment).toISOString(), publishedAt)
    },
  }
}
