import { MS_PER_DAY } from '../primitives/days.ts'

/** Days that may pass between two refreshes of a game, by its priority (docs/reference/choices.md, row 3). */
const DAYS_BETWEEN: Record<number, number> = { 3: 1, 2: 3, 1: 4, 0: 7 }

const DAYS_BETWEEN_MAX = 7

/** A refresh takes its time, and the schedule keeps New York's days: a day's grace. */
const GRACE_DAYS = 1

/**
 * Since when a game's data is older than promised: a run failed to refresh it, its turn passed, or
 * the upstream itself has not published since.
 *
 * @returns undefined while it is fresh; null where it was never refreshed at all
 */
export function staleSince(
  game: { priority: number; published_at: string | null; stale_since: string | null },
  now: Date,
): Date | null | undefined {
  if (game.stale_since !== null) return new Date(game.stale_since)
  if (game.published_at === null) return null
  const days = (DAYS_BETWEEN[game.priority] ?? DAYS_BETWEEN_MAX) + GRACE_DAYS
  const due = new Date(Date.parse(game.published_at) + days * MS_PER_DAY)
  return due < now ? due : undefined
}
