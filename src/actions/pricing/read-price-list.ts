import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { type ConditionScale, findConditionScale } from '#rules/pricing/conditions.ts'
import {
  type PriceListFault,
  type PriceListRow,
  parsePriceListHeader,
  parsePriceListRow,
  readPriceCell,
} from '#rules/pricing/price-list.ts'
import { parsePriceChartingHeader, parsePriceChartingRow } from '#rules/pricing/pricecharting.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { parseTable } from '../matching/parse-collection.ts'

/** Formats of price lists. */
const PRICE_LIST_FORMATS = ['list', 'pricecharting'] as const

export type PriceListFormat = (typeof PRICE_LIST_FORMATS)[number]

/** A list, and the meaning of its name and rows. */
export type WrittenPriceList = {
  source: string
  rows: AsyncIterable<PriceListRow | PriceListFault>
}

export type PriceListInput = {
  bytes: Uint8Array
  format: PriceListFormat
  /** Name of the source; by default the one that the list names. */
  source: string | undefined
  /** Currency of rows without one. */
  currency: string
}

/**
 * Opens a price list, whose rows are parsed as they are read.
 *
 * @throws ServiceError VALIDATION_ERROR if the file is not a price list, or does not name exactly one source
 */
export async function openPriceList(
  deps: Pick<Deps, 'catalog'>,
  input: PriceListInput,
): Promise<WrittenPriceList> {
  if (input.format === 'pricecharting') {
    const findGame = createGameFinder(deps)
    const rows = parseRows(input, parsePriceChartingHeader, (columns, record) =>
      parsePriceChartingRow(columns, record, findGame),
    )
    return { source: input.source ?? 'pricecharting', rows }
  }
  const { sources, scale } = await survey(input.bytes)
  const source = input.source ?? soleSource(sources)
  const options = { source, currency: input.currency, scale }
  const rows = parseRows(input, parsePriceListHeader, (columns, record) =>
    parsePriceListRow(columns, record, options),
  )
  return { source, rows }
}

async function* parseRows<Columns>(
  { bytes }: PriceListInput,
  parseHeader: (cells: readonly string[]) => Columns,
  parseRow: (columns: Columns, record: TableRow) => PriceListRow | PriceListFault,
): AsyncGenerator<PriceListRow | PriceListFault> {
  let columns: Columns | undefined
  for await (const record of parseTable(bytes)) {
    if (columns === undefined) columns = parseHeader(record.cells)
    else yield parseRow(columns, record)
  }
  if (columns === undefined) throw invalid('The file is empty. It needs a header and rows.')
}

type TableRow = { cells: readonly string[]; line: number }

/** Reads the whole list to find out what its rows have in common. */
async function survey(bytes: Uint8Array): Promise<{ sources: string[]; scale: ConditionScale }> {
  const sources = new Set<string>()
  const conditions = new Set<string>()
  let columns: ReturnType<typeof parsePriceListHeader> | undefined
  for await (const { cells } of parseTable(bytes)) {
    if (columns === undefined) columns = parsePriceListHeader(cells)
    else {
      sources.add(readPriceCell(columns, cells, 'source').toLowerCase())
      conditions.add(readPriceCell(columns, cells, 'condition'))
    }
  }
  return { sources: [...sources].filter(Boolean), scale: findConditionScale(conditions) }
}

function soleSource(sources: readonly string[]): string {
  const [only, ...others] = sources
  if (only === undefined) throw invalid('The list states no source. Set it with --source.')
  if (others.length === 0) return only
  const names = sources.slice(0, 5).join(', ')
  throw invalid(`The list has prices of several sources: ${names}. Choose one with --source.`)
}

/** Finds a game by its name or slug, or by the beginning of one: "One Piece" is `one-piece-card-game`. */
function createGameFinder({ catalog }: Pick<Deps, 'catalog'>) {
  const games = catalog.games
    .listAll()
    .map(({ slug, name }) => ({ slug, keys: [slug, name].map(normalizeName) }))
  return (name: string): string | undefined => {
    const key = normalizeName(name)
    const exact = games.find(({ keys }) => keys.includes(key))
    const longer = games.filter(({ keys }) => keys.some((known) => known.startsWith(key)))
    return (exact ?? (longer.length === 1 ? longer[0] : undefined))?.slug
  }
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}
