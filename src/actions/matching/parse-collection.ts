import { CsvError, parse } from 'csv-parse/stream'
import {
  type CollectionRow,
  parseCollectionHeader,
  parseCollectionRows,
} from '#rules/matching/collection-columns.ts'
import { isCollectionHeader } from '#rules/matching/collection-headers.ts'
import { DECK_JSON_MAX, listJsonCards } from '#rules/matching/parse-deck-json.ts'
import { type ListEntry, parseList } from '#rules/matching/parse-list.ts'
import { DELIMITERS, detectDialect, detectEncoding } from '#rules/primitives/csv.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type FileBytes, splitBytes } from '#rules/primitives/file-bytes.ts'
import { nextTurn } from '../cooperative-loop.ts'

type ParseCollectionOptions = {
  /** Maximum number of rows; parsing stops beyond it. */
  rowsMax?: number
  onRead?: OnRead
}

/**
 * Parses the CSV export of a collection app: UTF-8, UTF-16 or Windows-1252, separated by commas,
 * semicolons, tabs or bars. Yields to the event loop every few milliseconds. Skips empty rows.
 *
 * @throws ServiceError VALIDATION_ERROR with the problem and its row, or TOO_MANY_ITEMS
 */
export function parseCollection(
  bytes: FileBytes,
  options?: ParseCollectionOptions,
): AsyncGenerator<CollectionRow> {
  return parseCollectionAs(bytes, readCardColumns, options)
}

/** Parses the cells of a record by the header of its file: a row for each printing of which it has copies. */
type RowParser<Row> = (cells: readonly string[], row: number) => Row[]

/** @throws ServiceError VALIDATION_ERROR if no column identifies a card */
export function readCardColumns(header: readonly string[]): RowParser<CollectionRow> {
  const columns = parseCollectionHeader(header)
  return (cells, row) => parseCollectionRows(columns, cells, row)
}

/** Like `parseCollection`, for rows with more columns. */
export async function* parseCollectionAs<Row>(
  bytes: FileBytes,
  readHeader: (header: readonly string[]) => RowParser<Row>,
  { rowsMax = Number.POSITIVE_INFINITY, onRead = () => {} }: ParseCollectionOptions = {},
): AsyncGenerator<Row> {
  let parseRow: RowParser<Row> | undefined
  let [row, rows] = [0, 0]
  for await (const { cells } of skipPreamble(parseTable(bytes, onRead))) {
    if (parseRow === undefined) {
      parseRow = readHeader(cells)
      continue
    }
    row++
    const parsed = parseRow(cells, row)
    rows += parsed.length
    if (rows > rowsMax) {
      throw new ServiceError(
        'TOO_MANY_ITEMS',
        `Send at most ${rowsMax} rows per request. Split the file.`,
      )
    }
    yield* parsed
  }
  if (parseRow === undefined)
    throw invalid('The file is empty. Send a header and a row for each card.')
  if (row === 0) throw invalid('The file has a header but no rows. Send a row for each card.')
}

/**
 * Skips what an app writes before the header, such as its version. If no record among the first ones is a header, the
 * first one counts as such.
 */
async function* skipPreamble(records: AsyncIterable<TableRecord>): AsyncGenerator<TableRecord> {
  let preamble: TableRecord[] | undefined = []
  for await (const record of records) {
    if (preamble === undefined) {
      yield record
      continue
    }
    preamble.push(record)
    const isHeader = isCollectionHeader(record.cells)
    if (!isHeader && preamble.length < HEADER_LINES) continue
    yield* isHeader ? [record] : preamble
    preamble = undefined
  }
  yield* preamble ?? []
}

/** Reads the header of a table; it is empty if the file is. @throws ServiceError VALIDATION_ERROR if it is not text */
export async function readTableHeader(bytes: FileBytes): Promise<readonly string[]> {
  for await (const { cells } of skipPreamble(parseTable(bytes))) return cells
  return []
}

/** A header stands among so many lines. */
const HEADER_LINES = 10

/** Returns true if a file is a table with a header, false if it is a list with a card on each line. */
export function isCollection(bytes: FileBytes): boolean {
  const head = decodeHead(bytes)
  const { start } = detectDialect(head)
  return start > 0 || head.includes('\0') || findDelimiter(head) !== undefined
}

/** Finds the delimiter by which one of the first lines is a header; undefined if none is. */
function findDelimiter(head: string): string | undefined {
  const { delimiter, start } = detectDialect(head)
  const lines = listLines(head.slice(start)).slice(0, HEADER_LINES)
  const isHeader = (line: string, by: string) =>
    isCollectionHeader(line.split(by).map((cell) => cell.replace(/^\s*"|"\s*$/g, '')))
  return [delimiter, ...DELIMITERS].find((by) => lines.some((line) => isHeader(line, by)))
}

