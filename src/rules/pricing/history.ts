import { simplifyPrintings } from '../catalog/printings.ts'
import { formatDate } from '../primitives/days.ts'
import { toDollars } from '../primitives/money.ts'
import type { HistoryPoint } from './packed-history.ts'

/** The ranges that a caller may ask history for, in days back from today; `all` has no bound. */
export const HISTORY_RANGES = { month: 30, quarter: 90, year: 365, all: undefined } as const

export type HistoryRangeName = keyof typeof HISTORY_RANGES

/** The series of one printing: its points, ascending by day. */
export type PriceSeries = { printing: string; points: HistoryPoint[] }

/**
 * The first day that an answer covers: the range's, clipped to the depth of the caller's tier.
 *
 * @param depthDays the tier's depth in days; undefined for all of it
 * @returns a day number; 0 when neither bounds it
 */
export function firstDay(
  name: HistoryRangeName,
  depthDays: number | undefined,
  today: number,
): number {
  const days = Math.min(
    HISTORY_RANGES[name] ?? Number.POSITIVE_INFINITY,
    depthDays ?? Number.POSITIVE_INFINITY,
  )
  return Number.isFinite(days) ? today - days : 0
}

/** History of one printing as the wire tells it. */
export function formatPrintingPoints(priceSeries: PriceSeries) {
  return priceSeries.points.map((historyPoint) => ({
    date: formatDate(historyPoint.day),
    printing: priceSeries.printing,
    market_price: toDollars(historyPoint.market_price),
    low_price: toDollars(historyPoint.low_price),
  }))
}

/** The same with what is known of the day's sales. */
export function formatDetailedPoints(priceSeries: PriceSeries) {
  return priceSeries.points.map((historyPoint) => ({
    date: formatDate(historyPoint.day),
    printing: priceSeries.printing,
    market_price: toDollars(historyPoint.market_price),
    low_price: toDollars(historyPoint.low_price),
    avg_sales_price: toDollars(historyPoint.avg_sales_price),
    sales_volume: historyPoint.sales_volume,
  }))
}

/**
 * One entry a day for the whole card: the base printing's prices beside the best-known foil's. Which
 * printings these are is decided by the newest point of each, so that the line does not jump.
 */
export function formatSimplifiedPoints(priceSeries: readonly PriceSeries[]) {
  const newest = priceSeries.map(({ printing, points }) => ({
    printing,
    market_price: points.at(-1)?.market_price ?? null,
  }))
  const { base, foil } = simplifyPrintings(newest)
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
  for (const historyPoint of priceSeries[base ?? -1]?.points ?? []) {
    Object.assign(at(historyPoint.day), {
      market_price: historyPoint.market_price,
      low_price: historyPoint.low_price,
    })
  }
  for (const point of priceSeries[foil ?? -1]?.points ?? []) {
    at(point.day).foil_market_price = point.market_price
  }
  return [...days.entries()]
    .sort(([a], [b]) => a - b)
    .map(([day, entry]) => ({
      date: formatDate(day),
      market_price: toDollars(entry.market_price),
      low_price: toDollars(entry.low_price),
      foil_market_price: toDollars(entry.foil_market_price),
    }))
}
