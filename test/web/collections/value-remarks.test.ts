import { describe, expect, test } from 'bun:test'
import { leftOutText, pricedOtherwise } from '../../../src/web/collections/value-remarks.tsx'

const notConverted = (items: number, value: number) => ({
  currency: 'USD',
  notes: [{ note: 'price_paid_not_converted', items, value }],
})

describe('a price paid without an exchange rate', () => {
  test('is named, also of an item without a value', () => {
    expect(pricedOtherwise(notConverted(2, 12.5))).toEqual([
      '$12.50 of the value is not in the gain, because the price paid has no exchange rate of its day (2 items).',
    ])
    expect(pricedOtherwise(notConverted(1, 0))).toEqual([
      'What was paid for 1 item is in no sum, because its day has no exchange rate.',
    ])
  })

  test('is not called missing', () => {
    const sums = { unpriced: 0, unpriced_cost: 0, without_cost: 2, without_cost_value: 30 }
    expect(leftOutText({ ...notConverted(1, 10), ...sums })).toEqual([
      'Price paid and gain leave out 2 items without a price paid, or an exchange rate for it, worth $30.00.',
    ])
    expect(leftOutText({ currency: 'USD', notes: [], ...sums })).toEqual([
      'Price paid and gain leave out 2 items without a price paid, worth $30.00.',
    ])
  })
})
