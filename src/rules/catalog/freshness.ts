import { MS_PER_DAY } from '../primitives/days.ts'

/** Days between two refreshes of a game, by its priority (docs/reference/choices.md, row 3). */
const DAYS_BETWEEN: Record<number, number> = { 3: 1, 2: 3, 1: 4, 0: 7 }

const DAYS_BETWEEN_MAX = 7

/** Allows one more day, because a refresh takes time and the schedule uses New York's days. */
const GRACE_DAYS = 1

/**
 * Returns since when a game's data is stale: a refresh failed or was missed, or the upstream has
 * not published.
 *
 * @returns undefined if it is fresh; null if it was never refreshed, or if its publish time is wrong
 */
export function staleSince(
  game: { priority: number; published_at: string | null; stale_since: string | null },
  now: Date,
): Date | null | undefined {
  if (game.stale_since !== null) return new Date(game.stale_since)
  if (game.published_at === null) return null
  // Data cannot come from the future, so the time was wrong, and the age of the data is unknown.
  if (Date.parse(game.published_at) > now.getTime() + MS_PER_DAY) return null
  const days = (DAYS_BETWEEN[game.priority] ?? DAYS_BETWEEN_MAX) + GRACE_DAYS
  const due = new Date(Date.parse(game.published_at) + days * MS_PER_DAY)
  return due < now ? due : undefined
}
