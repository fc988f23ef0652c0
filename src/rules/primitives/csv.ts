import { isUtf8 } from 'node:buffer'

/**
 * A cell. Text is protected from spreadsheets, numbers and booleans are written unchanged, unknown values are empty.
 */
export type CsvCell = string | number | boolean | null | undefined

/**
 * Formats one record (RFC 4180) with its line end. Text that a spreadsheet would run as a formula
 * gets a leading apostrophe (OWASP, CSV injection). A number cannot be a formula, so -1 stays -1.
 */
export function formatCsvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

function formatCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const inert = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

const FORMULA = /^[=+\-@\t\r\0]/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** Delimiter of a CSV file, and the offset of its header. */
type CsvDialect = { delimiter: string; start: number }

/**
 * Detects the encoding of a text file by its byte order mark, or otherwise by its validity as UTF-8. Other files come
 * from older spreadsheets, which write Windows-1252.
 */
export function detectEncoding(bytes: Uint8Array): string {
  const known = BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  return known?.encoding ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
}

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

/** If two are equally frequent, the first one is used. */
const DELIMITERS = [',', ';', '\t', '|']

// A spreadsheet that saves the file again may add empty cells to this line.
const SEPARATOR_LINE = /^\s*"?sep=([,;\t|])"?[,;\t| ]*(?:\r\n|\r|\n)/i
const QUOTED = /"(?:[^"]|"")*"/g
const LINE_END = /[\r\n]/
