import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isMover } from '#rules/pricing/movers.ts'

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
