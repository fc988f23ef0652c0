import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  convertCents,
  convertRange,
  findFirstDay,
  findRate,
  toRateSeries,
} from '#rules/pricing/exchange-rates.ts'
import { SEED } from '../../support/random.ts'

const series = toRateSeries([
  { day: 100, perEuro: { USD: 1.2, GBP: 0.9, HRK: 7.5 } },
  { day: 101, perEuro: { USD: 1.25, GBP: 0.88 } },
  { day: 104, perEuro: { USD: 1.1 } },
])

describe('a rate', () => {
  test.each([
    ['USD', 'EUR', 101, 1 / 1.25, 101],
    ['EUR', 'USD', 101, 1.25, 101],
    ['USD', 'GBP', 101, 0.88 / 1.25, 101],
    ['EUR', 'EUR', 101, 1, 101],
    ['EUR', 'USD', 103, 1.25, 101],
    ['EUR', 'USD', 111, 1.1, 104],
  ])('%s to %s on day %i is %d, of day %i', (from, to, day, rate, of) => {
    expect(findRate(series, { from, to, day })).toEqual({ rate, day: of })
  })

  test('is taken from a day that has both currencies', () => {
    expect(findRate(series, { from: 'USD', to: 'GBP', day: 104 })).toEqual({
      rate: 0.88 / 1.25,
      day: 101,
    })
  })

  test.each([
    ['EUR', 'USD', 99],
    ['EUR', 'USD', 112],
    ['EUR', 'HRK', 108],
    ['EUR', 'JPY', 100],
  ])('%s to %s on day %i is unknown', (from, to, day) => {
    expect(findRate(series, { from, to, day })).toBeUndefined()
  })
})

test.each([
  [100, 0.8, 80],
  [101, 0.5, 51],
  [1, 0.4, 0],
  [0, 2, 0],
  // Halves, which floating-point numbers represent slightly too low.
  [50, 1.13, 57],
  [145, 1.1, 160],
  [14, 1 / 1.12, 13],
])('%i cents at %d are %i', (cents, rate, expected) => {
  expect(convertCents(cents, { rate })).toBe(expected)
})

test('a range has exactly the amounts whose conversion is in it', () => {
  const cents = fc.integer({ min: 0, max: 100_000 })
  fc.assert(
    fc.property(cents, cents, fc.double({ min: 0.001, max: 20_000, noNaN: true }), (a, b, rate) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)]
      const range = convertRange({ min, max }, { rate })
      const isIn = (amount: number) =>
        amount >= (range.min ?? 0) && amount <= (range.max ?? Number.POSITIVE_INFINITY)
      for (const amount of [range.min ?? 0, range.max ?? 0].flatMap((one) => [
        one - 1,
        one,
        one + 1,
      ])) {
        if (amount < 0) continue
        const converted = convertCents(amount, { rate })
        expect(isIn(amount)).toBe(converted >= min && converted <= max)
      }
    }),
    { seed: SEED },
  )
})

test('two currencies have their first day on which both have a rate', () => {
  expect(findFirstDay(series, { from: 'USD', to: 'EUR' })).toBe(100)
  expect(findFirstDay(series, { from: 'USD', to: 'JPY' })).toBeUndefined()
})
