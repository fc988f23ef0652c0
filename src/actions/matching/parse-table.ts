import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse/stream'
import { detectDialect, detectEncoding } from '#rules/primitives/csv-dialect.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Called with the number of bytes that have been read. */
export type OnRead = (done: number, total: number) => void

/** A record of a table. */
export type TableRecord = {
  cells: string[]
  /** Line of the file in which the record ends; the first one is 1. */
  line: number
}

/**
 * Parses a table: UTF-8, UTF-16 or Windows-1252, separated by commas, semicolons, tabs or bars. Yields to the
 * event loop every few milliseconds. Skips empty rows. The first record is the header.
 *
 * @throws ServiceError VALIDATION_ERROR if the file is not text, or for a quote that is never closed
 */
export async function* parseTable(
  bytes: Uint8Array,
  onRead: OnRead = () => {},
): AsyncGenerator<TableRecord> {
  const encoding = detectEncoding(bytes)
  const head = decodeHead(bytes)
  if (head.includes('\0')) {
    throw invalid('The file is not text. Export it as CSV, not as a spreadsheet or an archive.')
  }
  const { delimiter, start } = detectDialect(head)
  const text = decode(bytes, { encoding, start, onRead })
  try {
    // With the option `info` and without `columns`, each record is a list of cells and its place.
    const records = text.pipeThrough(parse({ ...TOLERANT, delimiter })) as ReadableStream<Parsed>
    for await (const { record, info } of records) {
      // The line that names the delimiter is not parsed.
      yield { cells: record, line: info.lines + (start > 0 ? 1 : 0) }
    }
  } catch (error) {
    throw error instanceof CsvError ? invalid(quoteError(error)) : error
  }
}

type Parsed = { record: string[]; info: { lines: number } }

/** Decodes the beginning of a file. */
export function decodeHead(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes.subarray(0, CHUNK_BYTES))
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
  info: true,
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
