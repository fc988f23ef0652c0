import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { countReversedScans } from '#rules/billing/billing.ts'

const pack = { scans: 1_000, amount_cents: 1_500 }

const PACK = fc.record({
  scans: fc.integer({ min: 1, max: 100_000 }),
  amount_cents: fc.integer({ min: 1, max: 1_000_000 }),
})

describe('of a pack', () => {
  test.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [750, 500],
    [1_499, 999],
    [1_500, 1_000],
    [3_000, 1_000],
    [-5, 0],
  ])('with %i cents refunded, %i scans are reversed', (gone, scans) => {
    expect(countReversedScans(pack, gone)).toBe(scans)
  })

  test('with a full refund, all scans are reversed, whatever it cost', () => {
    fc.assert(
      fc.property(PACK, fc.nat(), (of, more) => {
        expect(countReversedScans(of, of.amount_cents + more)).toBe(of.scans)
      }),
    )
  })

  test('the reversed share never exceeds the refunded one, and is less than one scan below it', () => {
    fc.assert(
      fc.property(PACK, fc.double({ min: 0, max: 1, noNaN: true }), (of, share) => {
        const gone = Math.floor(of.amount_cents * share)
        const exact = (of.scans * gone) / of.amount_cents
        const taken = countReversedScans(of, gone)
        expect(taken).toBeLessThanOrEqual(exact)
        expect(taken).toBeGreaterThan(exact - 1)
      }),
    )
  })

  test('that was free, none is reversed', () => {
    expect(countReversedScans({ scans: 1_000, amount_cents: 0 }, 0)).toBe(0)
  })
})
