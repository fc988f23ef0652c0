import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type HistoryPoint, packPoints, unpackPoints } from '#rules/pricing/packed-history.ts'
import { findBasePrices } from '#rules/pricing/price-changes.ts'
import { parseDate } from '#rules/primitives/days.ts'
import { openHistoryWriter } from '#store/catalog/history/history-writer.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

const SERIES = 1_025

function openHistory() {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  const blobs = db.prepare<[], Uint8Array>('SELECT points FROM history_hot ORDER BY month').pluck()
  const listPoints = () => blobs.all().flatMap((blob) => unpackPoints(blob))
  return { ...openHistoryWriter(db), listPoints }
}

function on(date: string): number {
  const day = parseDate(date)
  if (day === undefined) throw new Error(`${date} is not a date`)
  return day
}

function at(day: number, market_price: number | null): HistoryPoint {
  return { day, market_price, low_price: null, avg_sales_price: null, sales_volume: null }
}

describe('base prices of a day', () => {
  test.each([
    ['2026-11-21', '2026-10-22', '30d'],
    ['2026-11-21', '2026-10-17', '30d'],
    ['2026-03-01', '2026-01-30', '30d'],
    ['2026-11-03', '2026-10-25', '7d'],
    ['2026-11-01', '2026-10-31', '24h'],
  ] as const)('of %s are found where %s is the only point before it', (today, before, period) => {
    const history = openHistory()
    history.put(SERIES, at(on(before), 250))
    const bases = { '24h': null, '7d': null, '30d': null, [period]: 250 }
    const tracker = history.openTracker()
    expect(tracker.track(SERIES, at(on(today), 300))).toEqual(bases)
    tracker.flush()
    expect(history.readBases(SERIES, on(today))).toEqual(bases)
  })

  test('are unknown if the older month only has points that are too old', () => {
    const history = openHistory()
    history.put(SERIES, at(on('2026-10-16'), 250))
    history.put(SERIES, at(on('2026-11-21'), 300))
    expect(history.readBases(SERIES, on('2026-11-21'))).toEqual({
      '24h': null,
      '7d': null,
      '30d': null,
    })
  })

  test('consider all points, whatever their order', () => {
    const days = fc.uniqueArray(fc.integer({ min: 0, max: 95 }), { maxLength: 60 })
    const price = fc.option(fc.integer({ min: 1, max: 9_999 }), { nil: null })
    const points = days.chain((ages) =>
      fc.tuple(...ages.map((age) => price.map((cents) => ({ age, cents })))),
    )
    fc.assert(
      fc.property(fc.integer({ min: 20_000, max: 20_400 }), points, (today, put) => {
        const history = openHistory()
        const written = put.map(({ age, cents }) => at(today - age, cents))
        for (const historyPoint of written) history.put(SERIES, historyPoint)
        written.sort((a, b) => a.day - b.day)
        const bases = findBasePrices(packPoints(written), today)
        expect(history.readBases(SERIES, today)).toEqual(bases)
        expect(history.openTracker().track(SERIES, at(today, 100))).toEqual(bases)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a point', () => {
  test('replaces an earlier one of the same day', () => {
    const history = openHistory()
    const day = on('2026-11-21')
    for (const historyPoint of [at(day - 1, 1), at(day, 2), at(day - 1, 3)])
      history.put(SERIES, historyPoint)
    history.put(SERIES, at(day, 4))
    expect(history.listPoints()).toEqual([at(day - 1, 3), at(day, 4)])
    for (const historyPoint of [at(day - 1, 5), at(day, 6)]) {
      const tracker = history.openTracker()
      tracker.track(SERIES, historyPoint)
      tracker.flush()
    }
    expect(history.listPoints()).toEqual([at(day - 1, 5), at(day, 6)])
  })

  test('is written with those of other series, the last ones when they are flushed', () => {
    const history = openHistory()
    const day = on('2026-11-21')
    const points = Array.from({ length: 120 }, (_, index) => at(day, 100 + index))
    const tracker = history.openTracker()
    for (const [index, point] of points.entries()) tracker.track(SERIES + index, point)
    expect(history.listPoints().length).toBeLessThan(120)
    // An abandoned tracker leaves nothing to the next one.
    history.openTracker().flush()
    expect(history.listPoints().length).toBeLessThan(120)
    tracker.flush()
    expect(history.listPoints()).toEqual(points)
  })
})
