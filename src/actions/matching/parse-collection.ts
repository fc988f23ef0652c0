import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse/stream'
import {
  type CollectionColumns,
  type CollectionRow,
  parseCollectionHeader,
  parseCollectionRow,
} from '#rules/matching/collection-columns.ts'
import { detectDialect, detectEncoding } from '#rules/primitives/csv-dialect.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

export type ParseCollectionOptions = {
  /** How many rows there may be; nothing is read beyond. */
  rowsMax?: number
  /** Told how many of the bytes have been read. */
  onRead?: (done: number, total: number) => void
}

/**
 * The rows of a collection as an app exports it: CSV in UTF-8, UTF-16 or Windows-1252, with commas,
 * semicolons, tabs or bars. Reads in pieces of some milliseconds and lets go of the event loop in
 * between. Rows without any text are left out.
 *
 * @throws ServiceError VALIDATION_ERROR that says what is wrong, and in which row, or TOO_MANY_ITEMS
 */
export async function* parseCollection(
  bytes: Uint8Array,
  { rowsMax = Number.POSITIVE_INFINITY, onRead = () => {} }: ParseCollectionOptions = {},
): AsyncGenerator<CollectionRow> {
  let columns: CollectionColumns | undefined
  let row = 0
  for await (const cells of recordsOf(bytes, onRead)) {
    if (columns === undefined) {
      columns = parseCollectionHeader(cells)
      continue
    }
    row++
    if (row > rowsMax) {
      throw new ServiceError(
        'TOO_MANY_ITEMS',
        `Send at most ${rowsMax} rows in one request; the file has more. Send it in parts.`,
      )
    }
    yield parseCollectionRow(columns, cells, row)
  }
  if (columns === undefined)
    throw invalid('The file is empty: send a header and a row for each card.')
  if (row === 0) throw invalid('The file has a header and no rows: send a row for each card.')
}

async function* recordsOf(
  bytes: Uint8Array,
  onRead: (done: number, total: number) => void,
): AsyncGenerator<string[]> {
  const encoding = detectEncoding(bytes)
  const beginning = new TextDecoder(encoding).decode(bytes.subarray(0, PIECE))
  if (beginning.includes('\0')) {
    throw invalid('The file is no text. Export it as CSV, not as a spreadsheet or an archive.')
  }
  const { delimiter, start } = detectDialect(beginning)
  const text = textOf(bytes, { encoding, start, onRead })
  try {
    // Each record is the list of its cells, as long as the parser is not told of columns.
    yield* text.pipeThrough(parse({ ...TOLERANT, delimiter })) as ReadableStream<string[]>
  } catch (error) {
    throw error instanceof CsvError ? invalid(wordsOf(error)) : error
  }
}

type TextReading = Required<Pick<ParseCollectionOptions, 'onRead'>> & {
  encoding: string
  start: number
}

/** The text from `start` on, in pieces of UTF-8. */
function textOf(
  bytes: Uint8Array,
  { encoding, start, onRead }: TextReading,
): ReadableStream<Buffer> {
  const decoder = new TextDecoder(encoding)
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      await nextTurn()
      const piece = bytes.subarray(at, at + PIECE)
      const isLast = at + PIECE >= bytes.length
      const text = decoder.decode(piece, { stream: !isLast })
      controller.enqueue(Buffer.from(at === 0 ? text.slice(start) : text))
      at += piece.length
      onRead(at, bytes.length)
      if (isLast) controller.close()
    },
  })
}

/** Read at once, in bytes: some three milliseconds. */
const PIECE = 32_768

/** The longest record, in bytes. Past it, a quote was opened and never closed. */
const RECORD_MAX = 100_000

/** Files are edited by hand and joined from several: what can be read is read. */
const TOLERANT = {
  // All three: left alone, the parser takes the first that it meets for the only one.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  ltrim: true,
  max_record_size: RECORD_MAX,
}

/** What is left to go wrong with tolerance is a quote. The header is among the records before it. */
function wordsOf({ records }: CsvError): string {
  const place = records === 0 ? 'The header' : `Row ${records}`
  return `${place} of the file opens a quote (") that is not closed. Close it, or remove it.`
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}
