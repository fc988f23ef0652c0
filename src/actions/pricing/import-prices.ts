import type { CatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import type { Deps } from '#deps.ts'
import { isSourceName, NATIVE_SOURCES } from '#rules/pricing/price-key.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type LeftOutRow, matchPriceList } from './match-price-list.ts'
import { openPriceList, type PriceListInput } from './read-price-list.ts'

/** Result of an import of prices. */
export type PriceImportReport = {
  source: string
  rows: number
  /** Number of prices of the source after the import; a row may have several. */
  prices: number
  /** Number of new, changed and removed prices; null if nothing was published. */
  changed: number | null
  /** Rows that were not imported, in the order of the file. */
  left_out: LeftOutRow[]
}

export type PriceImportOptions = {
  /** Opens the catalog for writing, once the whole list is matched; undefined if nothing is published. */
  openWriter: (() => Promise<CatalogWriterDeps>) | undefined
  /** Called with the number of cards that have been searched for. */
  onMatched?: (done: number, total: number) => void
}

/**
 * Reads a price list, and replaces all prices of its source in one transaction.
 *
 * @throws ServiceError VALIDATION_ERROR if the file is not a price list, or if no row has a known card
 */
export async function importPrices(
  deps: Pick<Deps, 'catalog'>,
  input: PriceListInput,
  { openWriter, onMatched }: PriceImportOptions,
): Promise<PriceImportReport> {
  const { source, rows: list } = await openPriceList(deps, input)
  assertSource(source)
  const { rows, prices, leftOut } = await matchPriceList(deps, list, onMatched)
  const report = { source, rows, prices: prices.length, changed: null, left_out: leftOut }
  if (openWriter === undefined) return report
  if (prices.length === 0) {
    const message = `No row of the list could be imported, so the prices of ${source} stay the same. Use --dry-run to see why.`
    throw new ServiceError('VALIDATION_ERROR', message)
  }
  const { catalogWriter, now, close } = await openWriter()
  try {
    const at = now()
    const batch = { source, game_id: 0, prices, publishedAt: at, now: at }
    await catalogWriter.loadAlertRules()
    const published = catalogWriter.sources.publish(batch)
    return { ...report, prices: published.prices, changed: published.changed }
  } finally {
    close()
  }
}

function assertSource(source: string): void {
  if (!isSourceName(source)) {
    const remedy = 'Use up to 32 lowercase letters, digits and hyphens, such as my-shop.'
    throw new ServiceError('VALIDATION_ERROR', `"${source}" is not a name of a source. ${remedy}`)
  }
  if (Object.values(NATIVE_SOURCES).includes(source)) {
    const message = `"${source}" is the name of a source that Cardstock reads itself. Choose another one with --source.`
    throw new ServiceError('VALIDATION_ERROR', message)
  }
}
