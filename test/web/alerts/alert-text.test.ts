// Parsing of typed amounts.
import { expect, test } from 'bun:test'
import { parseTypedAmount } from '../../../src/web/alerts/alert-text.ts'

test.each([
  ['12.50', 12.5],
  ['12,50', 12.5],
  [' $ 9', 9],
  ['.5', 0.5],
  ['1,000', 1_000],
  ['$1,250,000.75', 1_250_000.75],
  ['1,5', 1.5],
  ['€ 12,50', 12.5],
] as const)('%p is parsed', (typed, amount) => {
  expect(parseTypedAmount(typed)).toBe(amount)
})

test.each(['', '$', 'a lot', '1,00,000', '1.234,50', '-3', '1e3'])('%p is invalid', (typed) => {
  expect(parseTypedAmount(typed)).toBeUndefined()
})
