// Refresh schedule of games, in the days of New York, to which the specification's "EST" refers.
// The cron lines start the checks; `isRefreshDue` decides per game.
import { parseDate } from '../primitives/days.ts'

export const SCHEDULE_TIMEZONE = 'America/New_York'

/** Cron lines by priority. Each run refreshes the due games of its priority. */
export const REFRESH_SCHEDULE = [
  { priority: 3, cron: '0 2 * * *' },
  { priority: 2, cron: '0 3 * * *' },
  { priority: 1, cron: '0 4 * * 1,4' },
  { priority: 0, cron: '0 5 * * 0' },
] as const

/**
 * Returns true if a game is due: priority 3 every day, 2 every third day, 1 since the last Monday
 * or Thursday, 0 since the last Sunday. A missed refresh stays due.
 *
 * @param game `last_synced_at` is the ISO time of the last complete refresh; null if there was none
 */
export function isRefreshDue(
  game: { priority: number; last_synced_at: string | null },
  now: Date,
): boolean {
  const last = game.last_synced_at === null ? undefined : newYorkDay(new Date(game.last_synced_at))
  if (last === undefined) return true
  const today = newYorkDay(now)
  if (today === undefined) throw new Error('the current time is invalid')
  // A refresh in the future means that the clock was wrong. It must not delay the game.
  if (last > today) return true
  if (game.priority >= 3) return last < today
  if (game.priority === 2) return today - last >= 3
  return last < latest(game.priority === 1 ? [MONDAY, THURSDAY] : [SUNDAY], today)
}

const SUNDAY = 0
const MONDAY = 1
const THURSDAY = 4

/** Returns the last day, today included, that is one of these weekdays. */
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
})

/** Returns the day number of the date in New York; undefined if the time is invalid. */
function newYorkDay(time: Date): number | undefined {
  if (Number.isNaN(time.getTime())) return undefined
  const parts = new Map(NEW_YORK.formatToParts(time).map((part) => [part.type, part.value]))
  return parseDate(`${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`)
}
