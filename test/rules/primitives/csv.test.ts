import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type CsvCell, formatCsvRecord } from '#rules/primitives/csv.ts'
import { parseCsv } from '../../support/csv.ts'

const csvCell: fc.Arbitrary<CsvCell> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\0',
    '"',
    ',',
    '\n',
    '\r\n',
    ' a',
    'a ',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, undefined, 0, -1.5),
)

describe('a record', () => {
  test('reads back as what was written, by the letter of RFC 4180', () => {
    fc.assert(
      fc.property(fc.array(csvCell, { minLength: 1, maxLength: 8 }), (cells) => {
        const [record, ...more] = parseCsv(formatCsvRecord(cells))
        expect(more).toEqual([])
        expect(record).toEqual(cells.map((one) => textOf(one)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('ends with CR and LF, and several are read one by one', () => {
    expect(formatCsvRecord(['a', 1])).toBe('a,1\r\n')
    expect(parseCsv(formatCsvRecord(['a', 'b']) + formatCsvRecord(['c\r\nd', null]))).toEqual([
      ['a', 'b'],
      ['c\r\nd', ''],
    ])
  })

  test.each(['=HYPERLINK("http://x")', '+1', '-1', '@A1', '\tx', '\rx', '\0x'])(
    'text that a spreadsheet would run is inert: %j',
    (text) => {
      const [[read] = []] = parseCsv(formatCsvRecord([text]))
      expect(read).toBe(`'${text}`)
    },
  )

  test('a number stays the number that it is', () => {
    expect(formatCsvRecord([-1, -0.5, 0, 12.34])).toBe('-1,-0.5,0,12.34\r\n')
  })

  test('an unknown value is empty, and an empty text too', () => {
    expect(formatCsvRecord([null, undefined, ''])).toBe(',,\r\n')
  })
})

/** A cell as a reader should see it. */
function textOf(one: CsvCell): string {
  if (one === null || one === undefined) return ''
  if (typeof one === 'number') return String(one)
  return /^[=+\-@\t\r\0]/.test(one) ? `'${one}` : one
}
