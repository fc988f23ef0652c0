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
  test('has the base printing and the most expensive foil per day', () => {
    const priceSeries: PriceSeries[] = [
      { printing: 'Foil', points: [at(1, 900), at(2, 800)] },
      { printing: 'Normal', points: [at(1, 300, 250), at(3, 310, 260)] },
      { printing: 'Cold Foil', points: [at(2, 5_000), at(3, 5_100)] },
    ]
    expect(formatSimplifiedPoints(priceSeries)).toEqual([
      { date: formatDate(1), market_price: 3, low_price: 2.5, foil_market_price: null },
      { date: formatDate(2), market_price: null, low_price: null, foil_market_price: 50 },
      { date: formatDate(3), market_price: 3.1, low_price: 2.6, foil_market_price: 51 },
    ])
  })

  test('of a foil-only card has its most expensive printing twice', () => {
    const series: PriceSeries[] = [
      { printing: 'Holofoil', points: [at(1, 900, 800)] },
      { printing: 'Reverse Holofoil', points: [at(1, 500, 400)] },
    ]
    expect(formatSimplifiedPoints(series)).toEqual([
      { date: formatDate(1), market_price: 9, low_price: 8, foil_market_price: 9 },
    ])
  })

  test('of a card without foils has no foil prices', () => {
    expect(formatSimplifiedPoints([{ printing: 'Normal', points: [at(1, 100, 90)] }])).toEqual([
      { date: formatDate(1), market_price: 1, low_price: 0.9, foil_market_price: null },
    ])
  })

  test('of no series is empty', () => {
    expect(formatSimplifiedPoints([])).toEqual([])
    expect(formatSimplifiedPoints([{ printing: 'Normal', points: [] }])).toEqual([])
  })

  test('has each day of any printing once, ascending', () => {
    const series = fc.array(
      fc.record({
        printing: fc.constantFrom('Normal', 'Foil', 'Holofoil', '1st Edition', 'Cold Foil'),
        points: fc
          .uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 30 })
          .map((days) => days.toSorted((a, b) => a - b).map((day) => at(day, 100 + day))),
      }),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(series, (given) => {
        const dates = formatSimplifiedPoints(given).map((point) => point.date)
        expect(dates).toEqual([...new Set(dates)].sort())
        const known = new Set(
          given.flatMap(({ points }) => points.map((historyPoint) => formatDate(historyPoint.day))),
        )
        for (const date of dates) expect(known.has(date)).toBe(true)
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
