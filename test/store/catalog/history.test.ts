import { expect, test } from 'bun:test'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import { monthOf } from '#rules/primitives/days.ts'
import { openHistoryStore } from '#store/catalog/history/history.ts'
import { closeMonths, openHistoryWriter } from '#store/catalog/history/history-writer.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

const SERIES = 5 * 1024 + 1
/** 1 September 2026. */
const DAY = 20_697

function pointOn(day: number, market_price = day): HistoryPoint {
  return { day, market_price, low_price: null, avg_sales_price: null, sales_volume: null }
}

function openBoth() {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  return { db, intake: openHistoryWriter(db), history: openHistoryStore(db, '') }
}

test('a series combines closed and open months, ascending', () => {
  const { db, intake, history } = openBoth()
  const days = Array.from({ length: 300 }, (_, index) => DAY - 299 + index)
  for (const day of days) intake.put(SERIES, pointOn(day))
  closeMonths(db, DAY)
  history.invalidate()
  expect(history.getPoints(SERIES, 0)).toEqual(days.map((day) => pointOn(day)))
  expect(history.getPoints(SERIES, DAY - 100)).toEqual(days.slice(199).map((day) => pointOn(day)))
  expect(history.getPoints(SERIES + 1, 0)).toEqual([])
})

test('a month that is closed in the meantime stays visible', () => {
  const { db, intake, history } = openBoth()
  for (const day of [DAY - 200, DAY - 100, DAY]) intake.put(SERIES, pointOn(day))
  history.invalidate()
  const before = history.getPoints(SERIES, 0)
  closeMonths(db, DAY)
  expect(before.map(({ day }) => day)).toEqual([DAY - 200, DAY - 100, DAY])
  expect(history.getPoints(SERIES, 0)).toEqual(before)
})

test('an imported older month is inserted in order and replaces duplicates', () => {
  const { db, intake, history } = openBoth()
  for (const day of [DAY - 200, DAY - 100, DAY]) intake.put(SERIES, pointOn(day))
  closeMonths(db, DAY)
  intake.put(SERIES, pointOn(DAY - 150))
  intake.put(SERIES, pointOn(DAY - 100, 7))
  history.invalidate()
  expect(history.getPoints(SERIES, 0)).toEqual([
    pointOn(DAY - 200),
    pointOn(DAY - 150),
    pointOn(DAY - 100, 7),
    pointOn(DAY),
  ])
})

test('a new month is visible after a publication', () => {
  const { intake, history } = openBoth()
  intake.put(SERIES, pointOn(DAY))
  history.invalidate()
  intake.put(SERIES, pointOn(DAY + 31))
  expect(monthOf(DAY + 31)).toBe(monthOf(DAY) + 1)
  history.invalidate()
  expect(history.getPoints(SERIES, 0)).toEqual([pointOn(DAY), pointOn(DAY + 31)])
})
