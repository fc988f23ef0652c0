import { expect } from 'bun:test'
import type { SetValue } from '../../../src/client/endpoints.ts'

/** Days of a card's history, as the API returns them. */
export type CardLine = readonly { date: string; market_price: number | null }[]

/** Expects that each value leads to the next one as the cards with a price on both days do. */
export function expectChained(values: readonly SetValue[], lines: readonly CardLine[]): void {
  expect(values.length).toBeGreaterThan(2)
  for (const [at, { date, value, cards, chained }] of values.entries()) {
    const next = values[at + 1]
    expect(chained).toBe(next !== undefined)
    if (next === undefined) break
    const both = lines.flatMap((line) => {
      const [before, after] = [priceOn(line, date), priceOn(line, next.date)]
      if (before === undefined || after === undefined) return []
      return before > after * 2 || after > before * 2 ? [] : { before, after }
    })
    expect([date, cards]).toEqual([date, both.length])
    const sum = (on: 'before' | 'after') => both.reduce((total, pair) => total + pair[on], 0)
    // Values are rounded to the cent.
    const expected = both.length === 0 ? value : (value * sum('after')) / sum('before')
    expect(Math.abs(next.value - expected)).toBeLessThan(0.02)
  }
}

/** Returns the last known price of a day and the seven days before. */
function priceOn(line: CardLine, date: string): number | undefined {
  const oldest = new Date(Date.parse(date) - 7 * 86_400_000).toISOString().slice(0, 10)
  const known = line.findLast((at) => at.date <= date && at.market_price !== null)
  return known === undefined || known.date < oldest ? undefined : (known.market_price ?? undefined)
}
