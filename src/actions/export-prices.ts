import type { Deps } from '#deps.ts'
import { csvRecord } from '#rules/csv.ts'
import type { ExportRow } from '#store/catalog/prices.ts'

export type ExportFormat = 'json' | 'csv'

export const EXPORT_FORMATS: readonly ExportFormat[] = ['json', 'csv']

type Sets = Pick<Deps, 'catalog'>

/**
 * All cards and prices of one set, in pieces as they are read: JSON with the set and its game told
 * once, or CSV with both as columns. Unknown set: no pieces.
 */
export function* exportSet(deps: Sets, setId: number, format: ExportFormat): Generator<string> {
  if (format === 'json') return yield* setAsJson(deps, setId)
  yield csvHeader()
  yield* setAsCsv(deps, setId)
}

/** Several sets in one file, those that are known: a JSON array of what `exportSet` tells, or one CSV table. */
export function* exportSets(
  deps: Sets,
  setIds: readonly number[],
  format: ExportFormat,
  onSet: (done: number) => void = () => {},
): Generator<string> {
  const known = setIds.filter((id) => deps.catalog.sets.byId(id) !== undefined)
  if (format === 'csv') yield csvHeader()
  else yield '['
  for (const [index, id] of known.entries()) {
    if (format === 'csv') yield* setAsCsv(deps, id)
    else {
      if (index > 0) yield ',\n'
      yield* setAsJson(deps, id)
    }
    onSet(index + 1)
  }
  if (format === 'json') yield ']\n'
}

function* setAsJson({ catalog }: Sets, setId: number): Generator<string> {
  const { set, game } = headOf(catalog, setId)
  if (set === undefined) return
  yield `{"game":${JSON.stringify(game)},"set":${JSON.stringify(set)},"prices":[`
  let first = true
  for (const row of catalog.prices.exportOfSet(setId)) {
    yield (first ? '' : ',') + JSON.stringify(row)
    first = false
  }
  yield ']}'
}

function* setAsCsv({ catalog }: Sets, setId: number): Generator<string> {
  const { set, game } = headOf(catalog, setId)
  if (set === undefined || game === undefined) return
  const head = [game.slug, game.name, set.id, set.name, set.abbreviation]
  for (const row of catalog.prices.exportOfSet(setId)) {
    yield csvRecord([...head, ...COLUMNS.map((column) => row[column])])
  }
}

function csvHeader(): string {
  return csvRecord(['game', 'game_name', 'set_id', 'set', 'set_code', ...COLUMNS])
}

function headOf(catalog: Deps['catalog'], setId: number) {
  const set = catalog.sets.byId(setId)
  return { set, game: set && catalog.games.bySlugOrId(set.game_slug) }
}

const COLUMNS = [
  'card_id',
  'name',
  'number',
  'rarity',
  'marketplace_id',
  'product_type',
  'foil_only',
  'printing',
  'market_price',
  'low_price',
  'median_price',
  'lowest_with_shipping',
  'buylist_price',
  'price_change_24h',
  'price_change_7d',
  'price_change_30d',
  'last_updated_at',
] as const satisfies readonly (keyof ExportRow)[]
