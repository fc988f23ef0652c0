import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import type { BasePrices } from '#rules/pricing/price-changes.ts'
import { setBases } from '../price-rows.ts'
import { type HistoryWriter, TRACKED_CENTS_MIN } from './history-writer.ts'

/** A current price, and the part of its row that follows from its history. */
export type TrackedPrice = Pick<HistoryPoint, 'market_price' | 'low_price'> & {
  /** Day of the first point; null without history. */
  tracked_since: number | null
  bases: BasePrices
}

/**
 * Writes the day's point of a price, and finds its base prices again. A history begins on the day on which the
 * price first reaches `TRACKED_CENTS_MIN`.
 *
 * @returns whether the row changed
 */
export function trackPrice(
  history: HistoryWriter,
  series: number,
  row: TrackedPrice,
  point: Pick<HistoryPoint, 'day' | 'avg_sales_price' | 'sales_volume'>,
): boolean {
  const begins = row.tracked_since === null && (row.market_price ?? 0) >= TRACKED_CENTS_MIN
  if (begins) row.tracked_since = point.day
  if (row.tracked_since === null) return false
  const { market_price, low_price } = row
  const points = history.put(series, { ...point, market_price, low_price })
  return setBases(row, history.readBases(series, point.day, points)) || begins
}
