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

/** Returns the next UTC midnight in ISO 8601. */
export function nextMidnight(time: Date): string {
  return new Date((dayOf(time) + 1) * MS_PER_DAY).toISOString()
}
