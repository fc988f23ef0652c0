import {
  type CollectionRow,
  isCollectionHeader,
  parseCollectionHeader,
  parseCollectionRow,
} from '#rules/matching/collection-columns.ts'
import { detectDialect } from '#rules/primitives/csv-dialect.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { decodeHead, type OnRead, parseTable } from './parse-table.ts'

export type ParseCollectionOptions = {
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
  bytes: Uint8Array,
  options?: ParseCollectionOptions,
): AsyncGenerator<CollectionRow> {
  return parseCollectionAs(bytes, readCardColumns, options)
}

/** Parses the cells of a row by the header of its file. */
export type RowParser<Row> = (cells: readonly string[], row: number) => Row

/** @throws ServiceError VALIDATION_ERROR if no column identifies a card */
export function readCardColumns(header: readonly string[]): RowParser<CollectionRow> {
  const columns = parseCollectionHeader(header)
  return (cells, row) => parseCollectionRow(columns, cells, row)
}

/** Like `parseCollection`, for rows with more columns. */
export async function* parseCollectionAs<Row>(
  bytes: Uint8Array,
  readHeader: (header: readonly string[]) => RowParser<Row>,
  { rowsMax = Number.POSITIVE_INFINITY, onRead = () => {} }: ParseCollectionOptions = {},
): AsyncGenerator<Row> {
  let parseRow: RowParser<Row> | undefined
  let row = 0
  for await (const { cells } of parseTable(bytes, onRead)) {
    if (parseRow === undefined) {
      parseRow = readHeader(cells)
      continue
    }
    row++
    if (row > rowsMax) {
      throw new ServiceError(
        'TOO_MANY_ITEMS',
        `Send at most ${rowsMax} rows in one request. The file has more: split it.`,
      )
    }
    yield parseRow(cells, row)
  }
  if (parseRow === undefined)
    throw invalid('The file is empty. Send a header and a row for each card.')
  if (row === 0) throw invalid('The file has a header but no rows. Send a row for each card.')
}

/** Returns true if a file is a table with a header, and no list with a card on each line. */
export function isCollection(bytes: Uint8Array): boolean {
  const head = decodeHead(bytes)
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

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}
