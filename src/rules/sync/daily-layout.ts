import { parseDate } from '../primitives/days.ts'

/** A file of prices in an archive: those of one set on one day. */
export type DailyPath = {
  /** `YYYY-MM-DD` */
  date: string
  /** Rest of the path: `3/3170/prices`. */
  place: string
}

/**
 * Parses the path of a file of prices, `YYYY-MM-DD/{category}/{group}/prices` below any folders. Undefined if it is
 * another file.
 */
export function parseDailyPath(path: string): DailyPath | undefined {
  const [, date = '', place = ''] = DAILY_PATH.exec(path) ?? []
  return parseDate(date) === undefined ? undefined : { date, place }
}

const DAILY_PATH = /^(?:.*\/)?(\d{4}-\d{2}-\d{2})\/(\d{1,10}\/\d{1,10}\/prices)$/

/** Returns the path of a file of prices. */
export function formatDailyPath({ date, place }: DailyPath): string {
  return `${date}/${place}`
}

/** Returns true if a path of an archive would leave the folder into which it is extracted. */
export function leavesFolder(path: string): boolean {
  return /^[/\\]|^[a-z]:/i.test(path) || path.split(/[/\\]/).includes('..') || path.includes('\0')
}

/** Limits of an archive. A year of six games has 424,000 files with 8 GB. */
export type ArchiveLimits = {
  files: number
  pathLength: number
  /** Bytes of one file. */
  fileBytes: number
  /** Bytes of all files. */
  bytes: number
  /** Bytes of all files for each byte of the archive, beyond the first `ratioFromBytes`. */
  ratio: number
  ratioFromBytes: number
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  files: 4_000_000,
  pathLength: 300,
  fileBytes: 16 * 1024 ** 2,
  bytes: 64 * 1024 ** 3,
  ratio: 500,
  ratioFromBytes: 256 * 1024 ** 2,
}
