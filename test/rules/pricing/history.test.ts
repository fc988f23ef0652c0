import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { historyDepth, TIERS } from '#rules/accounts/tiers.ts'
import {
  firstDay,
  formatDetailedPoints,
  formatPrintingPoints,
  formatSimplifiedPoints,
  HISTORY_RANGES,
  type HistoryRangeName,
  type PriceSeries,
} from '#rules/pricing/history.ts'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import { formatDate } from '#rules/primitives/days.ts'

const TODAY = 20_000
const RANGE_NAMES = [
  'month',
  'quarter',
  'year',
  'all',
] as const satisfies readonly HistoryRangeName[]

function at(
  day: number,
  market_price: number | null,
  low_price: number | null = null,
): HistoryPoint {
  return { day, market_price, low_price, avg_sales_price: null, sales_volume: null }
}

describe('the first day of a response', () => {
  test.each([
    ['month', undefined, 30],
    ['quarter', undefined, 90],
    ['year', undefined, 365],
    ['month', 7, 7],
    ['all', 7, 7],
    ['quarter', 30, 30],
    ['all', 30, 30],
    ['month', 30, 30],
  ] as const)('of %s at a depth of %p is %i days back', (range, depth, days) => {
    expect(firstDay(range, depth, TODAY)).toBe(TODAY - days)
  })

  test('is unlimited for all at full depth', () => {
    expect(firstDay('all', undefined, TODAY)).toBe(0)
  })

  test('is never before the range or the depth of the tier', () => {
    for (const tier of TIERS) {
      for (const range of RANGE_NAMES) {
        const first = firstDay(range, historyDepth(tier), TODAY)
        const depth = historyDepth(tier) ?? Number.POSITIVE_INFINITY
        const days = HISTORY_RANGES[range] ?? Number.POSITIVE_INFINITY
        const back = first === 0 ? Number.POSITIVE_INFINITY : TODAY - first
        expect(back).toBe(Math.min(depth, days))
      }
    }
  })
})

describe('simplified history', () => {
  test('has the base printing and the foil of each day', () => {
    const base = [at(1, 300, 250), at(3, 310, 260)]
    const foil = [at(2, 5_000), at(3, 5_100)]
    expect(formatSimplifiedPoints({ printing: 'Normal', base, foil })).toEqual([
      simplePoint(1, { market_price: 3, low_price: 2.5 }),
      simplePoint(2, { foil_market_price: 50 }),
      simplePoint(3, { market_price: 3.1, low_price: 2.6, foil_market_price: 51 }),
    ])
  })

  test('of a printing without history is empty', () => {
    expect(formatSimplifiedPoints({ printing: null, base: [], foil: [] })).toEqual([])
    expect(formatSimplifiedPoints({ printing: 'Normal', base: [], foil: [] })).toEqual([])
  })

  test('has each day of either printing once, ascending', () => {
    const points = fc
      .uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 30 })
      .map((days) => days.toSorted((a, b) => a - b).map((day) => at(day, 100 + day)))
    fc.assert(
      fc.property(points, points, (base, foil) => {
        const simplified = formatSimplifiedPoints({ printing: 'Normal', base, foil })
        const dates = simplified.map(({ date }) => date)
        const known = [...base, ...foil].map(({ day }) => formatDate(day))
        expect(dates).toEqual([...new Set(known)].sort())
      }),
    )
  })
})

describe('history of one printing', () => {
  const priceSeries: PriceSeries = {
    printing: 'Foil',
    points: [
      { day: 0, market_price: 1_234, low_price: null, avg_sales_price: 1_200, sales_volume: 0 },
    ],
  }

  test('has prices in dollars', () => {
    expect(formatPrintingPoints(priceSeries)).toEqual([
      { date: '1970-01-01', printing: 'Foil', market_price: 12.34, low_price: null },
    ])
  })

  test('in detail includes sales: none sold is 0, not unknown', () => {
    expect(formatDetailedPoints(priceSeries)).toEqual([
      {
        date: '1970-01-01',
        printing: 'Foil',
        market_price: 12.34,
        low_price: null,
        avg_sales_price: 12,
        sales_volume: 0,
      },
    ])
  })
})

/** Builds a simplified entry of `Normal` with these prices. */
function simplePoint(day: number, prices: object) {
  const unknown = { market_price: null, low_price: null, foil_market_price: null }
  return { date: formatDate(day), printing: 'Normal', ...unknown, ...prices }
}
