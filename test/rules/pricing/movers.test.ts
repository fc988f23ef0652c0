import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ChangeFacts, isConfirmed, isMover } from '#rules/pricing/movers.ts'

const price = fc.integer({ min: 1, max: 1_000_000 })

describe('a mover', () => {
  test.each([
    [100, 100, true],
    [99, 150, false],
    [150, 99, false],
    [1_000, 100, true],
    [1_001, 100, false],
    [100, 1_000, true],
    [100, 1_001, false],
  ])('%i from %i: %p', (now, base, fits) => {
    expect(isMover(now, base)).toBe(fits)
  })

  test('is symmetric in direction', () => {
    fc.assert(
      fc.property(price, price, (a, b) => {
        expect(isMover(a, b)).toBe(isMover(b, a))
      }),
    )
  })
})

describe('a change', () => {
  /** Prices of a week ago, the day before and today, and the cheapest and the median listing, in dollars. */
  type Prices = [week: number | null, day: number | null, now: number, low: number, median: number]

  const factsOf = (
    [week, day, now, low, median]: Prices,
    month: number | null = null,
  ): ChangeFacts => {
    const cents = (dollars: number | null) => (dollars === null ? null : Math.round(dollars * 100))
    return {
      market_price: Math.round(now * 100),
      low_price: cents(low),
      median_price: cents(median),
      base_24h: cents(day),
      base_7d: cents(week),
      base_30d: cents(month),
    }
  }
  const inWeek = (prices: Prices) => isConfirmed(factsOf(prices), (prices[0] ?? 0) * 100, true)

  // Real prices of Pokémon cards within a week, in the order of their change.
  test.each<[name: string, prices: Prices]>([
    [
      'Qwilfish: the first price in five days, with a copy at the old one',
      [1.96, null, 4.57, 1.79, 3.99],
    ],
    ['Wobbuffet: the same', [1.69, null, 3.2, 0.9, 3.2]],
    ['TV Reporter: one sale, and a copy at the old price', [2.98, 4.72, 4.72, 2.88, 4.6]],
    ['Turtwig: the first price in two days, above most copies', [1.79, null, 2.66, 0.4, 1.76]],
    ['Mewtwo: one sale, above most copies', [746.01, 975, 975, 650, 675]],
    [
      'Tyranitar: a fall to one sale, while most copies cost what they did',
      [250, null, 109.92, 109.92, 250],
    ],
  ])('is not confirmed: %s', (_, prices) => {
    expect(inWeek(prices)).toBe(false)
  })

  test.each<[name: string, prices: Prices]>([
    [
      'Victreebel: the first price in six days, and no copy is cheaper',
      [23.49, null, 35.99, 32.99, 41.5],
    ],
    ['Raikou Star: one sale, and no copy is cheaper', [1_100, 1_600, 1_600, 1_550, 1_575]],
    ['Empoleon ex: sold every day', [1.15, 1.6, 1.74, 1, 2]],
    ['Greninja ex: a fall, sold every day', [3.73, 2.95, 2.67, 1.91, 4]],
    ['Bulbasaur: a fall that the listings have followed', [4.89, 3.71, 3.71, 0.75, 2]],
  ])('is confirmed: %s', (_, prices) => {
    expect(inWeek(prices)).toBe(true)
  })

  test('of a month is judged by the price of a month ago if that of a week ago is unknown', () => {
    // Cyndaquil
    expect(isConfirmed(factsOf([null, 7.34, 7.34, 2.5, 3], 5.01), 501, true)).toBe(false)
    expect(isConfirmed(factsOf([null, 7.34, 7.51, 2.5, 3], 5.01), 501, true)).toBe(true)
  })

  test('of a game that is not read daily is judged by the prices of a month and a week ago', () => {
    const weekly = (week: number | null, month: number | null) =>
      isConfirmed(factsOf([week, null, 4.5, 1, 4], month), 300, false)
    expect(weekly(3, 2.9)).toBe(true)
    expect(weekly(3, 3)).toBe(false)
    expect(weekly(3, null)).toBe(true)
  })

  test('is not doubted on the second day, when nothing else is known', () => {
    expect(isConfirmed(factsOf([null, 3, 4.5, 1, 4]), 300, true)).toBe(true)
  })

  test('without listings is judged by the prices alone', () => {
    const unlisted = { low_price: null, median_price: null }
    expect(isConfirmed({ ...factsOf([2, 3, 3, 0, 0]), ...unlisted }, 200, true)).toBe(false)
    expect(isConfirmed({ ...factsOf([2, 3, 4, 0, 0]), ...unlisted }, 200, true)).toBe(true)
  })
})
