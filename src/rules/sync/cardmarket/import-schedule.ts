import { MS_PER_DAY } from '../../primitives/days.ts'

/** Time zone in which Cardmarket publishes. */
export const CARDMARKET_TIMEZONE = 'Europe/Berlin'

/**
 * Returns true if a game is due: once a day from 02:50 in Berlin, five minutes after the guides are published. A game
 * stays due until an import succeeds.
 *
 * @param syncedAt ISO time of the last complete import; null if there was none
 */
export function isImportDue(syncedAt: string | null, now: Date): boolean {
  const last = syncedAt === null ? Number.NaN : Date.parse(syncedAt)
  if (Number.isNaN(last)) return true
  // A time in the future means that the clock was wrong. It must not delay the next import.
  return last > now.getTime() + MS_PER_DAY || guideDay(new Date(last)) < guideDay(now)
}

/** Returns the day in Berlin, which begins when the guides are published. */
function guideDay(at: Date): number {
  const parts = new Map(BERLIN.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const midnight = Date.UTC(of('year'), of('month') - 1, of('day'))
  const minutes = of('hour') * 60 + of('minute')
  return midnight / MS_PER_DAY - (minutes < PUBLISHED_MINUTES ? 1 : 0)
}

const PUBLISHED_MINUTES = 2 * 60 + 50

const BERLIN = new Intl.DateTimeFormat('en-US', {
  timeZone: CARDMARKET_TIMEZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
