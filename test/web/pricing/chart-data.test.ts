import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { equalLines, plotHistory, priceAxis, timeAxis } from '#web/pricing/chart-data.ts'
import { historyCsv } from '#web/pricing/chart-files.ts'
import {
  existingRanges,
  type HistoryLine,
  type PriceHistory,
  sliceHistory,
} from '#web/pricing/history-ranges.ts'
import { fileNameOf } from '#web/save-file.ts'

const TODAY = '2026-11-23'
const dayAgo = (days: number) =>
  new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10)

function historyOf(ago: readonly number[], ...lines: HistoryLine['prices'][]): PriceHistory {
  return {
    days: ago.map(dayAgo),
    lines: lines.map((prices, at) => ({
      printing: `printing ${at}`,
      isConverted: false,
      prices,
    })),
    currency: 'USD',
    today: TODAY,
    depthDays: undefined,
  }
}

describe('a line', () => {
  test('bridges a weekend, and breaks where more is missing', () => {
    const { seconds, lines, dayAt } = plotHistory(
      historyOf([40, 39, 36, 7, 6], [1, 2, 3, 4, 5], [1, undefined, undefined, 4, 5]),
    )
    expect(lines).toEqual([
      [1, 2, 3, null, 4, 5],
      [1, null, null, null, 4, 5],
    ])
    expect(dayAt).toEqual([0, 1, 2, 2, 3, 4])
    expect(seconds.toSorted((a, b) => a - b)).toEqual(seconds)
  })

  test('keeps each recorded price at its day, and breaks exactly in the gaps of its prices', () => {
    const price = fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined })
    const day = fc.record({ gap: fc.integer({ min: 1, max: 9 }), price })
    fc.assert(
      fc.property(fc.array(day, { minLength: 1, maxLength: 30 }), (all) => {
        const days = all.map(({ price }, at) => ({
          ago: all.slice(at + 1).reduce((sum, { gap }) => sum + gap, 0),
          price,
        }))
        const history = historyOf(
          days.map((one) => one.ago),
          days.map((one) => one.price),
        )
        const { dayAt, lines } = plotHistory(history)
        const [line = []] = lines
        for (const [index, { price }] of days.entries()) {
          if (price !== undefined) expect(line[dayAt.indexOf(index)]).toBe(price)
        }
        const known = days.flatMap((one, index) =>
          one.price === undefined ? [] : [{ ...one, index }],
        )
        for (const [at, next] of known.slice(1).entries()) {
          const before = known[at]
          if (before === undefined) continue
          const between = line.slice(dayAt.indexOf(before.index) + 1, dayAt.indexOf(next.index))
          expect(between.includes(null)).toBe(before.ago - next.ago > 3)
        }
      }),
    )
  })

  test('is dashed up to the first day on which nearly all of it was known', () => {
    const prices = [10, 20, 30, 40, 50]
    const history = {
      ...historyOf([5, 4, 3, 2, 1], prices, [1, 2, 3, 4, 5]),
      carried: [1, 3, 0.3, 0, 5],
    }
    const { lines, carried } = plotHistory(history)
    expect(lines).toEqual([
      [null, null, 30, 40, null],
      [1, 2, 3, 4, 5],
    ])
    expect(carried).toEqual([10, 20, 30, 40, 50])
    expect(plotHistory({ ...history, carried: [0, 0, 0.3, 0, 0.5] })).toEqual(
      plotHistory(historyOf([5, 4, 3, 2, 1], prices, [1, 2, 3, 4, 5])),
    )
    const early = plotHistory({ ...history, carried: [5, 0, 0, 0, 0] })
    expect(early.lines[0]).toEqual([null, 20, 30, 40, 50])
    expect(early.carried).toEqual([10, 20, null, null, null])
    expect(
      sliceHistory({ ...historyOf([40, 1], [1, 2]), carried: [1, 0] }, 'month').carried,
    ).toEqual([0])
  })

  test('that equals an earlier one names it', () => {
    const same = [1, 2, undefined]
    expect(equalLines(historyOf([3, 2, 1], same, [1, 2, 3], [...same]))).toEqual([
      undefined,
      undefined,
      'printing 0',
    ])
    expect(equalLines(historyOf([1], [undefined], [undefined]))).toEqual([undefined, undefined])
  })
})

describe('an axis', () => {
  test('of a few days is the week that ends with the last one', () => {
    expect(timeAxis(1_000_000, 1_000_000)).toEqual([1_000_000 - 604_800, 1_000_000])
    expect(timeAxis(86_400, 3 * 86_400)).toEqual([-4 * 86_400, 3 * 86_400])
    expect(timeAxis(0, 30 * 86_400)).toEqual([0, 30 * 86_400])
  })

  test('shows a change of 7 % as a small one', () => {
    const [from, to] = priceAxis(100, 107)
    expect((107 - 100) / (to - from)).toBeLessThan(0.25)
    expect(from).toBeGreaterThan(50)
  })

  test('has each price on it, begins at zero or above, and never at its end', () => {
    const cents = fc.integer({ min: 1, max: 5_000_000 })
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const [low, high] = [Math.min(a, b) / 100, Math.max(a, b) / 100]
        const [from, to] = priceAxis(low, high)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(from).toBeLessThanOrEqual(low)
        expect(to).toBeGreaterThan(high)
      }),
    )
  })
})

test('a shorter period keeps the number of cards of its days', () => {
  const history = { ...historyOf([100, 20, 1], [1, 2, 3]), cards: [5, 6, 7] }
  expect(sliceHistory(history, 'month')).toMatchObject({
    cards: [6, 7],
    days: [dayAgo(20), dayAgo(1)],
  })
})

test('only periods that show more than a shorter one are offered', () => {
  const ranges = (ago: number) => existingRanges(historyOf([ago], [1]))
  expect(ranges(1)).toEqual(['month'])
  expect(ranges(30)).toEqual(['month'])
  expect(ranges(31)).toEqual(['month', 'quarter'])
  expect(ranges(91)).toEqual(['month', 'quarter', 'year'])
  expect(ranges(366)).toEqual(['month', 'quarter', 'year', 'all'])
  expect(existingRanges(historyOf([]))).toEqual(['month'])
})

test('a CSV file has a row a day, a column a printing, and the number of cards behind a value', () => {
  const history = historyOf([2, 1], [1.5, null], [undefined, 20])
  const named = {
    ...history,
    lines: history.lines.map((line, at) => ({
      ...line,
      printing: ['Foil, "old"', 'Normal'][at] ?? '',
    })),
  }
  expect(historyCsv(named)).toBe(
    'date,"Foil, ""old""",Normal\r\n2026-11-21,1.5,\r\n2026-11-22,,20\r\n',
  )
  expect(historyCsv({ ...historyOf([2, 1], [1.5, 2]), cards: [7, 0] })).toBe(
    'date,printing 0,cards\r\n2026-11-21,1.5,7\r\n2026-11-22,2,0\r\n',
  )
  expect(historyCsv({ ...historyOf([2, 1], [1.5, 2]), carried: [1.25, 0], currency: 'EUR' })).toBe(
    'date,printing 0 (EUR),carried back (EUR)\r\n2026-11-21,1.5,1.25\r\n2026-11-22,2,0\r\n',
  )
  expect(fileNameOf('Pikachu (#58/102) — “Red” é')).toBe('Pikachu-58-102-Red-é')
  expect(fileNameOf('***')).toBe('card')
})
