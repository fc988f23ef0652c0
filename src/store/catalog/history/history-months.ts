import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { splitPackedMonths } from '#rules/pricing/packed-history.ts'
import { firstDayOf } from '#rules/primitives/days.ts'
import type { DailyPrice } from '#rules/sync/render-prices.ts'
import { type Db, openDatabase } from '../../db.ts'
import type { PriceRow } from '../schema/pricing.ts'
import { closedHistoryName, findClosedHistory } from './closed-history.ts'
import { type HistoryStore, seriesId } from './history.ts'

/** A month with prices of the mirror. Its mark changes whenever its points do. */
export type HistoryMonth = { month: number; mark: string }

/** Queries for the mirror's history of all cards, month by month. */
export type HistoryMonthStore = {
  /** Lists the months, ascending. Reads every point: some 20 ns each. */
  list(): HistoryMonth[]
  /** Lists the sets that have tracked prices, by game. */
  listSets(): { id: number; game_id: number }[]
  /** Returns the prices of a set within a month by day, ascending. */
  readSet(setId: number, month: number): [day: number, prices: DailyPrice[]][]
}

/** @param closedFolder folder with the files of closed months */
export function openHistoryMonthStore(
  db: Db,
  history: Pick<HistoryStore, 'getPoints'>,
  closedFolder: string,
): HistoryMonthStore {
  const sets = db.prepare<[], { id: number; game_id: number }>(
    `SELECT id, game_id FROM sets
      WHERE EXISTS (SELECT 1 FROM cards JOIN prices ON card_id = cards.id
                     WHERE set_id = sets.id AND tracked_since IS NOT NULL)
      ORDER BY game_id, id`,
  )
  const tracked = db.prepare<[set: number, lastDay: number], TrackedRow>(
    `SELECT card_id, printing_id, printings.name AS printing
       FROM cards JOIN prices ON card_id = cards.id JOIN printings ON printings.id = printing_id
      WHERE set_id = +? AND tracked_since <= +? ORDER BY card_id, printings.name`,
  )

  return {
    list() {
      const marks = new Map<number, bigint>()
      markMonths(db, ['history_hot', 'history_cold'], marks)
      const file = findClosedHistory(db)
      const path = file && join(closedFolder, closedHistoryName(file))
      // Without it, reading the points fails with the remedy.
      if (path !== undefined && existsSync(path)) markClosed(path, marks)
      return [...marks]
        .sort(([a], [b]) => a - b)
        .map(([month, mark]) => ({ month, mark: mark.toString(16).padStart(16, '0') }))
    },
    listSets: () => sets.all(),
    readSet(setId, month) {
      const [first, last] = [firstDayOf(month), firstDayOf(month + 1) - 1]
      const days = new Map<number, DailyPrice[]>()
      for (const { card_id, printing_id, printing } of tracked.all(setId, last)) {
        const points = history.getPoints(seriesId(card_id, printing_id), first, last)
        for (const { day, ...prices } of points) {
          const ofDay = days.get(day) ?? []
          if (ofDay.length === 0) days.set(day, ofDay)
          ofDay.push({ card_id, printing, ...prices })
        }
      }
      return [...days].sort(([a], [b]) => a - b)
    },
  }
}

type TrackedRow = Pick<PriceRow, 'card_id' | 'printing_id'> & { printing: string }

/** Marks the months of a file, which another connection may have attached. */
function markClosed(path: string, marks: Map<number, bigint>): void {
  const db = openDatabase(path, { readonly: true })
  try {
    markMonths(db, ['history_cold'], marks)
  } finally {
    db.close()
  }
}

/** Adds a hash of each series' points to its months. Sums do not depend on the order of tables. */
function markMonths(db: Db, tables: readonly string[], marks: Map<number, bigint>): void {
  // Series of other sources are negative. One statement, so that no month is moved from one table to the other.
  const parts = tables.map((table) => `SELECT series_id, points FROM ${table} WHERE series_id > 0`)
  const rows = db.prepare<[], [series: number, points: Uint8Array]>(parts.join(' UNION ALL ')).raw()
  for (const [series, points] of rows.iterate()) {
    for (const { month, first, rest } of splitPackedMonths(points)) {
      const start = Bun.hash(`${series} ${first.day} ${first.market_price} ${first.low_price}`)
      const mark = (marks.get(month) ?? 0n) + BigInt(Bun.hash(rest, start))
      marks.set(month, BigInt.asUintN(64, mark))
    }
  }
}
