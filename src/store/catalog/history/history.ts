import { basePrinting, putFirst, simplifyPrintings } from '#rules/catalog/base-printing.ts'
import type { PriceSeries, SimplifiedSeries } from '#rules/pricing/history.ts'
import { type HistoryPoint, mergePoints, unpackPoints } from '#rules/pricing/packed-history.ts'
import type { Db } from '../../db.ts'
import type { PriceRow } from '../schema/pricing.ts'
import { type AttachedHistory, openClosedHistory } from './closed-history.ts'

/** Series ids per card: the printing takes the low ten bits. */
export const SERIES_PER_CARD = 1024

/** Returns the series of a price of the mirror. */
export function seriesId(cardId: number, printingId: number): number {
  return cardId * SERIES_PER_CARD + printingId
}

/** Series ids of other sources per card: the kind takes the low twenty bits of the negative id. */
export const SOURCE_SERIES_PER_CARD = 2 ** 20

/** Returns the series of another source's price: negative, so that it never equals a series of the mirror. */
export function sourceSeriesId(cardId: number, kindId: number): number {
  return -(cardId * SOURCE_SERIES_PER_CARD + kindId)
}

/**
 * Queries for daily points: open months are in `history_hot`, closed ones in `history_cold`, or in a separate file if
 * snapshots are published.
 */
export type HistoryStore = {
  /** Returns a series' points from `firstDay` on, ascending, up to `lastDay` if given. */
  getPoints(series: number, firstDay: number, lastDay?: number): HistoryPoint[]
  /** Lists every tracked printing of a card with its points from `firstDay` on. */
  listByCard(cardId: number, firstDay: number): PriceSeries[]
  /** Returns the points of a card's base printing and foil from `firstDay` on. */
  getSimplified(cardId: number, firstDay: number): SimplifiedSeries
  /** Checks again which months are open. Call it when another version is published. */
  invalidate(): void
}

/** @param closedFolder folder with the files of closed months */
export function openHistoryStore(db: Db, closedFolder: string): HistoryStore {
  // Raw statements, because a read must stay within tens of microseconds. Months are found one by one through the
  // index, because DISTINCT would read every row of the largest table.
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
    `SELECT printing_id, name AS printing, market_price, low_price, tracked_since, is_base_printing
       FROM prices JOIN printings ON printings.id = printing_id
      WHERE card_id = +? ORDER BY is_base_printing DESC, printing_id`,
  )
  const closed = openClosedHistory(db, closedFolder)
  let attached = closed.attach()
  let blobs = prepareBlobs(db, attached, months.all())

  function refresh(): void {
    attached = closed.attach()
    blobs = prepareBlobs(db, attached, months.all())
  }

  function readBlobs(series: number): readonly (Uint8Array | null)[] {
    const [sha256, ...found] = blobs.get(series) ?? [null]
    if (sha256 === attached.sha256) return found
    // Months have been moved to another file since this one was attached.
    const before = attached
    refresh()
    if (attached === before) throw closed.missing()
    return readBlobs(series)
  }

  function getPoints(series: number, firstDay: number, lastDay?: number): HistoryPoint[] {
    let points: HistoryPoint[] = []
    for (const blob of readBlobs(series)) {
      if (blob !== null) points = append(points, blob, firstDay, lastDay)
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
      const rows = printings.all(cardId)
      // A card that only archives price has no base printing yet.
      const first = rows[0]?.is_base_printing === 1 ? rows[0] : basePrinting(rows)
      const { base, foil } = simplifyPrintings(putFirst(rows, first))
      const pointsOf = (row: PrintingRow | undefined) =>
        row === undefined || row.tracked_since === null
          ? []
          : getPoints(seriesId(cardId, row.printing_id), firstDay)
      return { printing: base?.printing ?? null, base: pointsOf(base), foil: pointsOf(foil) }
    },
    invalidate: refresh,
  }
}

type PrintingRow = Pick<
  PriceRow,
  'printing_id' | 'market_price' | 'low_price' | 'tracked_since' | 'is_base_printing'
> & { printing: string }

/**
 * Prepares the blobs of a series, oldest first, null if missing. The hash of the file with the closed months comes
 * first.
 */
function prepareBlobs(db: Db, { schema }: AttachedHistory, openMonths: readonly number[]) {
  const cold = 'history_cold WHERE series_id = series'
  const hot = openMonths.map((month) => `history_hot WHERE month = ${month} AND series_id = series`)
  const places = [...(schema === undefined ? [] : [`${schema}.${cold}`]), `main.${cold}`, ...hot]
  const blobs = places.map((place) => `(SELECT points FROM ${place})`)
  // Combines all blobs in one statement, because each statement has a fixed cost similar to that of reading. Within
  // one statement, no month can be moved unnoticed.
  return db
    .prepare<[number], [sha256: string | null, ...points: (Uint8Array | null)[]]>(
      `SELECT (SELECT sha256 FROM closed_history), ${blobs} FROM (SELECT +? AS series)`,
    )
    .raw()
}

/** Appends the points of a blob, which usually begins after the others. */
function append(
  points: HistoryPoint[],
  blob: Uint8Array,
  firstDay: number,
  lastDay?: number,
): HistoryPoint[] {
  const end = points.length
  unpackPoints(blob, points, firstDay, lastDay)
  const overlaps = (points[end]?.day ?? 0) <= (points[end - 1]?.day ?? -1)
  return overlaps ? mergePoints(points.slice(0, end), points.slice(end)) : points
}
