import { parseDate } from './days.ts'

/** A date, or a time with its offset from UTC, by ISO 8601. */
export const TIMESTAMP_PATTERN =
  // A plus that was not escaped in an address arrives as a space, and can mean nothing else there.
  '^\\d{4}-\\d{2}-\\d{2}([Tt]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?([Zz]|[+ -]([01]\\d|2[0-3]):[0-5]\\d))?$'

/** The longest text of the pattern. */
export const TIMESTAMP_LENGTH_MAX = '2026-11-20T00:00:00.000000000+02:00'.length

/**
 * The epoch milliseconds of an ISO 8601 time such as `2026-11-20T00:00:00Z`; of a date alone those of
 * its first moment in UTC. What is smaller than a millisecond is dropped.
 *
 * @returns undefined for anything else, a time without its offset among it
 */
export function parseTimestamp(text: string): number | undefined {
  // The platform takes the 30th of February for a day in March.
  if (!TIMESTAMP.test(text) || parseDate(text.slice(0, 10)) === undefined) return undefined
  return Date.parse(text.toUpperCase().replace(' ', '+'))
}

const TIMESTAMP = new RegExp(TIMESTAMP_PATTERN)

/**
 * When a version of the catalog was made: now, but later than the version before, also where the clock
 * stands still or was set back. Otherwise who asks for what came after a moment would miss something.
 *
 * @param last of the version before; undefined where there is none
 */
export function nextTimestamp(last: number | undefined, now: Date): number {
  return Math.max(now.getTime(), last === undefined ? 0 : last + 1)
}
