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
  const put = db.prepare<[number, string, string]>(
    `UPDATE publication SET version = ?, changed_at = ?,
       published_at = nullif(max(coalesce(published_at, ''), ?), '')`,
  )

  return {
    next: () => next.get() ?? 1,
    put(version, now, publishedAt) {
      const moment = nextTimestamp(last.get(), now)
      add.run(version, moment)
      put.run(version, new Date(moment).toISOString(), publishedAt)
    },
  }
}
