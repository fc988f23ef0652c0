import { describe, expect, test } from 'bun:test'
import { isCheckoutReference, maskEmail, shortReference } from '#rules/billing/billing.ts'

describe('a reference', () => {
  test('is the beginning of an id, and enough to look it up', () => {
    const id = 'co_PQI0XvY3USUrfVkHpquACUrd_oBHgzi0'
    expect(shortReference(id)).toBe('co_PQI0XvY3')
    expect(isCheckoutReference(shortReference(id))).toBe(true)
    expect(isCheckoutReference(id)).toBe(true)
  })

  test.each(['co_PQI0XvY', 'PQI0XvY3USUrf', '', 'co_'])('%p is not enough', (text) => {
    expect(isCheckoutReference(text)).toBe(false)
  })
})

describe('a masked e-mail address', () => {
  test.each([
    ['ann@example.com', 'a***@example.com'],
    ['"a@b"@example.com', '"***@example.com'],
    ['😀x@example.com', '😀***@example.com'],
  ])('of %p is %p', (email, masked) => expect(maskEmail(email)).toBe(masked))
})
