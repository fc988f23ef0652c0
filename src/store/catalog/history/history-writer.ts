import {
  appendPoints,
  type HistoryPoint,
  type LastPoint,
  mergePoints,
  packPoints,
  scanPoints,
  unpackPoints,
} from '#rules/pricing/packed-history.ts'
import {
  type BasePrices,
  findBasePrices,
  missingBaseDays,
  scanBasePrices,
} from '#rules/pricing/price-changes.ts'
import { monthOf } from '#rules/primitives/days.ts'
import { type Db, inTransaction } from '../../db.ts'
import { openRowWriter, ROWS_AT_ONCE, type RowValue } from '../../row-writer.ts'
import { setBases } from '../price-rows.ts'
import type { HistoryHotRow } from '../schema/pricing.ts'

/** Writes points into the row of their month in `history_hot`; `closeMonths` moves old rows from there. */
export type HistoryWriter = {
  /** Writes one day's point, or replaces it. */
  put(series: number, point: HistoryPoint): void
  /**
   * Writes the points of many series, or replaces those of the same days.
   *
   * @param points ascending by day, at most one a day
   */
  putSeries(series: Iterable<readonly [series: number, points: readonly HistoryPoint[]]>): void
  /** Opens the writer of the points of many series, for one transaction. */
  openTracker(): PointTracker
  /** Returns the base prices for the changes of a series; older months are read only if needed. */
  readBases(series: number, day: number): BasePrices
  /** Returns the first of the last days up to `day` with the same market price, within open months. */
  findStart(series: number, day: number, price: number | null): number
}

/** Writes the points of many series together, each series at most once. */
export type PointTracker = {
  /** Writes one day's point, or replaces it, at the latest when flushed. @returns the day's base prices */
  track(series: number, point: HistoryPoint): BasePrices
  /** Writes the points that are not written yet. */
  flush(): void
}

export function openHistoryWriter(db: Db): HistoryWriter {
  const hot = db
    .prepare<[number, number], Uint8Array>(
      'SELECT points FROM history_hot WHERE month = ? AND series_id = ?',
    )
    .pluck()
  // Reads both rows at once, because each call of the driver costs as much as finding a row.
  const lastTwo = db
    .prepare<
      [month: number, series: number, month: number, series: number],
      [Uint8Array | null, Uint8Array | null]
    >(
      `SELECT (SELECT points FROM history_hot WHERE month = ? AND series_id = ?),
              (SELECT points FROM history_hot WHERE month = ? AND series_id = ?)`,
    )
    .raw()
  const putRows = openRowWriter(
    db,
    'history_hot',
    ['month', 'series_id', 'points'],
    'ON CONFLICT DO UPDATE SET points = excluded.points',
  )

  const ofMonth = (month: number, series: number) => hot.get(month, series) ?? NO_POINTS

  /** Finds missing base prices in the months before a month. */
  function complete(found: BasePrices, series: number, day: number, before: number): BasePrices {
    let basePrices = found
    for (let month = before - 1; ; month--) {
      const wanted = missingBaseDays(basePrices, day)
      if (wanted === undefined || month < monthOf(wanted.first)) return basePrices
      basePrices = findBasePrices(ofMonth(month, series), day, basePrices)
    }
  }

  function openTracker(): PointTracker {
    // Belongs to one transaction: rows that are rolled back must not be written by the next one.
    let pending: RowValue[] = []
    const flush = () => {
      putRows(pending)
      pending = []
    }
    return {
      track(series, historyPoint) {
        const { day } = historyPoint
        const month = monthOf(day)
        const [blob, older] = lastTwo.get(month, series, month - 1, series) ?? []
        // The base prices are older than the day's point.
        const { basePrices, last } = scanBasePrices(blob ?? NO_POINTS, day)
        pending.push(month, series, addPoints(blob ?? NO_POINTS, last, [historyPoint]))
        if (pending.length >= PENDING_VALUES_MAX) flush()
        const recent = older == null ? basePrices : findBasePrices(older, day, basePrices)
        return complete(recent, series, day, month - 1)
      },
      flush,
    }
  }

  return {
    put(series, historyPoint) {
      const month = monthOf(historyPoint.day)
      const blob = ofMonth(month, series)
      putRows([month, series, addPoints(blob, scanPoints(blob, []).last, [historyPoint])])
    },

    putSeries(all) {
      let pending: RowValue[] = []
      for (const [series, points] of all) {
        for (const [month, ofThis] of splitMonths(points)) {
          const blob = ofMonth(month, series)
          pending.push(month, series, addPoints(blob, scanPoints(blob, []).last, ofThis))
        }
        if (pending.length < PENDING_VALUES_MAX) continue
        putRows(pending)
        pending = []
      }
      putRows(pending)
    },

    openTracker,

    readBases(series, day) {
      const month = monthOf(day)
      return complete(findBasePrices(ofMonth(month, series), day), series, day, month)
    },

    findStart(series, day, price) {
      let start = day
      for (let month = monthOf(day); ; month--) {
        const points = unpackPoints(ofMonth(month, series), [], 0, day)
        if (points.length === 0) return start
        for (const point of points.reverse()) {
          if (point.market_price !== price) return start
          start = point.day
        }
      }
    },
  }
}

