import type { Deps } from '#deps.ts'
import { PRICE_FIELDS } from '#rules/pricing/price-json.ts'
import { formatCsvRecord } from '#rules/primitives/csv.ts'
import type { PriceExportRow } from '#store/catalog/prices.ts'

export type ExportFormat = 'json' | 'csv'

export const EXPORT_FORMATS: readonly ExportFormat[] = ['json', 'csv']

type Sets = Pick<Deps, 'catalog'>

/** A set, its game, and all its rows as they were at one moment. */
type SetExport = { head: ReturnType<typeof headOf>; rows: Iterable<PriceExportRow> }

/**
 * All cards and prices of one set, in pieces: JSON with the set and its game told once, or CSV with
 * both as columns. The catalog is read when this is called, the text is made piece by piece. Unknown
 * set: no pieces, or a table without records.
 */
export function exportSet(deps: Sets, setId: number, format: ExportFormat): Iterable<string> {
  const read = readSet(deps, setId)
  return format === 'json' ? setAsJson(read) : setAsTable(read)
}

/** Several sets in one file, those that are known: a JSON array of what `exportSet` tells, or one CSV table. */
export function* exportSets(
  deps: Sets,
  setIds: readonly number[],
  format: ExportFormat,
  onSet: (done: number) => void = () => {},
): Generator<string> {
  const known = setIds.filter((id) => deps.catalog.sets.getById(id) !== undefined)
  if (format === 'csv') yield csvHeader()
  else yield '['
  for (const [index, id] of known.entries()) {
    const read = readSet(deps, id)
    if (format === 'csv') yield* setAsCsv(read)
    else {
      if (index > 0) yield ',\n'
      yield* setAsJson(read)
    }
    onSet(index + 1)
  }
  if (format === 'json') yield ']\n'
}

function readSet({ catalog }: Sets, setId: number): SetExport {
  return { head: headOf(catalog, setId), rows: catalog.prices.exportSet(setId) }
}

function* setAsJson({ head: { set, game }, rows }: SetExport): Generator<string> {
  if (set === undefined) return
  yield `{"game":${JSON.stringify(game)},"set":${JSON.stringify(set)},"prices":[`
  let first = true
  for (const row of rows) {
    yield (first ? '' : ',') + JSON.stringify(row)
    first = false
  }
  yield ']}'
}

function* setAsTable(read: SetExport): Generator<string> {
  yield csvHeader()
  yield* setAsCsv(read)
}

function* setAsCsv({ head: { set, game }, rows }: SetExport): Generator<string> {
  if (set === undefined || game === undefined) return
  const head = [game.slug, game.name, set.id, set.name, set.abbreviation]
  for (const row of rows) {
    yield formatCsvRecord([...head, ...COLUMNS.map((column) => row[column])])
  }
}

function csvHeader(): string {
  return formatCsvRecord(['game', 'game_name', 'set_id', 'set', 'set_code', ...COLUMNS])
}

function headOf(catalog: Deps['catalog'], setId: number) {
  const set = catalog.sets.getById(setId)
  return { set, game: set && catalog.games.getBySlugOrId(set.game_slug) }
}

const COLUMNS: readonly (keyof PriceExportRow)[] = [
  'card_id',
  'name',
  'number',
  'rarity',
  'marketplace_id',
  'product_type',
  'foil_only',
  // The card's id is there already.
  ...PRICE_FIELDS.filter((field) => field !== 'card_id'),
]
