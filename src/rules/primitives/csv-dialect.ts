import { isUtf8 } from 'node:buffer'

/** How a table was written down: what stands between its cells, and where its header begins. */
export type CsvDialect = { delimiter: string; start: number }

/**
 * The encoding of a text file, by its first bytes or else by whether it is valid UTF-8. What is not
 * was written by an older spreadsheet, which means Windows-1252.
 */
export function detectEncoding(bytes: Uint8Array): string {
  const known = BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  return known?.encoding ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
}

/**
 * Reads the beginning of a table. A first line "sep=;" names the delimiter and is no part of the
 * table; else it is the one that stands most often in the header, outside quotes.
 */
export function detectDialect(beginning: string): CsvDialect {
  const named = SEPARATOR_LINE.exec(beginning)
  if (named?.[1] !== undefined) return { delimiter: named[1], start: named[0].length }
  const lines = beginning.replace(QUOTED, '_').split(LINE_END)
  const header = lines.find((line) => line.trim() !== '') ?? ''
  const timesOf = (delimiter: string) => header.split(delimiter).length
  const [delimiter = ','] = DELIMITERS.toSorted((a, b) => timesOf(b) - timesOf(a))
  return { delimiter, start: 0 }
}

const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
]

/** Of two that stand equally often, the first. */
const DELIMITERS = [',', ';', '\t', '|']

// A spreadsheet that saved the file again may have added empty cells to the line.
const SEPARATOR_LINE = /^\s*"?sep=([,;\t|])"?[,;\t| ]*(?:\r\n|\r|\n)/i
const QUOTED = /"(?:[^"]|"")*"/g
const LINE_END = /[\r\n]/
