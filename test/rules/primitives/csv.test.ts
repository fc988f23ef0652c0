import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Cell, csvRecord } from '#rules/primitives/csv.ts'
import { parseCsv } from '../../support/csv.ts'

const cell: fc.Arbitrary<Cell> = fc.oneof(
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
      fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), (cells) => {
        const [record, ...more] = parseCsv(csvRecord(cells))
        expect(more).toEqual([])
        expect(record).toEqual(cells.map((one) => textOf(one)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('ends with CR and LF, and several are read one by one', () => {
    expect(csvRecord(['a', 1])).toBe('a,1\r\n')
    expect(parseCsv(csvRecord(['a', 'b']) + csvRecord(['c\r\nd', null]))).toEqual([
      ['a', 'b'],
      ['c\r\nd', ''],
    ])
  })

  test.each(['=HYPERLINK("http://x")', '+1', '-1', '@A1', '\tx', '\rx', '\0x'])(
    'text that a spreadsheet would run is inert: %j',
    (text) => {
      const [[read] = []] = parseCsv(csvRecord([text]))
      expect(read).toBe(`'${text}`)
    },
  )

  test('a number stays the number that it is', () => {
    expect(csvRecord([-1, -0.5, 0, 12.34])).toBe('-1,-0.5,0,12.34\r\n')
  })

  test('an unknown value is empty, and an empty text too', () => {
    expect(csvRecord([null, undefined, ''])).toBe(',,\r\n')
  })
})

/** A cell as a reader should see it. */
function textOf(one: Cell): string {
  if (one === null || one === undefined) return ''
  if (typeof one === 'number') return String(one)
  return /^[=+\-@\t\r\0]/.test(one) ? `'${one}` : one
}
