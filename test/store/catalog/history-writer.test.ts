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
  return openHistoryWriter(db)
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
    ['2026-11-21', '2026-09-22', '30d'],
    ['2026-03-01', '2026-01-30', '30d'],
    ['2026-11-03', '2026-10-24', '7d'],
    ['2026-11-01', '2026-10-31', '24h'],
  ] as const)('of %s are found where %s is the only point before it', (today, before, period) => {
    const history = openHistory()
    history.put(SERIES, at(on(before), 250))
    const packed = history.put(SERIES, at(on(today), 300))
    expect(history.readBases(SERIES, on(today), packed)).toEqual({
      '24h': null,
      '7d': null,
      '30d': null,
      [period]: 250,
    })
  })

  test('are unknown if the older month only has points that are too old', () => {
    const history = openHistory()
    history.put(SERIES, at(on('2026-09-21'), 250))
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
        expect(history.readBases(SERIES, today)).toEqual(findBasePrices(packPoints(written), today))
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
    expect(unpackPoints(history.put(SERIES, at(day, 4)))).toEqual([at(day - 1, 3), at(day, 4)])
  })
})
