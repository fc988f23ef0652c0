import { describe, expect, test } from 'bun:test'
import { toDollars } from '#rules/primitives/money.ts'

describe('cents as dollars', () => {
  test('have at most two decimals, for every amount up to 10,000 dollars', () => {
    const wrong: number[] = []
    for (let cents = 0; cents <= 1_000_000; cents++) {
      const text = JSON.stringify(toDollars(cents))
      const point = text.indexOf('.')
      const decimals = point < 0 ? 0 : text.length - point - 1
      if (decimals > 2 || Math.round(Number(text) * 100) !== cents) wrong.push(cents)
    }
    expect(wrong).toEqual([])
  })

  test('also for the highest possible price', () => {
    for (const cents of [99_999_999_999, 2 ** 40 + 1, 123_456_789_012]) {
      expect(JSON.stringify(toDollars(cents))).toMatch(/^\d+(\.\d{1,2})?$/)
    }
  })

  test('are null if unknown, and 0 if 0', () => {
    expect(toDollars(null)).toBeNull()
    expect(toDollars(0)).toBe(0)
  })
})
