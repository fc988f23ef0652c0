import { MS_PER_DAY } from '../primitives/days.ts'

/** Formats the folder name of a backup by its start time. */
export function formatBackupName(begunAt: Date): string {
  // Colons are not allowed in file names on every system.
  return `cardstock-${begunAt.toISOString().replaceAll(':', '-')}`
}

/** Parses the start time from the name of a backup; undefined for any other name. */
export function parseBackupName(name: string): Date | undefined {
  const [, date, hour, minute, rest] = NAME.exec(name) ?? []
  if (date === undefined) return undefined
  const time = new Date(`${date}T${hour}:${minute}:${rest}`)
  return Number.isNaN(time.getTime()) ? undefined : time
}

const NAME = /^cardstock-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3}Z)$/

export type RetentionOptions = {
  /** Keeps every backup of this many hours. */
  hours: number
  /** Keeps the newest backup of each of this many UTC days, including today. */
  days: number
}

export const DEFAULT_RETENTION: RetentionOptions = { hours: 24, days: 14 }

/**
 * Returns the backups to delete. Never returns the newest one or one from the future, so a wrong
 * clock cannot cost a backup.
 *
 * @param begun start time of each backup
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
 * Returns true if a scheduled backup is due. Servers that share a folder check at the same hour,
 * and the first one makes the backup for all.
 */
export function isBackupDue(newest: Date | undefined, now: Date): boolean {
  return newest === undefined || Math.abs(now.getTime() - newest.getTime()) >= DUE_AFTER_MS
}

/** Returns true if the catalog copy of an earlier backup is too old to be reused. */
export function isCatalogDue(takenAt: Date, now: Date): boolean {
  return Math.abs(now.getTime() - takenAt.getTime()) >= CATALOG_DUE_AFTER_MS
}

const MS_AN_HOUR = 3_600_000
const DUE_AFTER_MS = MS_AN_HOUR / 2
/** Half an hour less than a day, so that the time of day does not drift. */
const CATALOG_DUE_AFTER_MS = MS_PER_DAY - DUE_AFTER_MS
