import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  appendPoints,
  type HistoryPoint,
  mergePoints,
  packPoints,
  scanPoints,
  splitPackedMonths,
  unpackPoints,
} from '#rules/pricing/packed-history.ts'
import { monthOf } from '#rules/primitives/days.ts'

const cents = fc.option(
  fc.oneof(fc.integer({ min: 0, max: 500_000 }), fc.integer({ min: 0, max: 2 ** 40 })),
  { nil: null },
)

const series: fc.Arbitrary<HistoryPoint[]> = fc
  .uniqueArray(fc.integer({ min: 0, max: 60_000 }), { maxLength: 120 })
  .chain((days) =>
    fc.tuple(
      ...days
        .toSorted((a, b) => a - b)
        .map((day) =>
          fc.record({
            day: fc.constant(day),
            market_price: cents,
            low_price: cents,
            avg_sales_price: cents,
            sales_volume: fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: null }),
          }),
        ),
    ),
  )

describe('packed points', () => {
  test('unpack to the same points, for any prices and gaps', () => {
    fc.assert(
      fc.property(series, (points) => {
        expect(unpackPoints(packPoints(points))).toEqual(points)
      }),
      { numRuns: 500 },
    )
  })

  test('without points are empty', () => {
    expect(packPoints([])).toHaveLength(0)
    expect(unpackPoints(new Uint8Array())).toEqual([])
  })

  test('distinguish unknown from zero in each field', () => {
    for (const value of [null, 0, 1]) {
      const point = {
        day: 20_000,
        market_price: value,
        low_price: value,
        avg_sales_price: value,
        sales_volume: value,
      }
      expect(unpackPoints(packPoints([point]))).toEqual([point])
    }
  })

  test('appended one by one equal the bytes of all', () => {
    fc.assert(
      fc.property(series, (points) => {
        let blob = packPoints([])
        for (const [index, point] of points.entries()) {
          blob = appendPoints(blob, points[index - 1], [point])
        }
        expect(blob).toEqual(packPoints(points))
      }),
      { numRuns: 300 },
    )
  })

  test('are limited to the requested days', () => {
    fc.assert(
      fc.property(series, fc.nat(60_000), fc.nat(60_000), (points, first, last) => {
        const fitting = points.filter(({ day }) => day >= first && day <= last)
        expect(unpackPoints(packPoints(points), [], first, last)).toEqual(fitting)
      }),
      { numRuns: 300 },
    )
  })

  test('are searched for the last known price in ranges of days, and for the last of all', () => {
    const range = fc.record({ first: fc.nat(60_000), last: fc.nat(60_000) })
    fc.assert(
      fc.property(series, fc.array(range, { maxLength: 4 }), (points, ranges) => {
        const { prices, last } = scanPoints(packPoints(points), ranges)
        const newest = points.at(-1)
        expect(prices).toEqual(
          ranges.map(({ first, last: end }) => {
            const fitting = points.filter(({ day }) => day >= first && day <= end)
            return fitting.findLast((one) => one.market_price !== null)?.market_price ?? null
          }),
        )
        expect(last).toEqual(
          newest && {
            day: newest.day,
            market_price: newest.market_price,
            low_price: newest.low_price,
          },
        )
      }),
      { numRuns: 300 },
    )
  })

  test('take less than six bytes a day for a year of a quiet price', () => {
    let market = 12_345
    const points = Array.from({ length: 365 }, (_, index): HistoryPoint => {
      market += (index % 7) - 3
      return {
        day: 20_000 + index,
        market_price: market,
        low_price: market - 1_500 + (index % 3),
        avg_sales_price: null,
        sales_volume: null,
      }
    })
    const bytes = packPoints(points).length
    expect(bytes).toBeLessThanOrEqual(365 * 4 + 10)
    const sold = points.map((historyPoint) => ({
      ...historyPoint,
      avg_sales_price: market,
      sales_volume: 12,
    }))
    expect(packPoints(sold).length).toBeLessThanOrEqual(365 * 6 + 10)
  })

  test('that are truncated throw or lack whole points, and are never misread', () => {
    fc.assert(
      fc.property(series, fc.nat(), (points, cut) => {
        const blob = packPoints(points)
        const part = blob.slice(0, blob.length === 0 ? 0 : cut % blob.length)
        let read: HistoryPoint[] | undefined
        try {
          read = unpackPoints(part)
        } catch (error) {
          expect(String(error)).toContain('truncated')
        }
        if (read !== undefined) expect(read).toEqual(points.slice(0, read.length))
      }),
      { numRuns: 300 },
    )
  })
})

describe('packed months', () => {
  test('of a blob are those of each month alone, whatever precedes them', () => {
    fc.assert(
      fc.property(series, (points) => {
        const months = [...Map.groupBy(points, ({ day }) => monthOf(day)).values()]
        const alone = months.flatMap((ofMonth) => splitPackedMonths(packPoints(ofMonth)))
        expect(alone.map(({ month }) => month)).toEqual(
          months.map(([first]) => monthOf(first?.day ?? 0)),
        )
        expect(splitPackedMonths(packPoints(points))).toEqual(alone)
      }),
      { numRuns: 500 },
    )
  })

  test('differ if any price of theirs differs', () => {
    fc.assert(
      fc.property(series, fc.nat(200), (points, nth) => {
        const index = nth % Math.max(points.length, 1)
        const changed = points.map((point, at) =>
          at === index ? { ...point, market_price: (point.market_price ?? 0) + 1 } : point,
        )
        const [before, after] = [points, changed].map((some) => splitPackedMonths(packPoints(some)))
        const differing = before?.filter((one, at) => !Bun.deepEquals(one, after?.[at]))
        expect(differing?.map(({ month }) => month)).toEqual(
          points.length === 0 ? [] : [monthOf(points[index]?.day ?? 0)],
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('merged points', () => {
  test('are ascending, one per day, and the newer list wins', () => {
    fc.assert(
      fc.property(series, series, (older, newer) => {
        const merged = mergePoints(older, newer)
        const days = merged.map((historyPoint) => historyPoint.day)
        expect(days).toEqual(
          [...new Set([...older, ...newer].map((point) => point.day))].sort((a, b) => a - b),
        )
        for (const point of newer) expect(merged).toContainEqual(point)
        const known = new Set(newer.map((point) => point.day))
        for (const point of older) if (!known.has(point.day)) expect(merged).toContainEqual(point)
      }),
      { numRuns: 100 },
    )
  })

  test('leave both lists unchanged', () => {
    const older = [at(1), at(3)]
    const newer = [at(2)]
    mergePoints(older, newer)
    expect([older, newer]).toEqual([[at(1), at(3)], [at(2)]])
  })
})

function at(day: number): HistoryPoint {
  return { day, market_price: day, low_price: null, avg_sales_price: null, sales_volume: null }
}
