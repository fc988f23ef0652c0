// When a game is refreshed. Days are those of New York, where the schedule's "EST" is kept; the
// cron lines say when to look, `isDue` says whether a game's turn has come.
import { parseDate } from '../primitives/days.ts'

export const SCHEDULE_TIMEZONE = 'America/New_York'

/** One cron line a priority. Each run refreshes the games of its priority that are due. */
export const REFRESH_SCHEDULE = [
  { priority: 3, cron: '0 2 * * *' },
  { priority: 2, cron: '0 3 * * *' },
  { priority: 1, cron: '0 4 * * 1,4' },
  { priority: 0, cron: '0 5 * * 0' },
] as const

/**
 * Whether a game is to be refreshed now: priority 3 every day, 2 every third day, 1 since the last
 * Monday or Thursday, 0 since the last Sunday. A turn that was missed is due until it is taken.
 *
 * @param game `last_synced_at` is the ISO time of the last complete refresh, null when there is none
 */
export function isRefreshDue(
  game: { priority: number; last_synced_at: string | null },
  now: Date,
): boolean {
  const last = game.last_synced_at === null ? undefined : newYorkDay(new Date(game.last_synced_at))
  if (last === undefined) return true
  const today = newYorkDay(now)
  if (today === undefined) throw new Error('the time now is no valid date')
  // A refresh in the future is a clock that was wrong; it must not hold the game back.
  if (last > today) return true
  if (game.priority >= 3) return last < today
  if (game.priority === 2) return today - last >= 3
  return last < latest(game.priority === 1 ? [MONDAY, THURSDAY] : [SUNDAY], today)
}

const SUNDAY = 0
const MONDAY = 1
const THURSDAY = 4

/** The last day, today included, that is one of these weekdays. */
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

/** The day number of the New York date at this time, or undefined when the time is none. */
function newYorkDay(time: Date): number | undefined {
  if (Number.isNaN(time.getTime())) return undefined
  const parts = new Map(NEW_YORK.formatToParts(time).map((part) => [part.type, part.value]))
  return parseDate(`${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`)
}
