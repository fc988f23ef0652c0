import type { Deps } from '#deps.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import type { ColumnUse } from '#rules/matching/column-uses.ts'
import { ORIGIN_FIELDS } from '#rules/pricing/price-view.ts'
import { type CsvCell, formatCsvRecord } from '#rules/primitives/csv.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { ExportFormat } from '../pricing/export-prices.ts'
import type { MatchedRow, ResolvedRow, UnmatchedRow } from './resolved-row.ts'

type Rows = Iterable<ResolvedRow> | AsyncIterable<ResolvedRow>

export type RenderOptions = {
  /** Adds a column with the section of a deck list. */
  isList?: boolean
  /** View of the catalog in which the rows were resolved. */
  view?: Deps['catalog']['view']
  /** Columns of a table; undefined for a list. */
  columns?: readonly ColumnUse[] | undefined
}

/** Creates the `data` and `meta` of a response; amounts are in dollars, or in the currency of the view. */
export async function createCollectionReport(
  rows: Rows,
  { view, columns }: Pick<RenderOptions, 'view' | 'columns'> = {},
) {
  const totals = createTotals()
  const matched = []
  const unmatched = []
  for await (const row of rows) {
    totals.add(row)
    if ('found' in row) matched.push(renderMatch(row))
    else unmatched.push(renderMiss(row))
  }
  const { total_value, ...meta } = totals.read()
  const common = { total_value, ...currencyOf(view), ...listColumns(columns) }
  return { data: { rows: matched, unmatched, ...common }, meta }
}

/**
 * Renders a collection in chunks while it is resolved: as a CSV table with a record for each row and one for the
 * total, or as one JSON object.
 */
export function renderCollection(
  rows: Rows,
  format: ExportFormat,
  options: RenderOptions = {},
): AsyncGenerator<string> {
  return format === 'csv' ? renderCsv(rows, options) : renderJson(rows, options)
}

async function* renderCsv(
  rows: Rows,
  { isList = false, view }: RenderOptions,
): AsyncGenerator<string> {
  const columns: (keyof Cells)[] = [
    ...CSV_COLUMNS,
    ...(isList ? (['section'] as const) : []),
    ...(view === undefined ? [] : ORIGIN_FIELDS),
  ]
  const formatCells = (cells: Cells) => formatCsvRecord(columns.map((column) => cells[column]))
  const totals = createTotals()
  yield formatCsvRecord(columns)
  for await (const row of rows) {
    totals.add(row)
    yield formatCells(listCells(row))
  }
  yield formatCells({ row: 'total', value: totals.read().total_value, ...currencyOf(view) })
}

async function* renderJson(rows: Rows, { view, columns }: RenderOptions): AsyncGenerator<string> {
  const totals = createTotals()
  const unmatched = []
  let prefix = '{"rows":['
  for await (const row of rows) {
    totals.add(row)
    if ('found' in row) {
      yield `${prefix}\n${JSON.stringify(renderMatch(row))}`
      prefix = ','
    } else unmatched.push(renderMiss(row))
  }
  const { total_value, ...meta } = totals.read()
  const common = { total_value, ...currencyOf(view), ...listColumns(columns) }
  const facts = { unmatched, ...common, meta }
  const rest = JSON.stringify(facts).slice(1)
  yield `${prefix === ',' ? '' : prefix}\n],${rest}\n`
}

/** Returns the member that names the currency of a sum, if it is not the default. */
function currencyOf(view: RenderOptions['view']) {
  return view === undefined ? {} : { currency: view.currency }
}

/** Returns the member that names the columns of a table; a list has none. */
function listColumns(columns: RenderOptions['columns']) {
  return columns === undefined ? {} : { columns: [...columns] }
}

/** Counts rows and adds up their known values, in cents. */
function createTotals() {
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
      /** Matched rows without a known price, which the total does not include. */
      unpriced,
      total_value: toDollars(cents),
    }),
  }
}

function renderMatch({ input, section, quantity, found }: MatchedRow) {
  const { card, printing, confidence, certainty, corrected_name, value, alternatives, notes } =
    found
  return {
    row: input.row,
    ...(section !== undefined && { section }),
    quantity,
    query: renderQuery(input),
    match: {
      card,
      printing: printing?.printing ?? null,
      ...printing?.origin,
      market_price: toDollars(printing?.market_price ?? null),
      low_price: toDollars(printing?.low_price ?? null),
      confidence,
      certainty,
      corrected_name,
    },
    value: toDollars(value),
    alternatives,
    notes,
  }
}

/** Uses the set's code if the row has no set name. */
function renderQuery(row: CollectionRow) {
  const { name, game, set_code, set_name, number, printing, product_id } = row
  return { name, game, set: set_name ?? set_code, number, printing, product_id }
}

function renderMiss({ input, section, reason, suggestions }: UnmatchedRow) {
  return {
    row: input.row,
    ...(section !== undefined && { section }),
    query: renderQuery(input),
    name: input.name,
    reason,
    ...(suggestions !== undefined && { alternatives: suggestions }),
  }
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
  'certainty',
  'notes',
  'reason',
] as const

type Cells = Partial<
  Record<(typeof CSV_COLUMNS)[number] | (typeof ORIGIN_FIELDS)[number] | 'section', CsvCell>
>

function listCells(row: ResolvedRow): Cells {
  const { name, set, number } = renderQuery(row.input)
  const given = { row: row.input.row, name, set, number, section: row.section }
  if ('reason' in row) {
    const { input, reason } = row
    return { ...given, quantity: input.quantity, reason }
  }
  const { match, value, notes } = renderMatch(row)
  const { card, corrected_name: _, low_price: __, ...price } = match
  return {
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
  }
}
