// Days are counted since 1 January 1970 (UTC). Months are year * 12 + month, January is 0.

export const MS_PER_DAY = 86_400_000

export function dayOf(time: Date): number {
  return Math.floor(time.getTime() / MS_PER_DAY)
}

/** Returns the day of a time in epoch seconds. */
export function dayOfSeconds(seconds: number): number {
  return Math.floor((seconds * 1000) / MS_PER_DAY)
}

/** Formats a day as `YYYY-MM-DD`. */
export function formatDate(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10)
}

/** Parses `YYYY-MM-DD`; undefined if it is not a date. */
export function parseDate(date: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined
  const time = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(time)) return undefined
  const day = Math.floor(time / MS_PER_DAY)
  return formatDate(day) === date ? day : undefined
}

export function monthOf(day: number): number {
  const date = new Date(day * MS_PER_DAY)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function firstDayOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / MS_PER_DAY
}

/** Formats a month as `YYYY-MM`. */
export function formatMonth(month: number): string {
  return formatDate(firstDayOf(month)).slice(0, 7)
}

/** Returns the next UTC midnight in ISO 8601. */
export function nextMidnight(time: Date): string {
  return new Date((dayOf(time) + 1) * MS_PER_DAY).toISOString()
}

/** A date, or a time with its UTC offset (ISO 8601). */
export const TIMESTAMP_PATTERN =
  // An unescaped plus sign in a URL arrives as a space, which cannot mean anything else here.
  '^\\d{4}-\\d{2}-\\d{2}([Tt]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?([Zz]|[+ -]([01]\\d|2[0-3]):[0-5]\\d))?$'

/** Maximum length of a text that matches. */
export const TIMESTAMP_LENGTH_MAX = '2026-11-20T00:00:00.000000000+02:00'.length

/**
 * Parses an ISO 8601 time such as `2026-11-20T00:00:00Z` into epoch milliseconds. A date alone means midnight UTC.
 * Fractions of a millisecond are ignored.
 *
 * @returns undefined for anything else, including a time without an offset
 */
export function parseTimestamp(text: string): number | undefined {
  // Date.parse accepts 30 February as a day in March.
  if (!TIMESTAMP.test(text) || parseDate(text.slice(0, 10)) === undefined) return undefined
  return Date.parse(text.toUpperCase().replace(' ', '+'))
}

const TIMESTAMP = new RegExp(TIMESTAMP_PATTERN)

/**
 * Returns the time of a new catalog version: now, but always later than the previous version, even if the clock has
 * not advanced or was set back. Otherwise, a client that requests changes since a time would miss some.
 *
 * @param last time of the previous version; undefined for the first version
 */
export function nextTimestamp(last: number | undefined, now: Date): number {
  return Math.max(now.getTime(), last === undefined ? 0 : last + 1)
}
