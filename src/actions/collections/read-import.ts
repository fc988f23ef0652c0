import type { Deps } from '#deps.ts'
import {
  type FileImport,
  type ImportProblem,
  type ProblemCard,
  ROWS_A_PART,
} from '#rules/collections/file-import.ts'
import { HOLDING_QUANTITY_MAX, type Holding, UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import {
  type HoldingCells,
  parseHoldingHeader,
  parseHoldingRow,
  readDateCell,
} from '#rules/collections/holding-columns.ts'
import { type DateOrder, findDateOrder } from '#rules/collections/written-dates.ts'
import { mustBeChecked } from '#rules/matching/certainty.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import { type ListEntry, parseList } from '#rules/matching/parse-list.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import type { FileBytes } from '#rules/primitives/file-bytes.ts'
import type { NewItem } from '#store/ledger/collections/item-writer.ts'
import { createSuggestionBudget } from '../matching/nearest-names.ts'
import {
  decodePieces,
  emptyList,
  isCollection,
  parseCollectionAs,
  readCardColumns,
} from '../matching/parse-collection.ts'
import { resolveCollection } from '../matching/resolve-collection.ts'
import { resolveList } from '../matching/resolve-list.ts'
import type { FoundCard, ResolvedRow } from '../matching/resolved-row.ts'
import { createItemId } from './parse-item.ts'

/** A row that was read, with its item or the reasons why it has none. */
export type ReadRow = {
  item: NewItem | undefined
  /** Item for the wish list, and its row. */
  unowned?: { item: NewItem; row: number }
  problems: ImportProblem[]
}

/** A part of a file whose cards are not found yet. */
export type ImportPart<Row = ReadRow> = {
  start: number
  size: number
  /** Rows of which only the dates were read. */
  dated: number
  /** Finds the cards of the rows from a position on. Stores nothing. */
  read(from: number): Promise<Row[]>
}

/** A row with its card, the details of its copies, and what is written in the file: its cells, or its line. */
export type ResolvedHolding = HoldingCells & { resolved: ResolvedRow; source: readonly string[] }

type TableRow = { row: CollectionRow; cells: HoldingCells; source: readonly string[] }

type ReadOptions<Row> = Pick<FileImport, 'game' | 'prefer' | 'unowned'> & {
  /** Copies may have been bought until the following day. */
  today: number
  /** Dates of further rows are not read. */
  rowsMax: number
  /** Creates what is returned of each row. */
  createRows: (rows: readonly ResolvedHolding[]) => Row[]
}

/**
 * Reads a table of an app or a list in parts, in the order of the file. Holds no more of it than a part. The first parts
 * of a table may be empty: they read its dates.
 *
 * @throws ServiceError VALIDATION_ERROR with the problem and its row
 */
export async function* readImport<Row>(
  deps: Pick<Deps, 'catalog'>,
  file: FileBytes,
  { game, prefer, unowned = 'leave_out', today, rowsMax, createRows }: ReadOptions<Row>,
): AsyncGenerator<ImportPart<Row>> {
  if (isCollection(file)) {
    const order = yield* findOrder(file, rowsMax)
    const rows = parseCollectionAs(file, (header) => readHeader(header, { today, order }))
    const options = { game, prefer, unowned, suggestions: createSuggestionBudget() }
    yield* splitParts(rows, async (part: TableRow[]) => {
      const cards = part.map(({ row }) => row)
      const resolved = await Array.fromAsync(resolveCollection(deps, cards, options))
      return createRows(
        resolved.flatMap((row, index) => {
          const { cells, source } = part[index] ?? {}
          return cells && source ? [{ resolved: row, ...cells, source }] : []
        }),
      )
    })
  } else {
    yield* splitParts(readEntries(file), async (part: ListEntry[]) => {
      const resolved = await Array.fromAsync(resolveList(deps, part, { game, prefer }))
      return createRows(
        resolved.map((row, index) => {
          return { resolved: row, ...readLineFacts(row), source: [part[index]?.text ?? ''] }
        }),
      )
    })
  }
}

/**
 * Reads dates until one shows the order of day and month. Without such a one, the month comes first.
 *
 * @yields an empty part after some rows
 */
async function* findOrder(
  file: FileBytes,
  rowsMax: number,
): AsyncGenerator<ImportPart<never>, DateOrder> {
  let [rows, undated] = [0, 0]
  const dates = parseCollectionAs(file, (header) => {
    const columns = parseHoldingHeader(header)
    return (cells) => [readDateCell(columns, cells)]
  })
  for await (const date of dates) {
    const order = findDateOrder(date)
    if (order === 'day_first' || order === 'month_first') return order
    undated = order === 'either' ? Number.NEGATIVE_INFINITY : undated + 1
    if (undated > UNDATED_ROWS_MAX || ++rows >= rowsMax) break
    if (rows % DATES_A_PART === 0) yield { ...NO_ROWS, dated: DATES_A_PART }
  }
  return 'month_first'
}

const NO_ROWS = { start: 0, size: 0, read: async () => [] }

/** Takes as long as a part with cards. */
const DATES_A_PART = 1_000

/** A file that begins with so many other rows has no date with an order. */
const UNDATED_ROWS_MAX = 1_000

function readHeader(
  header: readonly string[],
  { today, order }: { today: number; order: DateOrder },
) {
  const parseCard = readCardColumns(header)
  const columns = parseHoldingHeader(header, order)
  return (cells: readonly string[], row: number): TableRow[] => {
    const holding = parseHoldingRow(columns, cells, today)
    return parseCard(cells, row).map((one) => ({ row: one, cells: holding, source: cells }))
  }
}

/** @throws ServiceError VALIDATION_ERROR at the end of a list without cards */
function* readEntries(file: FileBytes): Generator<ListEntry | undefined> {
  let isEmpty = true
  for (const entry of parseList(decodePieces(file))) {
    yield entry
    if (entry !== undefined) isEmpty = false
  }
  if (isEmpty) throw emptyList()
}

/** Splits rows into parts of `ROWS_A_PART`, or fewer among many lines without a card. */
async function* splitParts<Parsed, Row>(
  rows: Iterable<Parsed | undefined> | AsyncIterable<Parsed | undefined>,
  resolve: (rows: Parsed[]) => Promise<Row[]>,
): AsyncGenerator<ImportPart<Row>> {
  let [start, lines, part]: [number, number, Parsed[]] = [0, 0, []]
  const finish = (): ImportPart<Row> => {
    const [first, mine] = [start, part]
    return {
      start: first,
      size: mine.length,
      dated: 0,
      read: (from) => resolve(mine.slice(Math.max(0, from - first))),
    }
  }
  for await (const row of rows) {
    lines++
    if (row !== undefined) part.push(row)
    if (part.length < ROWS_A_PART && lines < LINES_A_PART) continue
    yield finish()
    start += part.length
    lines = 0
    part = []
  }
  if (part.length > 0) yield finish()
}

/** Limits the time of a part with few cards. */
const LINES_A_PART = 1_000

/** Returns what a line of a list states about the copies. */
function readLineFacts(row: ResolvedRow): HoldingCells {
  const { condition, language } = ('found' in row && row.facts) || {}
  const holding = {
    ...UNKNOWN_HOLDING,
    condition: condition ?? UNKNOWN_HOLDING.condition,
    language: language ?? null,
  }
  return { holding, notes: [] }
}

type ItemDeps = Pick<Deps, 'catalog'> & Pick<FileImport, 'accept'>

/** Creates items from the resolved rows whose matches are accepted. */
export function createItems(
  { catalog, accept }: ItemDeps,
  rows: readonly ResolvedHolding[],
): ReadRow[] {
  const describe = describeFound({ catalog }, rows)
  return rows.map(({ resolved, holding, notes }) => {
    const { row, name } = resolved.input
    const problem = (reason: string, item?: NewItem): ImportProblem => ({
      row,
      name: name?.slice(0, NAME_SHOWN) ?? null,
      card_id: item?.card_id ?? null,
      card_name: item?.name ?? null,
      reason,
      is_imported: item !== undefined,
    })
    // Apps list cards of which there is no copy.
    const isWithoutCopies = 'reason' in resolved && resolved.reason === 'no_copies'
    if (isWithoutCopies) return { item: undefined, problems: [] }
    if (!('found' in resolved)) {
      const alternatives = listChoices(resolved.suggestions ?? [])
      const missing = {
        ...problem(resolved.reason),
        ...(alternatives.length > 0 && { alternatives }),
      }
      return { item: undefined, problems: [missing] }
    }
    const { found, quantity } = resolved
    if (quantity > HOLDING_QUANTITY_MAX) {
      return { item: undefined, problems: [problem('invalid_quantity')] }
    }
    if (!accept.includes(found.certainty)) {
      const skipped = mustBeChecked(found.certainty, accept)
        ? { ...problem(found.certainty), ...describeChoice(found) }
        : undefined
      return { item: undefined, problems: skipped === undefined ? [] : [skipped] }
    }
    const item: NewItem = { ...describe(found, holding), id: createItemId(), quantity }
    const problems = [...listNotes(found), ...notes].map((reason) => problem(reason, item))
    return resolved.input.left_out === null
      ? { item, problems }
      : { item: undefined, unowned: { item: toUnowned(item), row }, problems }
  })
}

/** Removes what only an owner knows. */
export function toUnowned<Item extends NewItem>(item: Item): Item {
  return { ...item, price_paid: null, paid_currency: MIRROR_KIND.currency, acquired_on: null }
}

/** Returns a function that describes the card and the copies of a match. */
export function describeFound(
  { catalog }: Pick<Deps, 'catalog'>,
  rows: readonly Pick<ResolvedHolding, 'resolved'>[],
) {
  const ids = rows.flatMap(({ resolved }) => ('found' in resolved ? resolved.found.card.id : []))
  const cards = catalog.sources.holdings.getByIds(ids)
  return ({ card, printing }: Pick<FoundCard, 'card' | 'printing'>, holding: Holding) => {
    const stored = cards.get(card.id)
    const isSealed = stored?.is_single === false && holding.condition === 'near_mint'
    return {
      ...holding,
      card_id: card.id,
      name: card.name,
      number: card.number,
      game: card.game_slug,
      set_id: stored?.set_id ?? 0,
      set_name: card.set_name,
      printing: printing?.printing ?? null,
      condition: isSealed ? ('unopened' as const) : holding.condition,
    }
  }
}

/** Lists what does not exactly fit a match. */
export function listNotes({ corrected_name, notes }: FoundCard): string[] {
  return [...(corrected_name === undefined ? [] : ['similar_name']), ...notes]
}

/** Describes the cards that a row may mean. */
function describeChoice({ card, alternatives }: FoundCard) {
  return {
    card_id: card.id,
    card_name: card.name,
    alternatives: listChoices(alternatives),
  }
}

function listChoices(cards: FoundCard['alternatives']): ProblemCard[] {
  return cards.map(({ id, name, set_name, number }) => ({ id, name, set_name, number }))
}

const NAME_SHOWN = 100
