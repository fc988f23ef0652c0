import type { Deps } from '#deps.ts'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import {
  type HoldingCells,
  parseHoldingHeader,
  parseHoldingRow,
} from '#rules/collections/holding-columns.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import type { ListEntry } from '#rules/matching/parse-list.ts'
import {
  decodeList,
  isCollection,
  parseCollectionAs,
  readCardColumns,
  readList,
} from '../matching/parse-collection.ts'
import { type ResolvedRow, resolveCollection } from '../matching/resolve-collection.ts'
import { resolveList } from '../matching/resolve-list.ts'

/** A row with its card and the details of its copies. */
export type ImportedRow = HoldingCells & { resolved: ResolvedRow }

/** An unresolved part of a file. */
export type ImportPart = {
  start: number
  size: number
  /** Finds the cards of the rows from a position on. */
  resolve(from: number): Promise<ImportedRow[]>
}

type TableRow = { row: CollectionRow; cells: HoldingCells }

/**
 * Reads a table of an app or a list in parts, in the order of the file.
 *
 * @param today copies may have been bought until the following day
 * @throws ServiceError VALIDATION_ERROR with the problem and its row
 */
export async function* readImport(
  deps: Pick<Deps, 'catalog'>,
  file: Uint8Array,
  { game, today }: { game: string | undefined; today: number },
): AsyncGenerator<ImportPart> {
  if (isCollection(file)) {
    const rows = parseCollectionAs(file, (header) => readHeader(header, today))
    yield* splitParts<TableRow>(rows, async (part) => {
      const resolved = await Array.fromAsync(
        resolveCollection(
          deps,
          part.map(({ row }) => row),
          { game },
        ),
      )
      return zip(
        resolved,
        part.map(({ cells }) => cells),
      )
    })
  } else {
    const entries = await readList(decodeList(file))
    yield* splitParts<ListEntry>(entries, async (part) => {
      const resolved = await Array.fromAsync(resolveList(deps, part, { game }))
      return zip(
        resolved,
        part.map(() => ({ holding: UNKNOWN_HOLDING, notes: [] })),
      )
    })
  }
}

function readHeader(header: readonly string[], today: number) {
  const parseCard = readCardColumns(header)
  const columns = parseHoldingHeader(header)
  return (cells: readonly string[], row: number): TableRow => ({
    row: parseCard(cells, row),
    cells: parseHoldingRow(columns, cells, today),
  })
}

async function* splitParts<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  resolve: (rows: Row[]) => Promise<ImportedRow[]>,
): AsyncGenerator<ImportPart> {
  let [start, part]: [number, Row[]] = [0, []]
  const finish = (): ImportPart => {
    const [first, mine] = [start, part]
    return {
      start: first,
      size: mine.length,
      resolve: (from) => resolve(mine.slice(Math.max(0, from - first))),
    }
  }
  for await (const row of rows) {
    part.push(row)
    if (part.length < ROWS_A_PART) continue
    yield finish()
    start += part.length
    part = []
  }
  if (part.length > 0) yield finish()
}

/** Stored in one transaction, during which other requests wait. */
const ROWS_A_PART = 50

function zip(resolved: readonly ResolvedRow[], cells: readonly HoldingCells[]): ImportedRow[] {
  return resolved.flatMap((row, index) => {
    const own = cells[index]
    return own === undefined ? [] : [{ resolved: row, ...own }]
  })
}
