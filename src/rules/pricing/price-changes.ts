import type { HistoryPoint } from './packed-history.ts'

/** The periods that changes and movers are told for, with their length in days, shortest first. */
export const PERIODS = { '24h': 1, '7d': 7, '30d': 30 } as const

export type Period = keyof typeof PERIODS

/** The market prices, in cents, that the changes of a price are counted from. */
export type BasePrices = Record<Period, number | null>

/**
 * The base of each period: the last point at or before 1, 7 and 30 days before `today`, unless there
 * is none or it is older than twice the period.
 *
 * @param points ascending by day; those of `today` and later are not looked at
 * @param known what newer points gave already: it stands
 */
export function findBasePrices(
  points: readonly HistoryPoint[],
  today: number,
  known = NO_BASES,
): BasePrices {
  const baseOf = (period: Period): number | null => {
    const days = PERIODS[period]
    return known[period] ?? lastPrice(points, today - 2 * days, today - days)
  }
  return { '24h': baseOf('24h'), '7d': baseOf('7d'), '30d': baseOf('30d') }
}

/** The days between which a period that has no base yet may find it; undefined: all have one. */
export function missingBaseDays(
  basePrices: BasePrices,
  today: number,
): { first: number; last: number } | undefined {
  const open = PERIOD_NAMES.filter((period) => basePrices[period] === null)
  const [shortest, longest] = [open[0], open.at(-1)]
  if (shortest === undefined || longest === undefined) return undefined
  return { first: today - 2 * PERIODS[longest], last: today - PERIODS[shortest] }
}

const NO_BASES: BasePrices = { '24h': null, '7d': null, '30d': null }

function lastPrice(
  points: readonly HistoryPoint[],
  firstDay: number,
  lastDay: number,
): number | null {
  for (let index = points.length - 1; index >= 0; index--) {
    const historyPoint = points[index]
    if (historyPoint === undefined || historyPoint.day < firstDay) return null
    if (historyPoint.day <= lastDay && historyPoint.market_price !== null)
      return historyPoint.market_price
  }
  return null
}

/** Percentage from `base` to `price`, to two decimals: 15.5 is +15.5 %. Null when either is unknown. */
export function changePercent(price: number | null, base: number | null): number | null {
  if (price === null || base === null || base === 0) return null
  return Math.round((price / base - 1) * 10_000) / 100
}

/** What a mover must be: both ends at least a dollar, and no tenfold jump (that is a wrong listing). */
export function isMover(price: number, base: number): boolean {
  if (price < MOVER_CENTS_MIN || base < MOVER_CENTS_MIN) return false
  return price <= base * MOVER_RATIO_MAX && base <= price * MOVER_RATIO_MAX
}

export const PERIOD_NAMES = Object.keys(PERIODS) as Period[] // keys of a literal, all of them periods

const MOVER_CENTS_MIN = 100
const MOVER_RATIO_MAX = 10
