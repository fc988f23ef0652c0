import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type CsvCell,
  formatCsvRecord,
  formatPlainCsvRecord,
  removeFormulaGuard,
} from '#rules/primitives/csv.ts'
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
    "'=1",
    "''+1",
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
  test('is parsed back unchanged by an RFC 4180 reader', () => {
    fc.assert(
      fc.property(fc.array(csvCell, { minLength: 1, maxLength: 8 }), (cells) => {
        const [record, ...more] = parseCsv(formatCsvRecord(cells))
        expect(more).toEqual([])
        expect(record).toEqual(cells.map((one) => textOf(one)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('ends with CR and LF, and several are parsed one by one', () => {
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

  const LOOK_ALIKES = '＝1+1|﹦1|⁼1|꓿1|＋1|﹢1|➕1|－1|−1|‐1|﹣1|＠A1|﹫A1'.split('|')
  const AFTER_BLANKS = [
    ' =1',
    '\u00a0=1',
    '\u3000＝1',
    '\n=1',
    '\u200b=1',
    '\ufeff+1',
    ' \u2060 @A1',
    '\x01-1',
  ]

  test.each([...LOOK_ALIKES, ...AFTER_BLANKS])(
    'a sign that only looks like one, or follows blanks, is inert, too: %j',
    (text) => {
      const [[read = ''] = []] = parseCsv(formatCsvRecord([text]))
      expect(read).toBe(`'${text}`)
      expect(removeFormulaGuard(read)).toBe(text)
    },
  )

  test.each(['1=1', 'a+b', "it's", "'quoted'", ' blank', '— a dash', 'Ω 漢字', '(=1)'])(
    'other text stays unchanged: %j',
    (text) => {
      const [[read = ''] = []] = parseCsv(formatCsvRecord([text]))
      expect(read).toBe(text)
      expect(removeFormulaGuard(read)).toBe(text)
    },
  )

  test('any text is itself again after a reader has removed the guard', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom("'=1", "''=1", "'", "''", "'+", "' =1", "it's"),
    )
    fc.assert(
      fc.property(text, (written) => {
        const [[read = ''] = []] = parseCsv(formatCsvRecord([written, 0]))
        expect(removeFormulaGuard(read)).toBe(written)
      }),
      { numRuns: 1_000 },
    )
  })

  test('for programs that are no spreadsheets has every text unchanged', () => {
    fc.assert(
      fc.property(fc.array(csvCell, { minLength: 1, maxLength: 8 }), (cells) => {
        const [record] = parseCsv(formatPlainCsvRecord([...cells, 0]))
        expect(record).toEqual([...cells, 0].map((cell) => String(cell ?? '')))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a number stays unchanged', () => {
    expect(formatCsvRecord([-1, -0.5, 0, 12.34])).toBe('-1,-0.5,0,12.34\r\n')
  })

  test('an unknown value and an empty text are empty', () => {
    expect(formatCsvRecord([null, undefined, ''])).toBe(',,\r\n')
  })
})

/** Converts a cell to what a reader should see. */
function textOf(one: CsvCell): string {
  if (one === null || one === undefined) return ''
  if (typeof one !== 'string') return String(one)
  return /^'*([\t\r\0]|[\s\p{Cc}\p{Cf}]*[=+\-@])/u.test(one) ? `'${one}` : one
}