/** Returns true if a file is a list rather than a table whose header is not understood. */
export function isList(bytes: FileBytes): boolean {
  if (isCollection(bytes)) return false
  const lines = listLines(decodeHead(bytes)).slice(0, HEADER_LINES)
  return lines.some((line) => LIST_LINE.test(line)) && lines.every((line) => !/[;\t]/.test(line))
}

/** A quantity and a name, or the beginning of a file of elements or JSON. */
const LIST_LINE = /^\s*(?:[([]?\d{1,4}[)\]]?x? +\p{L}|<\?xml|<deck|<cockatrice_deck|[[{]\s*")/iu

function listLines(text: string): string[] {
  return text.split(LINE_ENDS).filter((line) => line.trim() !== '')
}

const LINE_ENDS = /\r\n|\r|\n/

/**
 * Reads the lines of a list that name cards. Yields to the event loop.
 *
 * @throws ServiceError VALIDATION_ERROR without such lines, TOO_MANY_ITEMS
 */
export async function readList(
  list: string,
  { rowsMax = Number.POSITIVE_INFINITY }: Pick<ParseCollectionOptions, 'rowsMax'> = {},
): Promise<ListEntry[]> {
  const entries: ListEntry[] = []
  let lines = 0
  for (const entry of parseList(listJsonCards(list)?.join('\n') ?? list)) {
    if (++lines % LINES_A_TURN === 0) await nextTurn()
    if (entry === undefined) continue
    entries.push(entry)
    if (entries.length <= rowsMax) continue
    throw new ServiceError(
      'TOO_MANY_ITEMS',
      `Send at most ${rowsMax} lines with cards per request. Split the list.`,
    )
  }
  if (entries.length > 0) return entries
  throw emptyList()
}

/** Creates the error for a list without a line that names a card. */
export function emptyList(): ServiceError {
  return invalid(
    'The list has no line with a card. Send one card a line, such as "4 Absol ROS 40".',
  )
}

/** Decodes a list from UTF-8, UTF-16 or Windows-1252. */
export function decodeList(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes)
}

/** Decodes a list like `decodeList`, piece by piece, without holding its whole text, unless that is JSON. */
export function* decodePieces(file: FileBytes): Generator<string> {
  const isJson = file.length <= DECK_JSON_MAX && /^\s*[[{]/.test(decodeHead(file.subarray(0, 100)))
  const cards = isJson ? listJsonCards(decodeList(file.subarray(0, file.length))) : undefined
  if (cards !== undefined) return yield cards.join('\n')
  const decoder = new TextDecoder(detectEncoding(file))
  for (const piece of splitBytes(file, PIECE_BYTES)) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

const PIECE_BYTES = 262_144

/** A thousand short lines take some milliseconds. */
const LINES_A_TURN = 500

/** Called with the number of bytes that have been read. */
type OnRead = (done: number, total: number) => void

/** A record of a table. */
type TableRecord = {
  cells: string[]
  /** Line of the file on which the record ends, starting at 1. */
  line: number
}

/**
 * Parses a table: UTF-8, UTF-16 or Windows-1252, separated by commas, semicolons, tabs or bars. Yields to the event
 * loop every few milliseconds. Skips empty rows. The first record is the header.
 *
 * @throws ServiceError VALIDATION_ERROR if the file is not text, or a quote is not closed
 */
export async function* parseTable(
  bytes: FileBytes,
  onRead: OnRead = () => {},
): AsyncGenerator<TableRecord> {
  const encoding = detectEncoding(bytes)
  const head = decodeHead(bytes, encoding)
  if (head.includes('\0')) {
    throw invalid('The file is not text. Export it as CSV, not as a spreadsheet or an archive.')
  }
  const { delimiter: frequent, start } = detectDialect(head)
  const delimiter = start > 0 ? frequent : (findDelimiter(head) ?? frequent)
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
function decodeHead(bytes: FileBytes, encoding = detectEncoding(bytes)): string {
  return new TextDecoder(encoding).decode(bytes.subarray(0, HEAD_BYTES))
}

const HEAD_BYTES = 32_768

/** Decodes the text from `start` into UTF-8, chunk by chunk. */
function decode(
  bytes: FileBytes,
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

/** A chunk takes a third of a millisecond, or some three if every row is a letter. */
const CHUNK_BYTES = 4_096

/** Accepts files that were edited by hand or concatenated. */
const TOLERANT = {
  info: true,
  // All three, because the parser by default accepts only the first kind that it finds.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  ltrim: true,
  // A longer record has an unclosed quote.
  max_record_size: 100_000,
}

/** With these options, only a quote can be wrong. `records` includes the header. */
function quoteError({ records }: CsvError): string {
  const record = records === 0 ? 'The header' : `Row ${records}`
  return `${record} of the file opens a quote (") that is never closed. Close or remove it.`
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}
