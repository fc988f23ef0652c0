import { type FileBytes, splitBytes } from './file-bytes.ts'

/**
 * A cell. Numbers and booleans are written unchanged, unknown values are empty.
 */
export type CsvCell = string | number | boolean | null | undefined

/**
 * Formats one record (RFC 4180) with its line end. Text that a spreadsheet may run as a formula
 * gets a leading apostrophe (OWASP, CSV injection). A number cannot be a formula, so -1 stays -1.
 */
export function formatCsvRecord(cells: readonly CsvCell[]): string {
  return formatPlainCsvRecord(
    cells.map((cell) => (typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell)),
  )
}

/** Formats one record with its line end for a program other than a spreadsheet: texts are unchanged. */
export function formatPlainCsvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

function formatCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  const text = String(cell)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Removes the apostrophe that `formatCsvRecord` has written before a text. */
export function removeFormulaGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}

/**
 * Signs with which a formula begins, and characters that look like them: compatibility forms such as the full-width
 * ones, which East Asian spreadsheets accept, and Unicode's confusables (data/confusables.txt).
 */
const SIGNS = [
  '=\uff1d\ufe66\u207c\u208c\u2a75\u2a76\u1400\u2e40\u30a0\ua4ff',
  '+\uff0b\ufe62\u207a\u208a\ufb29\u16ed\u2795\u{1029b}\u{1e6e9}',
  '\\-\uff0d\ufe63\u207b\u208b\u2010-\u2013\u2043\u2212\u02d7\u06d4\u2796\u2cba\u2cbb',
  '@\uff20\ufe6b',
].join('')

/**
 * Spreadsheets may ignore blanks and invisible characters before a sign. A text with an apostrophe before a formula
 * gets another one, so that it is the same after `removeFormulaGuard`.
 */
const FORMULA = new RegExp(`^'*(?:[\\t\\r\\0]|[\\s\\p{Cc}\\p{Cf}]*[${SIGNS}])`, 'u')
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** Delimiter of a CSV file, and the offset of its header. */
type CsvDialect = { delimiter: string; start: number }

/**
 * Detects the encoding of a text file by its byte order mark, or otherwise by its validity as UTF-8. Other files come
 * from older spreadsheets, which write Windows-1252.
 */
export function detectEncoding(file: FileBytes): string {
  const beginning = file.subarray(0, 3)
  const known = BYTE_ORDER_MARKS.find(({ mark }) =>
    mark.every((byte, at) => beginning[at] === byte),
  )
  return known?.encoding ?? (isUtf8(file) ? 'utf-8' : 'windows-1252')
}

function isUtf8(file: FileBytes): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (const piece of splitBytes(file, PIECE_BYTES)) decoder.decode(piece, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

const PIECE_BYTES = 262_144

/**
 * Detects the dialect from the beginning of a file. A first line "sep=;" names the delimiter and is not part of the
 * table. Otherwise, the delimiter is the most frequent one in the header, outside quotes.
 */
export function detectDialect(beginning: string): CsvDialect {
  const named = SEPARATOR_LINE.exec(beginning)
  if (named?.[1] !== undefined) return { delimiter: named[1], start: named[0].length }
  const lines = beginning.replace(QUOTED, '_').split(LINE_END)
  const header = lines.find((line) => line.trim() !== '') ?? ''
  const countFields = (delimiter: string) => header.split(delimiter).length
  const [delimiter = ','] = DELIMITERS.toSorted((a, b) => countFields(b) - countFields(a))
  return { delimiter, start: 0 }
}

const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
]

/** Delimiters of cells. If two are equally frequent, the first one is used. */
export const DELIMITERS = [',', ';', '\t', '|']

// A spreadsheet that saves the file again may add empty cells to this line.
const SEPARATOR_LINE = /^\s*"?sep=([,;\t|])"?[,;\t| ]*(?:\r\n|\r|\n)/i
const QUOTED = /"(?:[^"]|"")*"/g
const LINE_END = /[\r\n]/