const NO_POINTS = new Uint8Array()

/** Values of the rows of one statement. */
const PENDING_VALUES_MAX = 3 * ROWS_AT_ONCE

/** Adds points to a blob, or replaces those of the same days. @param last the blob's last point */
function addPoints(
  blob: Uint8Array,
  last: LastPoint | undefined,
  points: readonly HistoryPoint[],
): Uint8Array {
  return last === undefined || last.day < (points[0]?.day ?? 0)
    ? appendPoints(blob, last, points)
    : packPoints(mergePoints(unpackPoints(blob), points))
}

/** Splits ascending points by month. Most are of one. */
function splitMonths(points: readonly HistoryPoint[]): [number, readonly HistoryPoint[]][] {
  const month = monthOf(points[0]?.day ?? 0)
  if (monthOf(points.at(-1)?.day ?? 0) === month) return [[month, points]]
  return [...Map.groupBy(points, ({ day }) => monthOf(day))]
}

/**
 * Moves old months into the cold blobs, some thousand series at a time; no point is ever in both.
 *
 * @param day newest day with points
 */
export function closeMonths(db: Db, day: number): void {
  const next = db.prepare<[number], HistoryHotRow>(
    `SELECT month, series_id, points FROM history_hot WHERE month < ?
      ORDER BY month, series_id LIMIT ${SERIES_A_TRANSACTION}`,
  )
  const cold = db
    .prepare<[number], Uint8Array>('SELECT points FROM history_cold WHERE series_id = ?')
    .pluck()
  const putCold = db.prepare<[number, Uint8Array]>(
    `INSERT INTO history_cold (series_id, points) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET points = excluded.points`,
  )
  const removeHot = db.prepare<[number, number]>(
    'DELETE FROM history_hot WHERE month = ? AND series_id = ?',
  )
  for (let moved = SERIES_A_TRANSACTION; moved === SERIES_A_TRANSACTION; ) {
    moved = inTransaction(db, () => {
      const rows = next.all(firstOpenMonth(day))
      for (const { month, series_id, points } of rows) {
        const closed = cold.get(series_id)
        const older = closed === undefined ? [] : unpackPoints(closed)
        putCold.run(series_id, packPoints(mergePoints(older, unpackPoints(points))))
        removeHot.run(month, series_id)
      }
      return rows.length
    })
  }
}

/**
 * Deletes the points of months in the future, from publish times that were wrong by years. The next month stays,
 * because clocks differ.
 */
export function dropFuturePoints(db: Db, today: number): void {
  db.prepare<[number]>('DELETE FROM history_hot WHERE month > ?').run(monthOf(today) + 1)
}

/** Returns the first month that stays hot. */
function firstOpenMonth(day: number): number {
  return monthOf(day - OPEN_DAYS_MIN)
}

/** More than changes look back, so that a price that was the same for long is recognized. */
const OPEN_DAYS_MIN = 60

const SERIES_A_TRANSACTION = 5_000

/** Minimum market price in cents at which the history of a printing begins. */
export const TRACKED_CENTS_MIN = 100

/** A current price, and the part of its row that is derived from its history. */
type TrackedPrice = Pick<HistoryPoint, 'market_price' | 'low_price'> & {
  /** Day of the first point; null without history. */
  tracked_since: number | null
  bases: BasePrices
}

/**
 * Writes the day's point of a price, and updates its base prices. A history begins on the day on which the price
 * first reaches `TRACKED_CENTS_MIN`. The caller flushes the tracker after the last price.
 *
 * @returns true if the row changed
 */
export function trackPrice(
  tracker: PointTracker,
  series: number,
  row: TrackedPrice,
  point: Pick<HistoryPoint, 'day' | 'avg_sales_price' | 'sales_volume'>,
): boolean {
  const begins = row.tracked_since === null && (row.market_price ?? 0) >= TRACKED_CENTS_MIN
  if (begins) row.tracked_since = point.day
  if (row.tracked_since === null) return false
  const { market_price, low_price } = row
  return setBases(row, tracker.track(series, { ...point, market_price, low_price })) || begins
}
