// Closed months in a separate file.
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import { openHistoryStore } from '#store/catalog/history/history.ts'
import { closeMonths, openHistoryWriter } from '#store/catalog/history/history-writer.ts'
import { openDatabase } from '#store/db.ts'
import { describeCatalog } from '#store/files/describe-catalog.ts'
import { historyFolder, separateClosedMonths } from '#store/files/history-files.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { closeAfterEach } from '../../support/closers.ts'

/** 1 September 2026. */
const DAY = 20_697
const SERIES = Array.from({ length: 40 }, (_, index) => (index + 1) * 1024 + 1)

const closers = closeAfterEach()

function pointOn(day: number, market_price = day): HistoryPoint {
  return { day, market_price, low_price: null, avg_sales_price: null, sales_volume: null }
}

/** Creates a catalog with one connection for writing and another for reading. */
function createCatalog() {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-history-'))
  prepareFiles(dataDir)
  const path = join(dataDir, 'catalog.db')
  const db = openDatabase(path)
  db.exec(`UPDATE publication SET published_at = '2026-09-01T20:00:00.000Z'`)
  const reading = openDatabase(path, { readonly: true })
  closers.push(
    () => rmSync(dataDir, { recursive: true }),
    () => db.close(),
    () => reading.close(),
  )
  const writer = openHistoryWriter(db)
  return {
    dataDir,
    db,
    put: (series: number, day: number, cents = day) => writer.put(series, pointOn(day, cents)),
    close: () => closeMonths(db, DAY),
    separate: () => separateClosedMonths(dataDir),
    history: openHistoryStore(reading, historyFolder(dataDir)),
    files: () => readdirSync(historyFolder(dataDir)),
    inCatalog: () => db.prepare('SELECT count(*) FROM history_cold').pluck().get(),
    described: () => describeCatalog(path)?.history,
  }
}

describe('closed months', () => {
  test('are read from their file by a server that has the catalog open', () => {
    const { put, close, separate, history, files, inCatalog, described } = createCatalog()
    for (const series of SERIES) {
      for (const day of [DAY - 300, DAY - 100, DAY]) put(series, day)
    }
    history.invalidate()
    close()
    expect(inCatalog()).toBe(SERIES.length)
    separate()
    expect({ files: files().length, inCatalog: inCatalog() }).toEqual({ files: 1, inCatalog: 0 })
    expect(files()).toEqual([`${described()?.sha256.slice(0, 16)}.db`])
    for (const series of SERIES) {
      const points = [DAY - 300, DAY - 100, DAY].map((day) => pointOn(day))
      expect(history.getPoints(series, 0)).toEqual(points)
      expect(history.getPoints(series, DAY - 200)).toEqual(points.slice(1))
    }
    expect(history.getPoints(7, 0)).toEqual([])
  })

  test('leave a small catalog behind, whose readers and rows stay', () => {
    const { put, close, separate, history, db } = createCatalog()
    for (let series = 1; series <= 20_000; series++) put(series, DAY - 200)
    close()
    const pages = () => Number(db.pragma('page_count', { simple: true }))
    const tables = () =>
      db.prepare("SELECT name, sql FROM sqlite_schema WHERE sql <> '' ORDER BY name").all()
    const [before, schema] = [pages(), tables()]
    separate()
    expect(pages()).toBeLessThan(before - 100)
    expect(tables()).toEqual(schema)
    expect(history.getPoints(20_000, 0)).toEqual([pointOn(DAY - 200)])
  })

  test('stay in one file until another month is closed', () => {
    const { put, close, separate, history, files, inCatalog } = createCatalog()
    for (const series of SERIES) put(series, DAY - 200)
    close()
    separate()
    const [first = ''] = files()
    // Corrects a point.
    put(1025, DAY - 200, 7)
    close()
    separate()
    expect({ files: files(), inCatalog: inCatalog() }).toEqual({ files: [first], inCatalog: 1 })
    expect(history.getPoints(1025, 0)).toEqual([pointOn(DAY - 200, 7)])
    for (const series of SERIES) put(series, DAY - 100)
    close()
    separate()
    expect(inCatalog()).toBe(0)
    expect(history.getPoints(1025, 0)).toEqual([pointOn(DAY - 200, 7), pointOn(DAY - 100)])
    // Servers that have just opened the catalog may still read the first file.
    expect(files()).toContain(first)
    separate()
    expect(files()).not.toContain(first)
  })

  test('have the points that they would have in the catalog, whatever is written when', () => {
    const step = fc.oneof(
      fc.record({ series: fc.integer({ min: 1, max: 3 }), ago: fc.integer({ min: 0, max: 400 }) }),
      fc.constant('close' as const),
      fc.constant('separate' as const),
    )
    const steps = fc.array(step, { maxLength: 40 })
    fc.assert(
      fc.property(steps, (all) => {
        const { put, close, separate, history } = createCatalog()
        const expected = new Map<number, Map<number, HistoryPoint>>()
        for (const [index, one] of all.entries()) {
          if (one === 'close') close()
          else if (one === 'separate') separate()
          else {
            put(one.series, DAY - one.ago, index)
            const points = expected.get(one.series) ?? new Map()
            points.set(DAY - one.ago, pointOn(DAY - one.ago, index))
            expected.set(one.series, points)
          }
        }
        history.invalidate()
        for (const [series, points] of expected) {
          const ascending = [...points.values()].sort((a, b) => a.day - b.day)
          expect(history.getPoints(series, 0)).toEqual(ascending)
        }
        for (const end of closers.splice(0).reverse()) end()
      }),
      { numRuns: 30 },
    )
  })

  test('that are missing are an error, not a shorter history', () => {
    const { dataDir, put, close, separate, history } = createCatalog()
    for (const day of [DAY - 200, DAY]) put(1025, day)
    close()
    separate()
    rmSync(historyFolder(dataDir), { recursive: true })
    expect(() => history.getPoints(1025, 0)).toThrow('A file of the price history is missing')
    const opened = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
    closers.push(() => opened.close())
    const other = openHistoryStore(opened, historyFolder(dataDir))
    expect(() => other.getPoints(1025, 0)).toThrow('A file of the price history is missing')
  })
})
