import type { Point } from './points.ts'

/** The periods that changes and movers are told for, with their length in days. */
export const PERIODS = { '24h': 1, '7d': 7, '30d': 30 } as const

export type Period = keyof typeof PERIODS

/** The market prices, in cents, that the changes of a price are counted from. */
export type Bases = Record<Period, number | null>

/**
 * The base of each period: the last point at or before 1, 7 and 30 days before `today`, unless there
 * is none or it is older than twice the period.
 *
 * @param points ascending by day; those of `today` and later are not looked at
 */
export function basesOf(points: readonly Point[], today: number): Bases {
  const bases: Bases = { '24h': null, '7d': null, '30d': null }
  for (let index = points.length - 1; index >= 0; index--) {
    const point = points[index]
    if (point === undefined || point.day < today - 2 * PERIODS['30d']) break
    for (const period of PERIOD_NAMES) {
      const age = today - point.day
      const days = PERIODS[period]
      if (bases[period] === null && age >= days && age <= 2 * days && point.market_price !== null) {
        bases[period] = point.market_price
      }
    }
  }
  return bases
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
