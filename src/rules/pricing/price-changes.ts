import type { HistoryPoint } from './packed-history.ts'

/** Periods of price changes and movers, with their length in days, shortest first. */
export const PERIODS = { '24h': 1, '7d': 7, '30d': 30 } as const

export type Period = keyof typeof PERIODS

/**
 * Maximum age of a base in days. A change over 24 hours must not span more than 36, and
 * points are whole days apart; the others may span twice their period.
 */
const OLDEST_DAYS: Readonly<Record<Period, number>> = { '24h': 1, '7d': 14, '30d': 60 }

/** Market prices, in cents, from which the changes are computed. */
export type BasePrices = Record<Period, number | null>

/**
 * Finds the base price of each period: the last point at or before 1, 7 and 30 days before `today`. A point that is
 * too old is ignored (OLDEST_DAYS).
 *
 * @param points ascending by day; points from `today` on are ignored
 * @param known base prices already found in newer points, which are kept
 */
export function findBasePrices(
  points: readonly HistoryPoint[],
  today: number,
  known = NO_BASES,
): BasePrices {
  const findBase = (period: Period): number | null => {
    const days = PERIODS[period]
    return known[period] ?? lastPrice(points, today - OLDEST_DAYS[period], today - days)
  }
  return { '24h': findBase('24h'), '7d': findBase('7d'), '30d': findBase('30d') }
}

/** Returns the days to search for the missing base prices; undefined if none is missing. */
export function missingBaseDays(
  basePrices: BasePrices,
  today: number,
): { first: number; last: number } | undefined {
  const open = PERIOD_NAMES.filter((period) => basePrices[period] === null)
  const [shortest, longest] = [open[0], open.at(-1)]
  if (shortest === undefined || longest === undefined) return undefined
  return { first: today - OLDEST_DAYS[longest], last: today - PERIODS[shortest] }
}

const NO_BASES: BasePrices = { '24h': null, '7d': null, '30d': null }

function lastPrice(points: readonly HistoryPoint[], first: number, last: number): number | null {
  for (let index = points.length - 1; index >= 0; index--) {
    const point = points[index]
    if (point === undefined || point.day < first) return null
    if (point.day <= last && point.market_price !== null) return point.market_price
  }
  return null
}

/** Returns the change from `base` in percent with two decimals; null if either is unknown. */
export function changePercent(price: number | null, base: number | null): number | null {
  if (price === null || base === null || base === 0) return null
  return Math.round((price / base - 1) * 10_000) / 100
}

export const PERIOD_NAMES = Object.keys(PERIODS) as Period[] // Object.keys returns strings; these are all periods
