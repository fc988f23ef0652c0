import { formatDate } from '../primitives/days.ts'
import { toDollars } from '../primitives/money.ts'
import type { HistoryPoint } from './packed-history.ts'
import type { PriceOrigin } from './price-view.ts'

/** Ranges of history requests, in days back from today; `all` is unlimited. */
export const HISTORY_RANGES = { month: 30, quarter: 90, year: 365, all: undefined } as const

export type HistoryRangeName = keyof typeof HISTORY_RANGES

/** Describes where the prices of a day come from; undefined for unconverted prices of the mirror. */
export type OriginOfDay = ((day: number) => PriceOrigin) | undefined

/** History points of one printing, ascending by day. */
export type PriceSeries = { printing: string; points: HistoryPoint[]; originOf?: OriginOfDay }

/**
 * History points of the two printings of the simplified price, ascending by day; empty for a
 * printing that is missing or has no history.
 */
export type SimplifiedSeries = {
  /** Name of the base printing; null for a card without printings. */
  printing: string | null
  base: HistoryPoint[]
  foil: HistoryPoint[]
  originOf?: OriginOfDay
  foilOriginOf?: OriginOfDay
}

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
  return series.points.map((point) => formatPoint(series, point))
}

/** Like `formatPrintingPoints`, with the sales of each day. */
export function formatDetailedPoints(series: PriceSeries) {
  return series.points.map((point) => ({
    ...formatPoint(series, point),
    avg_sales_price: toDollars(point.avg_sales_price),
    sales_volume: point.sales_volume,
  }))
}

function formatPoint({ printing, originOf }: PriceSeries, point: HistoryPoint) {
  return {
    date: formatDate(point.day),
    printing,
    ...originOf?.(point.day),
    market_price: toDollars(point.market_price),
    low_price: toDollars(point.low_price),
  }
}

/**
 * Formats one entry per day: the prices of the base printing beside those of the most expensive other foil. Both are
 * chosen by current prices, so that the lines do not jump.
 */
export function formatSimplifiedPoints(series: SimplifiedSeries) {
  const { printing, base, foil, originOf, foilOriginOf } = series
  const foilPrices = new Map(foil.map(({ day, market_price }) => [day, market_price]))
  const basePoints = new Map(base.map((point) => [point.day, point]))
  const days = [...new Set([...basePoints.keys(), ...foilPrices.keys()])].sort((a, b) => a - b)
  return days.map((day) => ({
    date: formatDate(day),
    printing,
    ...originOf?.(day),
    market_price: toDollars(basePoints.get(day)?.market_price ?? null),
    low_price: toDollars(basePoints.get(day)?.low_price ?? null),
    foil_market_price: toDollars(foilPrices.get(day) ?? null),
    ...(foilOriginOf && { foil_origin: foilPrices.has(day) ? foilOriginOf(day) : null }),
  }))
}
