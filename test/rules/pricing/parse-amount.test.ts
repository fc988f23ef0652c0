import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseAmount } from '#rules/pricing/parse-amount.ts'

test.each([
  ['1.50', 150, undefined],
  ['1,50', 150, undefined],
  ['1.5', 150, undefined],
  ['12', 1_200, undefined],
  ['0.01', 1, undefined],
  ['0', 0, undefined],
  ['$1,234.56', 123_456, 'USD'],
  ['1.234,56 €', 123_456, 'EUR'],
  ['EUR 9,99', 999, 'EUR'],
  ['£3', 300, 'GBP'],
  ['US$3', 300, 'USD'],
  ['CA$3', 300, 'CAD'],
  ['3 A$', 300, 'AUD'],
  ['¥300', 30_000, 'JPY'],
  ['3 eur', 300, 'EUR'],
  ["1'234.50 CHF", 123_450, 'CHF'],
  ['$435,462.64', 43_546_264, 'USD'],
  ['1,234,567', 123_456_700, undefined],
])('%s is %i cents, of the currency %p', (text, cents, currency) => {
  expect(parseAmount(text)).toEqual({ cents, currency })
})

test.each([
  '',
  'free',
  '-1',
  '1.2.3',
  '1,234',
  '1.234',
  '12.345',
  '1e3',
  '$',
  'EUR',
  '$1 €',
  'X$1',
  '$1 CAD',
  '1..5',
  '99999999999',
  'NaN',
  '١٢',
  '1,23,456.00',
  '1,234,567,89',
  '1.234.56',
])('%p is refused', (text) => {
  expect(parseAmount(text)).toBeUndefined()
})

test('amounts are read in the forms of several languages', () => {
  const forms = fc.constantFrom('en-US', 'de-DE', 'fr-CH')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), forms, (cents, language) => {
      const text = (cents / 100).toLocaleString(language, {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      })
      // Swiss French writes a narrow space and a comma.
      expect(parseAmount(text.replaceAll('\u202f', ' '))?.cents).toBe(cents)
    }),
  )
})
