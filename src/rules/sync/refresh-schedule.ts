// Refresh schedule of games in New York time, which the specification calls "EST".
import { parseDate } from '../primitives/days.ts'

export const SCHEDULE_TIMEZONE = 'America/New_York'

/**
 * Hour of New York at which the refreshes of a day begin, by priority (specification, Games). The hour that daylight
 * saving time skips or repeats can only be the beginning of such a day.
 */
const FIRST_HOURS: Readonly<Record<number, number>> = { 3: 2, 2: 3, 1: 4, 0: 5 }

/**
 * Returns true if a game is due: priority 3 every day from 02:00, 2 every third day from 03:00, 1 since the
 * last Monday or Thursday, 04:00, and 0 since the last Sunday, 05:00. A game stays due until it is refreshed.
 *
 * @param game `last_synced_at` is the ISO time of the last complete refresh; null if there was none
 */
export function isRefreshDue(
  game: { priority: number; last_synced_at: string | null },
  now: Date,
): boolean {
  const priority = Math.min(3, Math.max(0, game.priority))
  const firstHour = FIRST_HOURS[priority] ?? 0
  const last = game.last_synced_at === null ? undefined : refreshDay(game.last_synced_at, firstHour)
  if (last === undefined) return true
  const today = refreshDay(now, firstHour)
  if (today === undefined) throw new Error('the current time is invalid')
  // A refresh in the future means that the clock was wrong. It must not delay the next one.
  if (last > today) return true
  if (priority === 3) return last < today
  if (priority === 2) return today - last >= 3
  return last < latest(priority === 1 ? [MONDAY, THURSDAY] : [SUNDAY], today)
}

const SUNDAY = 0
const MONDAY = 1
const THURSDAY = 4

/** Returns the last day, including today, that is one of these weekdays. */
function latest(weekdays: readonly number[], today: number): number {
  let day = today
  // Day 0 was a Thursday.
  while (!weekdays.includes((day + THURSDAY) % 7)) day--
  return day
}

const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: SCHEDULE_TIMEZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
})

/** Returns the number of the day in New York, which begins at `firstHour`; undefined if `at` is invalid. */
function refreshDay(at: Date | string, firstHour: number): number | undefined {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return undefined
  const parts = new Map(NEW_YORK.formatToParts(time).map((part) => [part.type, part.value]))
  const day = parseDate(`${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`)
  if (day === undefined) return undefined
  return Number(parts.get('hour')) < firstHour ? day - 1 : day
}
