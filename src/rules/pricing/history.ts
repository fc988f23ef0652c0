import { simplifyPrintings } from '../catalog/printings.ts'
import { formatDate } from '../primitives/days.ts'
import { toDollars } from '../primitives/money.ts'
import type { HistoryPoint } from './packed-history.ts'

/** Ranges of history requests, in days back from today; `all` is unlimited. */
export const HISTORY_RANGES = { month: 30, quarter: 90, year: 365, all: undefined } as const

export type HistoryRangeName = keyof typeof HISTORY_RANGES

/** History points of one printing, ascending by day. */
export type PriceSeries = { printing: string; points: HistoryPoint[] }

/**
 * Returns the first day of a response: that of the range, limited by the depth of the caller's
 * tier.
 *
 * @param depthDays depth of the tier in days; undefined if unlimited
 * @returns a day number; 0 if unlimited
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

/** Formats the history of one printing for the API. */
export function formatPrintingPoints(series: PriceSeries) {
  return series.points.map((point) => ({
    date: formatDate(point.day),
    printing: series.printing,
    market_price: toDollars(point.market_price),
    low_price: toDollars(point.low_price),
  }))
}

/** Like `formatPrintingPoints`, with the sales of each day. */
export function formatDetailedPoints(series: PriceSeries) {
  return series.points.map((point) => ({
    date: formatDate(point.day),
    printing: series.printing,
    market_price: toDollars(point.market_price),
    low_price: toDollars(point.low_price),
    avg_sales_price: toDollars(point.avg_sales_price),
    sales_volume: point.sales_volume,
  }))
}

/**
 * Formats one entry per day: the prices of the base printing beside those of the most expensive
 * foil. The newest point of each printing decides which two these are, so the line does not jump.
 */
export function formatSimplifiedPoints(series: readonly PriceSeries[]) {
  const newest = series.map(({ printing, points }) => ({
    printing,
    market_price: points.at(-1)?.market_price ?? null,
  }))
  const { base, foil } = simplifyPrintings(newest)
  type Prices = Record<'market_price' | 'low_price' | 'foil_market_price', number | null>
  const days = new Map<number, Prices>()
  const at = (day: number) => {
    const known = days.get(day)
    if (known !== undefined) return known
    const fresh: Prices = { market_price: null, low_price: null, foil_market_price: null }
    days.set(day, fresh)
    return fresh
  }
  for (const { day, market_price, low_price } of series[base ?? -1]?.points ?? []) {
    Object.assign(at(day), { market_price, low_price })
  }
  for (const point of series[foil ?? -1]?.points ?? []) {
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
