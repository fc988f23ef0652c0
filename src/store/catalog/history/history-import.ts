import type { UpstreamPrice } from '#rules/catalog/catalog-records.ts'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import { type Db, inTransaction } from '../../db.ts'
import { openPrintingStore } from '../printings.ts'
import type { PriceRow } from '../schema/pricing.ts'
import { seriesId } from './history.ts'
import { openHistoryWriter, TRACKED_CENTS_MIN } from './history-writer.ts'

/** Prices of an older day, by file. A price that occurs again replaces the first. */
export type ImportedDay = { day: number; files: Iterable<readonly UpstreamPrice[]> }

/** Result of importing some older days. `unknown`: rows whose card is not in the catalog. */
export type ImportedDayCounts = { points: number; unknown: number }

/** Adds history points of older days from archives, without touching current prices. */
export type HistoryImport = {
  /**
   * Writes the points of some days in one transaction. More days at once are faster, and need more memory.
   *
   * @param days ascending
   */
  putDays(days: readonly ImportedDay[]): ImportedDayCounts
}

/** Opens an import. It reads once which prices exist, so nothing else may write prices until it ends. */
export function openHistoryImport(db: Db): HistoryImport {
  const history = openHistoryWriter(db)
  const printings = openPrintingStore(db)
  const rows = db
    .prepare<[], [card: number, printing: number, since: PriceRow['tracked_since']]>(
      'SELECT card_id, printing_id, tracked_since FROM prices',
    )
    .raw()
  const cardExists = db.prepare<[number], number>('SELECT 1 FROM cards WHERE id = ?').pluck()
  const track = db.prepare<[number, number, number]>(
    `INSERT INTO prices (card_id, printing_id, changed_at, tracked_since) VALUES (?, ?, 0, ?)
     ON CONFLICT DO UPDATE SET tracked_since = excluded.tracked_since`,
  )
  /** First day of each series with a row; `UNTRACKED` without one. */
  const firstDays = new Map<number, number>()
  for (const [card, printing, since] of rows.iterate()) {
    firstDays.set(seriesId(card, printing), since ?? UNTRACKED)
  }
  const cards = new Map<number, boolean>()

  function isKnown(card: number): boolean {
    const known = cards.get(card) ?? cardExists.get(card) !== undefined
    cards.set(card, known)
    return known
  }

  /** Adds the points of a day. @returns the number of rows of unknown cards */
  function collect({ day, files }: ImportedDay, series: Map<number, HistoryPoint[]>): number {
    let unknown = 0
    for (const price of eachOf(files)) {
      const { card_id, market_price, low_price, avg_sales_price, sales_volume } = price
      if (!isKnown(card_id)) {
        unknown++
        continue
      }
      const printing = printings.getOrCreateId(price.printing)
      const id = seriesId(card_id, printing)
      if ((firstDays.get(id) ?? UNTRACKED) > day) {
        if ((market_price ?? 0) < TRACKED_CENTS_MIN) continue
        firstDays.set(id, day)
        track.run(card_id, printing, day)
      }
      const points = series.get(id) ?? []
      if (points.length === 0) series.set(id, points)
      if (points.at(-1)?.day === day) points.pop()
      points.push({ day, market_price, low_price, avg_sales_price, sales_volume })
    }
    return unknown
  }

  return {
    putDays: (days) =>
      inTransaction(db, () => {
        const series = new Map<number, HistoryPoint[]>()
        const unknown = days.reduce((sum, day) => sum + collect(day, series), 0)
        // In the order of the table, whose pages are then written once.
        const sorted = [...series].sort(([a], [b]) => a - b)
        history.putSeries(sorted)
        return { unknown, points: sorted.reduce((sum, [, points]) => sum + points.length, 0) }
      }),
  }
}

const UNTRACKED = Number.POSITIVE_INFINITY

function* eachOf(files: Iterable<readonly UpstreamPrice[]>): Generator<UpstreamPrice> {
  for (const prices of files) yield* prices
}
