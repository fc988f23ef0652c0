import { simplify } from '../catalog/printings.ts'
import { dateOf } from '../primitives/days.ts'
import { dollars } from '../primitives/money.ts'
import type { Point } from './packed-history.ts'

/** The ranges that a caller may ask history for, in days back from today; `all` has no bound. */
export const RANGES = { month: 30, quarter: 90, year: 365, all: undefined } as const

export type Range = keyof typeof RANGES

/** The series of one printing: its points, ascending by day. */
export type Series = { printing: string; points: Point[] }

/**
 * The first day that an answer covers: the range's, clipped to the depth of the caller's tier.
 *
 * @param depthDays the tier's depth in days; undefined for all of it
 * @returns a day number; 0 when neither bounds it
 */
export function firstDay(range: Range, depthDays: number | undefined, today: number): number {
  const days = Math.min(
    RANGES[range] ?? Number.POSITIVE_INFINITY,
    depthDays ?? Number.POSITIVE_INFINITY,
  )
  return Number.isFinite(days) ? today - days : 0
}

/** History of one printing as the wire tells it. */
export function pointsOfPrinting(series: Series) {
  return series.points.map((point) => ({
    date: dateOf(point.day),
    printing: series.printing,
    market_price: dollars(point.market_price),
    low_price: dollars(point.low_price),
  }))
}

/** The same with what is known of the day's sales. */
export function detailedPoints(series: Series) {
  return series.points.map((point) => ({
    date: dateOf(point.day),
    printing: series.printing,
    market_price: dollars(point.market_price),
    low_price: dollars(point.low_price),
    avg_sales_price: dollars(point.avg_sales_price),
    sales_volume: point.sales_volume,
  }))
}

/**
 * One entry a day for the whole card: the base printing's prices beside the best-known foil's. Which
 * printings these are is decided by the newest point of each, so that the line does not jump.
 */
export function simplifiedPoints(series: readonly Series[]) {
  const newest = series.map(({ printing, points }) => ({
    printing,
    market_price: points.at(-1)?.market_price ?? null,
  }))
  const { base, foil } = simplify(newest)
  const days = new Map<
    number,
    { market_price: number | null; low_price: number | null; foil_market_price: number | null }
  >()
  const at = (day: number) => {
    const known = days.get(day)
    if (known !== undefined) return known
    const fresh = { market_price: null, low_price: null, foil_market_price: null }
    days.set(day, fresh)
    return fresh
  }
  for (const point of series[base ?? -1]?.points ?? []) {
    Object.assign(at(point.day), { market_price: point.market_price, low_price: point.low_price })
  }
  for (const point of series[foil ?? -1]?.points ?? []) {
    at(point.day).foil_market_price = point.market_price
  }
  return [...days.entries()]
    .sort(([a], [b]) => a - b)
    .map(([day, entry]) => ({
      date: dateOf(day),
      market_price: dollars(entry.market_price),
      low_price: dollars(entry.low_price),
      foil_market_price: dollars(entry.foil_market_price),
    }))
}
