import { simplifyPrintings } from '#rules/catalog/printings.ts'
import type { PriceSeries, SimplifiedSeries } from '#rules/pricing/history.ts'
import { type HistoryPoint, mergePoints, unpackPoints } from '#rules/pricing/packed-history.ts'
import type { Db } from '../db.ts'
import type { PriceRow } from './schema.ts'

/** Series ids per card: the printing takes the low ten bits. */
export const SERIES_PER_CARD = 1024

export function seriesId(cardId: number, printingId: number): number {
  return cardId * SERIES_PER_CARD + printingId
}

/** Queries for daily points: closed months are in `history_cold`, open ones in `history_hot`. */
export type HistoryStore = {
  /** Returns a series' points from `firstDay` on, ascending. */
  getPoints(series: number, firstDay: number): HistoryPoint[]
  /** Lists every tracked printing of a card with its points from `firstDay` on. */
  listByCard(cardId: number, firstDay: number): PriceSeries[]
  /** Returns the points of a card's base printing and foil from `firstDay` on. */
  getSimplified(cardId: number, firstDay: number): SimplifiedSeries
  /** Reads again which months are open; to be called when another version is published. */
  invalidate(): void
}

export function openHistoryStore(db: Db): HistoryStore {
  // Raw statements: a read has to stay within tens of microseconds. Months are stepped through by
  // the index: DISTINCT would read every row of the largest table.
  const months = db
    .prepare<[], number>(
      `WITH RECURSIVE months (month) AS (
         SELECT min(month) FROM history_hot
         UNION ALL
         SELECT (SELECT min(month) FROM history_hot WHERE month > months.month)
           FROM months WHERE month IS NOT NULL)
       SELECT month FROM months WHERE month IS NOT NULL`,
    )
    .pluck()
  const printings = db.prepare<[number], PrintingRow>(
    `SELECT printing_id, name AS printing, market_price, low_price, tracked_since
       FROM prices JOIN printings ON printings.id = printing_id
      WHERE card_id = +? ORDER BY printing_id`,
  )
  let blobs = prepareBlobs(db, months.all())

  function getPoints(series: number, firstDay: number): HistoryPoint[] {
    let points: HistoryPoint[] = []
    for (const blob of blobs.get(series) ?? []) {
      if (blob !== null) points = append(points, blob, firstDay)
    }
    return points
  }

  return {
    getPoints,
    listByCard: (cardId, firstDay) =>
      printings
        .all(cardId)
        .filter(({ tracked_since }) => tracked_since !== null)
        .map(({ printing_id, printing }) => ({
          printing,
          points: getPoints(seriesId(cardId, printing_id), firstDay),
        })),
    getSimplified(cardId, firstDay) {
      const { base, foil } = simplifyPrintings(printings.all(cardId))
      const pointsOf = (row: PrintingRow | undefined) =>
        row === undefined || row.tracked_since === null
          ? []
          : getPoints(seriesId(cardId, row.printing_id), firstDay)
      return { printing: base?.printing ?? null, base: pointsOf(base), foil: pointsOf(foil) }
    },
    invalidate() {
      blobs = prepareBlobs(db, months.all())
    },
  }
}

type PrintingRow = Pick<
  PriceRow,
  'printing_id' | 'market_price' | 'low_price' | 'tracked_since'
> & { printing: string }

/** Prepares the blobs of a series: the cold one, then those of the open months, null if missing. */
function prepareBlobs(db: Db, openMonths: readonly number[]) {
  const hot = openMonths.map(
    (month) => `SELECT points FROM history_hot WHERE month = ${month} AND series_id = series`,
  )
  const all = ['SELECT points FROM history_cold WHERE series_id = series', ...hot]
  // Combines all blobs in one statement: each statement has a fixed cost similar to that of
  // reading. Within one statement, no month can move from hot to cold unnoticed.
  return db
    .prepare<[number], (Uint8Array | null)[]>(
      `SELECT ${all.map((one) => `(${one})`)} FROM (SELECT +? AS series)`,
    )
    .raw()
}

/** Appends the points of a blob, which usually begins where the others end. */
function append(points: HistoryPoint[], blob: Uint8Array, firstDay: number): HistoryPoint[] {
  const end = points.length
  unpackPoints(blob, points, firstDay)
  const overlaps = (points[end]?.day ?? 0) <= (points[end - 1]?.day ?? -1)
  return overlaps ? mergePoints(points.slice(0, end), points.slice(end)) : points
}
