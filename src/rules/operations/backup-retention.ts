import { MS_PER_DAY } from '../primitives/days.ts'

/** The folder's name of a backup that was begun at this time. */
export function formatBackupName(begunAt: Date): string {
  // Colons are no part of a file's name everywhere.
  return `cardstock-${begunAt.toISOString().replaceAll(':', '-')}`
}

/** When the backup of this name was begun; undefined for a name that is none of a backup. */
export function parseBackupName(name: string): Date | undefined {
  const [, date, hour, minute, rest] = NAME.exec(name) ?? []
  if (date === undefined) return undefined
  const time = new Date(`${date}T${hour}:${minute}:${rest}`)
  return Number.isNaN(time.getTime()) ? undefined : time
}

const NAME = /^cardstock-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3}Z)$/

export type RetentionOptions = {
  /** Every backup of so many hours is kept. */
  hours: number
  /** Of so many UTC days, today among them, the newest one is kept. */
  days: number
}

/**
 * Which backups have had their time. The newest one never has, and none from the future: a clock that
 * was wrong must not cost a backup.
 *
 * @param begun when each was begun
 */
export function expiredBackups(
  begun: readonly Date[],
  now: Date,
  { hours, days }: RetentionOptions,
): ReadonlySet<Date> {
  const newestFirst = [...begun].sort((a, b) => b.getTime() - a.getTime())
  const daysSeen = new Set<number>()
  const over = new Set<Date>()
  const firstDay = Math.floor(now.getTime() / MS_PER_DAY) - days
  for (const [index, time] of newestFirst.entries()) {
    const day = Math.floor(time.getTime() / MS_PER_DAY)
    const isLastOfDay = !daysSeen.has(day)
    daysSeen.add(day)
    const isRecent = now.getTime() - time.getTime() <= hours * MS_AN_HOUR
    if (index > 0 && !isRecent && !(isLastOfDay && day > firstDay)) over.add(time)
  }
  return over
}

/**
 * Whether a scheduled backup's turn has come. Several servers on one folder look at the same hour, and
 * the first of them makes it for all.
 */
export function isBackupDue(newest: Date | undefined, now: Date): boolean {
  return newest === undefined || Math.abs(now.getTime() - newest.getTime()) >= DUE_AFTER_MS
}

/** Whether the copy of the catalog in an earlier backup is too old to serve in another one. */
export function isCatalogDue(takenAt: Date, now: Date): boolean {
  return Math.abs(now.getTime() - takenAt.getTime()) >= CATALOG_DUE_AFTER_MS
}

const MS_AN_HOUR = 3_600_000
const DUE_AFTER_MS = MS_AN_HOUR / 2
/** A day but for half an hour, so that it does not wander through the day. */
const CATALOG_DUE_AFTER_MS = MS_PER_DAY - DUE_AFTER_MS
