// Schedule of the reference rates: on working days, at about 16:00 Central European time.
import { parseDate } from '../primitives/days.ts'

export const RATES_TIMEZONE = 'Europe/Berlin'

/** First hour of the day at which its rates may be available. */
export const RATES_HOUR = 16

/**
 * Number of working days after which rates are stale. At Easter and Christmas, up to two consecutive ones have no
 * rates.
 */
const STALE_AFTER_WORKING_DAYS = 4

/** Returns true from Monday to Friday. Some of these days, the bank holidays, have no rates. */
export function isWorkingDay(day: number): boolean {
  // Day 0 was a Thursday; 0 is Sunday.
  const weekday = (day + 4) % 7
  return weekday !== 0 && weekday !== 6
}

/** Returns true if rates newer than `newest` may be published. @param newest undefined without rates */
export function areRatesDue(newest: number | undefined, now: Date): boolean {
  return newest === undefined || newest < lastPublishedDay(now)
}

/** Returns true if the newest rates are older than four working days. */
export function areRatesStale(newest: number, now: Date): boolean {
  let missed = 0
  for (let day = lastPublishedDay(now); day > newest; day--) {
    if (isWorkingDay(day)) missed++
    if (missed > STALE_AFTER_WORKING_DAYS) return true
  }
  return false
}

/** Returns the last working day whose rates should be available. */
function lastPublishedDay(now: Date): number {
  const parts = new Map(BERLIN.formatToParts(now).map((part) => [part.type, part.value]))
  const today = parseDate(`${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`)
  if (today === undefined) throw new Error('the current time is invalid')
  let day = Number(parts.get('hour')) < RATES_HOUR ? today - 1 : today
  while (!isWorkingDay(day)) day--
  return day
}

const BERLIN = new Intl.DateTimeFormat('en-US', {
  timeZone: RATES_TIMEZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
})
