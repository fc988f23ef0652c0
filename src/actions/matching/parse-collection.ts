import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse/stream'
import {
  type CollectionColumns,
  type CollectionRow,
  isCollectionHeader,
  parseCollectionHeader,
  parseCollectionRow,
} from '#rules/matching/collection-columns.ts'
import { detectDialect, detectEncoding } from '#rules/primitives/csv-dialect.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

export type ParseCollectionOptions = {
  /** Maximum number of rows; parsing stops beyond it. */
  rowsMax?: number
  onRead?: OnRead
}

/** Called with the number of bytes that have been read. */
type OnRead = (done: number, total: number) => void

/**
 * Parses the CSV export of a collection app: UTF-8, UTF-16 or Windows-1252, separated by commas,
 * semicolons, tabs or bars. Yields to the event loop every few milliseconds. Skips empty rows.
 *
 * @throws ServiceError VALIDATION_ERROR with the problem and its row, or TOO_MANY_ITEMS
 */
export async function* parseCollection(
  bytes: Uint8Array,
  { rowsMax = Number.POSITIVE_INFINITY, onRead = () => {} }: ParseCollectionOptions = {},
): AsyncGenerator<CollectionRow> {
  let columns: CollectionColumns | undefined
  let row = 0
  for await (const cells of parseRecords(bytes, onRead)) {
    if (columns === undefined) {
      columns = parseCollectionHeader(cells)
      continue
    }
    row++
    if (row > rowsMax) {
      throw new ServiceError(
        'TOO_MANY_ITEMS',
        `Send at most ${rowsMax} rows in one request. The file has more: split it.`,
      )
    }
    yield parseCollectionRow(columns, cells, row)
  }
  if (columns === undefined)
    throw invalid('The file is empty. Send a header and a row for each card.')
  if (row === 0) throw invalid('The file has a header but no rows. Send a row for each card.')
}

/** Returns true if a file is a table with a header, and no list with a card on each line. */
export function isCollection(bytes: Uint8Array): boolean {
  const head = new TextDecoder(detectEncoding(bytes)).decode(bytes.subarray(0, CHUNK_BYTES))
  const { delimiter, start } = detectDialect(head)
  const line =
    head
      .slice(start)
      .split(LINE_ENDS)
      .find((one) => one.trim() !== '') ?? ''
  const cells = line.split(delimiter).map((cell) => cell.replace(/^\s*"|"\s*$/g, ''))
  return start > 0 || head.includes('\0') || isCollectionHeader(cells)
}

const LINE_ENDS = /\r\n|\r|\n/

async function* parseRecords(bytes: Uint8Array, onRead: OnRead): AsyncGenerator<string[]> {
  const encoding = detectEncoding(bytes)
  const head = new TextDecoder(encoding).decode(bytes.subarray(0, CHUNK_BYTES))
  if (head.includes('\0')) {
    throw invalid('The file is not text. Export it as CSV, not as a spreadsheet or an archive.')
  }
  const { delimiter, start } = detectDialect(head)
  const text = decode(bytes, { encoding, start, onRead })
  try {
    // Without the option `columns`, each record is a list of cells.
    yield* text.pipeThrough(parse({ ...TOLERANT, delimiter })) as ReadableStream<string[]>
  } catch (error) {
    throw error instanceof CsvError ? invalid(quoteError(error)) : error
  }
}

/** Decodes the text from `start` into UTF-8, chunk by chunk. */
function decode(
  bytes: Uint8Array,
  { encoding, start, onRead }: { encoding: string; start: number; onRead: OnRead },
): ReadableStream<Buffer> {
  const decoder = new TextDecoder(encoding)
  let offset = 0
  return new ReadableStream({
    async pull(controller) {
      await nextTurn()
      const chunk = bytes.subarray(offset, offset + CHUNK_BYTES)
      const isLast = offset + CHUNK_BYTES >= bytes.length
      const text = decoder.decode(chunk, { stream: !isLast })
      controller.enqueue(Buffer.from(offset === 0 ? text.slice(start) : text))
      offset += chunk.length
      onRead(offset, bytes.length)
      if (isLast) controller.close()
    },
  })
}

/** A chunk takes some three milliseconds. */
const CHUNK_BYTES = 32_768

/** Accepts files that were edited by hand or joined from several. */
const TOLERANT = {
  // All three: by default the parser only accepts the first kind that it meets.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  ltrim: true,
  // A longer record has a quote that is never closed.
  max_record_size: 100_000,
}

/** With these options only a quote can be wrong. `records` counts the header. */
function quoteError({ records }: CsvError): string {
  const record = records === 0 ? 'The header' : `Row ${records}`
  return `${record} of the file opens a quote (") that is never closed. Close or remove it.`
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}
