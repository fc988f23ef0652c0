import { type LastPoint, scanPoints } from './packed-history.ts'

/** Periods of price changes and movers, with their length in days, shortest first. */
export const PERIODS = { '24h': 1, '7d': 7, '30d': 30 } as const

export type Period = keyof typeof PERIODS

/** Maximum age of a base in days: a change must not span much more than its period. */
const OLDEST_DAYS: Readonly<Record<Period, number>> = { '24h': 1, '7d': 9, '30d': 35 }

/** Market prices, in cents, from which the changes are computed. */
export type BasePrices = Record<Period, number | null>

/**
 * Finds the base price of each period: the last point of 1 day, of 7 to 9 days and of 30 to 35 days before `today`
 * (OLDEST_DAYS). Null if no price was published then.
 *
 * @param packed points as packed by `packPoints`; those from `today` on are ignored
 * @param known base prices already found in newer points, which are kept
 */
export function findBasePrices(packed: Uint8Array, today: number, known = NO_BASES): BasePrices {
  return scanBasePrices(packed, today, known).basePrices
}

/** Like `findBasePrices`, and finds the last of the points. */
export function scanBasePrices(
  packed: Uint8Array,
  today: number,
  known = NO_BASES,
): { basePrices: BasePrices; last: LastPoint | undefined } {
  const ranges = PERIOD_NAMES.map((period) => {
    return { first: today - OLDEST_DAYS[period], last: today - PERIODS[period] }
  })
  const { prices, last } = scanPoints(packed, ranges)
  const [day = null, week = null, month = null] = prices
  const basePrices = {
    '24h': known['24h'] ?? day,
    '7d': known['7d'] ?? week,
    '30d': known['30d'] ?? month,
  }
  return { basePrices, last }
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

/** Returns the change from `base` in percent with two decimals; null if either is unknown. */
export function changePercent(price: number | null, base: number | null): number | null {
  if (price === null || base === null || base === 0) return null
  return relativeChange(price, base)
}

/** Returns the change from a base above 0 in percent with two decimals. */
export function relativeChange(price: number, base: number): number {
  return Math.round((price / base - 1) * 10_000) / 100
}

export const PERIOD_NAMES = Object.keys(PERIODS) as Period[] // Object.keys returns strings; these are all periods
