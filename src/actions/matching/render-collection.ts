import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import { type CsvCell, formatCsvRecord } from '#rules/primitives/csv.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { ExportFormat } from '../pricing/export-prices.ts'
import type { MatchedRow, ResolvedRow, UnmatchedRow } from './resolve-collection.ts'

type Rows = Iterable<ResolvedRow> | AsyncIterable<ResolvedRow>

/** Tells a resolved collection as an answer's `data` and `meta`; money in dollars. */
export async function createCollectionReport(rows: Rows) {
  const totals = openTotals()
  const matched = []
  const unmatched = []
  for await (const row of rows) {
    totals.add(row)
    if ('found' in row) matched.push(matchedRow(row))
    else unmatched.push(unmatchedRow(row))
  }
  const { total_value, ...meta } = totals.read()
  return { data: { rows: matched, unmatched, total_value }, meta }
}

/**
 * Tells a resolved collection in pieces, as it is resolved: a CSV table with a record for each row of
 * the file and the total as its last, or the report as one JSON object.
 */
export function renderCollection(rows: Rows, format: ExportFormat): AsyncGenerator<string> {
  return format === 'csv' ? asCsv(rows) : asJson(rows)
}

async function* asCsv(rows: Rows): AsyncGenerator<string> {
  const totals = openTotals()
  yield formatCsvRecord(CSV_COLUMNS)
  for await (const row of rows) {
    totals.add(row)
    yield recordOf(row)
  }
  yield formatCsvRecord(cellsOf({ row: 'total', value: totals.read().total_value }))
}

async function* asJson(rows: Rows): AsyncGenerator<string> {
  const totals = openTotals()
  const unmatched = []
  let before = '{"rows":['
  for await (const row of rows) {
    totals.add(row)
    if ('found' in row) {
      yield `${before}\n${JSON.stringify(matchedRow(row))}`
      before = ','
    } else unmatched.push(unmatchedRow(row))
  }
  const { total_value, ...meta } = totals.read()
  const rest = JSON.stringify({ unmatched, total_value, meta }).slice(1)
  yield `${before === ',' ? '' : before}\n],${rest}\n`
}

/** Counts rows and adds up what is known of their worth, in cents. */
function openTotals() {
  let [requested, matched, unpriced, cents] = [0, 0, 0, 0]
  return {
    add(row: ResolvedRow): void {
      requested++
      if (!('found' in row)) return
      matched++
      if (row.found.value === null) unpriced++
      cents += row.found.value ?? 0
    },
    read: () => ({
      total_requested: requested,
      total_matched: matched,
      /** Matched rows whose price is not known: they add nothing to the total. */
      unpriced,
      total_value: toDollars(cents),
    }),
  }
}

function matchedRow({ input, quantity, found }: MatchedRow) {
  const { card, printing, confidence, corrected_name, value, alternatives, notes } = found
  return {
    row: input.row,
    quantity,
    query: queryOf(input),
    match: {
      card,
      printing: printing?.printing ?? null,
      market_price: toDollars(printing?.market_price ?? null),
      low_price: toDollars(printing?.low_price ?? null),
      confidence,
      corrected_name,
    },
    value: toDollars(value),
    alternatives,
    notes,
  }
}

/** As the file has it; a set by its name, or by its code where it has no name. */
function queryOf(asked: CollectionRow) {
  const { name, game, set_code, set_name, number, printing, product_id } = asked
  return { name, game, set: set_name ?? set_code, number, printing, product_id }
}

function unmatchedRow({ input, reason }: UnmatchedRow) {
  return { row: input.row, name: input.name, reason }
}

const CSV_COLUMNS = [
  'row',
  'quantity',
  'name',
  'set',
  'number',
  'card_id',
  'matched_name',
  'matched_set',
  'matched_number',
  'game',
  'printing',
  'market_price',
  'value',
  'confidence',
  'notes',
  'reason',
] as const

type CsvCells = Partial<Record<(typeof CSV_COLUMNS)[number], CsvCell>>

function cellsOf(cells: CsvCells): CsvCell[] {
  return CSV_COLUMNS.map((column) => cells[column])
}

function recordOf(row: ResolvedRow): string {
  const { name, set, number } = queryOf(row.input)
  const given = { row: row.input.row, name, set, number }
  if ('reason' in row) {
    return formatCsvRecord(cellsOf({ ...given, quantity: row.input.quantity, reason: row.reason }))
  }
  const { match, value, notes } = matchedRow(row)
  const { card, corrected_name: _, low_price: __, ...price } = match
  return formatCsvRecord(
    cellsOf({
      ...given,
      ...price,
      quantity: row.quantity,
      card_id: card.id,
      matched_name: card.name,
      matched_set: card.set_name,
      matched_number: card.number,
      game: card.game_slug,
      value,
      notes: notes.join(' '),
    }),
  )
}
