import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { nextTimestamp } from '#rules/primitives/timestamps.ts'
import type { Db } from '../db.ts'

/** Numbers the versions of the catalog; each has a distinct time. */
export type VersionWriter = {
  /** Returns the version in progress, with which changes are marked. */
  next(): number
  /**
   * Publishes the version last, so that readers during the write ask for the changes after it.
   * @param publishedAt upstream publish time; empty if nothing new was read
   */
  put(version: number, now: Date, publishedAt: string): void
}

export function openVersionWriter(db: Db): VersionWriter {
  const next = db.prepare<[], number>('SELECT version + 1 FROM publication').pluck()
  const last = db
    .prepare<[], number>('SELECT changed_at FROM versions ORDER BY version DESC LIMIT 1')
    .pluck()
  const add = db.prepare<[number, number]>('INSERT INTO versions VALUES (?, ?)')
  // A stored time after tomorrow was wrong when it was accepted. It must not hide the correct ones.
  const put = db.prepare(
    `UPDATE publication SET version = @version, changed_at = @changed_at,
       published_at = CASE WHEN published_at > @latest AND @published_at <> '' THEN @published_at
         ELSE nullif(max(coalesce(published_at, ''), @published_at), '') END`,
  )

  return {
    next: () => next.get() ?? 1,
    put(version, now, publishedAt) {
      const moment = nextTimestamp(last.get(), now)
      add.run(version, moment)
      put.run({
        version,
        changed_at: new Date(moment).toISOString(),
        latest: new Date(now.getTime() + MS_PER_DAY).toISOString(),
        published_at: publishedAt,
      })
    },
  }
}
