// The mirror's history by month: which months there are, and which of them have changed.
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import { formatMonth } from '#rules/primitives/days.ts'
import { openHistoryStore } from '#store/catalog/history/history.ts'
import { openHistoryMonthStore } from '#store/catalog/history/history-months.ts'
import { closeMonths, openHistoryWriter } from '#store/catalog/history/history-writer.ts'
import { openDatabase } from '#store/db.ts'
import { historyFolder, separateClosedMonths } from '#store/files/history-files.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { closeAfterEach } from '../../support/closers.ts'

/** 1 September 2026. */
const DAY = 20_697
const SERIES = Array.from({ length: 40 }, (_, index) => (index + 1) * 1024 + 1)

const closers = closeAfterEach()

function pointOn(day: number, market_price: number | null): HistoryPoint {
  return { day, market_price, low_price: null, avg_sales_price: null, sales_volume: null }
}

function openCatalog() {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-months-'))
  prepareFiles(dataDir)
  const path = join(dataDir, 'catalog.db')
  const [db, reading] = [openDatabase(path), openDatabase(path, { readonly: true })]
  closers.push(
    () => rmSync(dataDir, { recursive: true }),
    () => db.close(),
    () => reading.close(),
  )
  const folder = historyFolder(dataDir)
  const months = openHistoryMonthStore(reading, openHistoryStore(reading, folder), folder)
  const writer = openHistoryWriter(db)
  return {
    put: (series: number, day: number, cents: number | null = day) =>
      writer.put(series, pointOn(day, cents)),
    close: () => closeMonths(db, DAY),
    separate: () => separateClosedMonths(dataDir),
    /** The marks by month. */
    marks: () =>
      Object.fromEntries(months.list().map(({ month, mark }) => [formatMonth(month), mark])),
  }
}

function openFilled() {
  const catalog = openCatalog()
  for (const series of SERIES) {
    for (const day of [DAY - 300, DAY - 100, DAY - 99, DAY - 40, DAY]) catalog.put(series, day)
  }
  return catalog
}

test('months keep their marks when they are closed and moved to a file', () => {
  const { marks, close, separate } = openFilled()
  const open = marks()
  expect(Object.keys(open)).toEqual(['2025-11', '2026-05', '2026-07', '2026-09'])
  expect(new Set(Object.values(open)).size).toBe(4)
  close()
  expect(marks()).toEqual(open)
  separate()
  expect(marks()).toEqual(open)
})

test('only the month of a changed price gets another mark', () => {
  const { marks, put, close } = openFilled()
  close()
  const changes = [
    { month: '2025-11', day: DAY - 299, cents: 5 },
    { month: '2026-07', day: DAY - 40, cents: 5 },
    { month: '2026-07', day: DAY - 40, cents: null },
    { month: '2026-09', day: DAY, cents: 5 },
  ]
  for (const { month, day, cents } of changes) {
    const before = marks()
    put(SERIES[7] ?? 0, day, cents)
    const after = marks()
    expect(Object.keys(after).filter((one) => after[one] !== before[one])).toEqual([month])
  }
})

test('the same prices of other cards have another mark', () => {
  const [left, right] = [openCatalog(), openCatalog()]
  for (const [{ put }, first, second] of [
    [left, 100, 200],
    [right, 200, 100],
  ] as const) {
    put(1025, DAY, first)
    put(2049, DAY, second)
  }
  expect(left.marks()).not.toEqual(right.marks())
})

test('prices of other sources are not part of it', () => {
  const { marks, put } = openFilled()
  const before = marks()
  put(-(5 * 2 ** 20 + 1), DAY - 500)
  put(-(5 * 2 ** 20 + 1), DAY)
  expect(marks()).toEqual(before)
})
