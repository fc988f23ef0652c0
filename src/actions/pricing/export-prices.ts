import type { Deps } from '#deps.ts'
import type { ConfidenceLevel, ConfidenceReason } from '#rules/pricing/confidence.ts'
import { PRICE_FIELDS } from '#rules/pricing/price-json.ts'
import { ORIGIN_FIELDS } from '#rules/pricing/price-view.ts'
import { formatCsvRecord } from '#rules/primitives/csv.ts'
import type { GameRecord } from '#store/catalog/games.ts'
import type { SetPriceRecord } from '#store/catalog/prices.ts'
import { assessPrices } from './assess-prices.ts'
import { showTotal, type ValuedSet } from './show-total.ts'

export type ExportFormat = 'json' | 'csv'

export const EXPORT_FORMATS: readonly ExportFormat[] = ['json', 'csv']

type ExportDeps = Pick<Deps, 'catalog'>

/** Clock for the confidence of prices; undefined for prices without confidence. */
type TableDeps = ExportDeps & { confidence?: Pick<Deps, 'now'> | undefined }

export type ExportProgress = {
  onSet?: (done: number) => void
  /** Called for each price. */
  onRow?: () => void
}

/** A set, its game, and all its rows from one version of the catalog. */
type SetExport = {
  set: ValuedSet | undefined
  game: GameRecord | undefined
  rows: Iterable<ExportRow>
  columns: readonly Column[]
  onRow: ExportProgress['onRow'] | undefined
}

/**
 * Renders all cards and prices of one set in chunks: as JSON with the set and its game stated once, or as
 * CSV with both as columns. Reads the catalog when it is called. An unknown set has no chunks in JSON,
 * and only the header in CSV.
 */
export function exportSet(
  deps: TableDeps,
  setId: number,
  format: ExportFormat,
  { onRow }: ExportProgress = {},
): Iterable<string> {
  const read = { ...readSet(deps, setId, format), onRow }
  return format === 'json' ? setAsJson(read) : setAsTable(read)
}

/** Renders all known sets in a list as one JSON array or one CSV table. */
export function* exportSets(
  deps: ExportDeps,
  setIds: readonly number[],
  format: ExportFormat,
  { onSet, onRow }: ExportProgress = {},
): Generator<string> {
  const known = setIds.filter((id) => deps.catalog.sets.getById(id) !== undefined)
  if (format === 'csv') yield csvHeader(listColumns(deps))
  else yield '['
  for (const [index, id] of known.entries()) {
    const read = { ...readSet(deps, id, format), onRow }
    if (format === 'csv') yield* setAsCsv(read)
    else {
      if (index > 0) yield ',\n'
      yield* setAsJson(read)
    }
    onSet?.(index + 1)
  }
  if (format === 'json') yield ']\n'
}

function readSet(
  { catalog, confidence }: TableDeps,
  setId: number,
  format: ExportFormat,
): Omit<SetExport, 'onRow'> {
  const known = catalog.sets.getById(setId)
  // Tables do not state the value of a set, which can be a sum.
  const isViewed = catalog.view !== undefined && format === 'json'
  const set = known && showTotal(known, isViewed ? catalog.sets.getTotal(setId) : undefined)
  const game = set && catalog.games.getBySlugOrId(set.game_slug)
  const rows = catalog.prices.listBySet(setId)
  const columns = listColumns({ catalog, confidence })
  if (confidence === undefined) return { set, game, rows, columns }
  return { set, game, rows: addConfidence({ catalog, ...confidence }, [...rows]), columns }
}

/** Adds to each row the confidence in its price. */
function addConfidence(
  deps: ExportDeps & Pick<Deps, 'now'>,
  rows: readonly SetPriceRecord[],
): ExportRow[] {
  const confidences = assessPrices(deps, rows)
  return rows.map((row, index) => {
    const { level, reasons } = confidences[index] ?? {}
    return { ...row, confidence: level, confidence_reasons: reasons }
  })
}

/** Lists the columns of a table. In a view, prices state their origin. */
function listColumns({ catalog, confidence }: TableDeps): readonly Column[] {
  const columns = catalog.view === undefined ? COLUMNS : [...COLUMNS, ...ORIGIN_FIELDS]
  return confidence === undefined ? columns : [...columns, ...CONFIDENCE_FIELDS]
}

function* setAsJson({ set, game, rows, onRow }: SetExport): Generator<string> {
  if (set === undefined) return
  yield `{"game":${JSON.stringify(game)},"set":${JSON.stringify(set)},"prices":[`
  let first = true
  for (const row of rows) {
    yield (first ? '' : ',') + JSON.stringify(row)
    first = false
    onRow?.()
  }
  yield ']}'
}

function* setAsTable(read: SetExport): Generator<string> {
  yield csvHeader(read.columns)
  yield* setAsCsv(read)
}

function* setAsCsv({ set, game, rows, columns, onRow }: SetExport): Generator<string> {
  if (set === undefined || game === undefined) return
  const head = [game.slug, game.name, set.id, set.name, set.abbreviation]
  for (const row of rows) {
    const values = columns.map((column) =>
      column === 'confidence_reasons' ? row[column]?.join(' ') : row[column],
    )
    yield formatCsvRecord([...head, ...values])
    onRow?.()
  }
}

function csvHeader(columns: readonly Column[]): string {
  return formatCsvRecord(['game', 'game_name', 'set_id', 'set', 'set_code', ...columns])
}

type ExportRow = SetPriceRecord & {
  confidence?: ConfidenceLevel | undefined
  confidence_reasons?: readonly ConfidenceReason[] | undefined
}

type Column = keyof ExportRow

const CONFIDENCE_FIELDS: readonly Column[] = ['confidence', 'confidence_reasons']

const COLUMNS: readonly Column[] = [
  'card_id',
  'name',
  'number',
  'rarity',
  'marketplace_id',
  'product_type',
  'foil_only',
  // The card's id is a column already.
  ...PRICE_FIELDS.filter((field) => field !== 'card_id'),
]
