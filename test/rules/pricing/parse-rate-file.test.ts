import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseRateFile } from '#rules/pricing/parse-rate-file.ts'
import { formatDate } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  drawRates,
  toDailyCsv,
  toRatesCsv,
  toRatesXml,
  type WrittenRates,
} from '../../support/pricing/rate-files.ts'
import { SEED } from '../../support/random.ts'

const DAYS = drawRates(SEED, { until: '2026-11-25', days: 65 })
const [NEWEST] = DAYS
if (NEWEST === undefined) throw new Error('no day was drawn')

/** Returns the expected contents of a file of these days. */
function meaningOf(days: readonly WrittenRates[]) {
  return days
    .map(({ date, rates }) => ({
      date,
      perEuro: Object.fromEntries(rates.map(([currency, rate]) => [currency, Number(rate)])),
    }))
    .reverse()
}

const read = (text: string) =>
  parseRateFile(text).map(({ day, perEuro }) => ({ date: formatDate(day), perEuro }))

describe('a file of the bank', () => {
  test.each([
    ['eurofxref-daily.xml', toRatesXml([NEWEST]), [NEWEST]],
    ['eurofxref-hist-90d.xml', toRatesXml(DAYS), DAYS],
    ['eurofxref.csv', toDailyCsv(NEWEST), [NEWEST]],
    ['eurofxref-hist.csv', toRatesCsv(DAYS), DAYS],
    ['a file with CR LF', toRatesCsv(DAYS).replaceAll('\n', '\r\n'), DAYS],
    ['a file with a byte order mark', `\uFEFF${toRatesXml(DAYS)}`, DAYS],
  ])('%s is read day by day, the oldest first', (_, text, days) => {
    expect(read(text)).toEqual(meaningOf(days))
  })

  test('may have currencies that exist only at times, which are N/A in the CSV', () => {
    const days = DAYS.slice(0, 3).map((day, index) => ({
      ...day,
      rates: day.rates.filter(([currency]) => index > 0 || currency !== 'ISK'),
    }))
    expect(toRatesCsv(days)).toContain('N/A')
    expect(read(toRatesCsv(days))).toEqual(meaningOf(days))
    expect(read(toRatesXml(days))).toEqual(meaningOf(days))
  })
})

const XML = toRatesXml(DAYS)
const CSV = toRatesCsv(DAYS)

describe('a file is refused as a whole', () => {
  test.each([
    ['that is empty', '', 'not in the format'],
    ['that is a web page', '<!DOCTYPE html><html><body>Sorry</body></html>', 'not in the format'],
    ['with another kind of text', 'rate limit exceeded', 'not in the format'],
    ['without a day', toRatesXml([]), 'it has no rates'],
    ['that is cut off', XML.slice(0, 3_000), 'cut off'],
    ['with a row that is cut off', CSV.slice(0, -20), 'may be cut off'],
    ['with a negative rate', XML.replace(/rate="/, 'rate="-'), 'is not expected'],
    ['with a rate of zero', CSV.replace(/,1\.\d+,/, ',0,'), '"0"'],
    ['with a rate in scientific notation', CSV.replace(/,1\.\d+,/, ',1e3,'), '"1e3"'],
    ['with an absurd rate', CSV.replace(/,1\.\d+,/, ',99999999,'), '"99999999"'],
    ['with an empty cell', CSV.replace(/,1\.\d+,/, ',,'), '""'],
    ['without the dollar', CSV.replaceAll('USD', 'USN'), 'no rate of USD'],
    ['with the euro', CSV.replace('JPY', 'EUR'), '"EUR"'],
    ['with a currency twice', CSV.replace('JPY', 'USD'), '"USD"'],
    ['with a code in small letters', CSV.replace('JPY', 'jpy'), '"jpy"'],
    ['with a date that does not exist', CSV.replace('2026-11-25', '2026-02-30'), 'not a date'],
    ['with a day twice', CSV.replace('2026-11-25', '2026-11-24'), 'occurs twice'],
    ['with a day on a weekend', CSV.replace('2026-11-25', '2026-11-22'), 'on a weekend'],
    ['with a day before the euro', CSV.replace('2026-11-25', '1998-11-25'), 'before the first'],
    ['with an unknown element', XML.replace('<Cube currency', '<Rate currency'), 'not expected'],
  ])('%s', (_, text, problem) => {
    expect(() => read(text)).toThrow(ServiceError)
    expect(() => read(text)).toThrow(problem)
  })

  test.each([
    ['XML', XML],
    ['CSV', CSV],
  ])('wherever its %s is cut off', (_, text) => {
    // The end of a CSV row is also the end of a truncated file.
    const isWhole = (end: number) => text.slice(end).trim() === '' || text[end - 2] === ','
    const cut = fc.integer({ min: 0, max: text.length - 1 }).filter((end) => {
      return !(text === CSV ? isWhole(end) || text[end] === '\n' : text.slice(end).trim() === '')
    })
    fc.assert(
      fc.property(cut, (end) => {
        expect(() => read(text.slice(0, end))).toThrow(ServiceError)
      }),
      { numRuns: 300, seed: SEED },
    )
  })
})
