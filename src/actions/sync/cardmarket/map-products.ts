import { ServiceError } from '#rules/primitives/errors.ts'
import { CARDMARKET, CARDMARKET_GAMES, priceGuidePath } from '#rules/sync/cardmarket/files.ts'
import type { MatchableCard } from '#rules/sync/cardmarket/matchable.ts'
import type { OperatorMatch } from '#store/catalog/sources/source-product-writer.ts'
import type { UnmatchedProduct } from '#store/catalog/sources/source-products.ts'
import type { Catalog } from '#store/open-catalog.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'
import { parseCsvRecords } from '../../catalog/parse-csv-records.ts'

/** Number of rows of a mapping that were imported, and the rejected rows by line. */
export type MapReport = { taken: number; errors: { line: number; reason: string }[] }

/**
 * Stores the cards that an operator has chosen for products. Later imports keep them. Rows with an error are skipped:
 * rows are independent, and the file can be imported again. All others are stored in one transaction.
 *
 * @throws ServiceError VALIDATION_ERROR if the file is not CSV with the columns product_id and card_id
 */
export function mapProducts(
  { catalogWriter }: { catalogWriter: CatalogWriter },
  bytes: Uint8Array,
): MapReport {
  const known = readKnown(catalogWriter)
  const matches = new Map<number, OperatorMatch>()
  const games = new Set<number>()
  const report: MapReport = { taken: 0, errors: [] }
  let columns: Columns | undefined
  for (const { cells, line } of parseCsvRecords(bytes, invalid)) {
    if (columns === undefined) {
      columns = parseHeader(cells)
      continue
    }
    const row = parseRow(cells, columns)
    const reason = typeof row === 'string' ? row : findProblem(row, known, matches)
    if (typeof row === 'string' || reason !== undefined) {
      report.errors.push({ line, reason: reason ?? '' })
      continue
    }
    matches.set(row.id, row)
    games.add(known.products.get(row.id) ?? 0)
  }
  if (columns === undefined) throw invalid('The file is empty.')
  const forget = [...games].map(priceGuidePath)
  catalogWriter.sourceProducts.putOperatorMatches(CARDMARKET.source, matches.values(), forget)
  report.taken = matches.size
  return report
}

type Columns = { product: number; card: number; printing: number }

type Known = {
  /** Cardmarket's game by product. */
  products: Map<number, number>
  cards: Map<number, MatchableCard>
}

function readKnown({ sourceProducts, syncLog }: CatalogWriter): Known {
  const products = new Map<number, number>()
  for (const { id: game } of CARDMARKET_GAMES) {
    for (const { id } of sourceProducts.list(CARDMARKET.source, game)) products.set(id, game)
  }
  const cards = sourceProducts.listCards(syncLog.listGames().map(({ id }) => id))
  return { products, cards: new Map(cards.map((card) => [card.id, card])) }
}

function parseHeader(cells: readonly string[]): Columns {
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const product = names.indexOf('product_id')
  const card = names.indexOf('card_id')
  if (product < 0 || card < 0) {
    throw invalid('The file has no header with product_id and card_id.')
  }
  return { product, card, printing: names.indexOf('printing') }
}

/** @returns the problem if the row cannot be read */
function parseRow(cells: readonly string[], columns: Columns): OperatorMatch | string {
  const product = cells[columns.product]?.trim() ?? ''
  const card = cells[columns.card]?.trim() ?? ''
  const printing = cells[columns.printing]?.trim() ?? ''
  if (!ID.test(product)) return `"${clip(product)}" is not a product id.`
  if (card !== '' && !ID.test(card)) return `"${clip(card)}" is not a card id.`
  return {
    id: Number(product),
    card_id: card === '' ? null : Number(card),
    printing: printing === '' ? null : printing,
  }
}

const ID = /^[1-9]\d{0,14}$/

function clip(text: string): string {
  return text.slice(0, 40)
}

function findProblem(
  { id, card_id, printing }: OperatorMatch,
  { products, cards }: Known,
  matches: ReadonlyMap<number, OperatorMatch>,
): string | undefined {
  if (!products.has(id)) return `Product ${id} is not in the lists that were imported.`
  const before = matches.get(id)
  if (before !== undefined && before.card_id !== card_id) {
    return `Product ${id} already has another card in an earlier row.`
  }
  if (card_id === null) return undefined
  const card = cards.get(card_id)
  if (card === undefined) return `The catalog has no card ${card_id}.`
  const names = card.printings.map((one) => one.printing)
  if (printing === null || names.includes(printing)) return undefined
  return `Card ${card_id} has no printing "${clip(printing)}", but: ${names.join(', ') || 'none'}.`
}

function invalid(message: string): ServiceError {
  return new ServiceError(
    'VALIDATION_ERROR',
    `${message} Send the columns product_id, card_id and, optionally, printing.`,
  )
}

/**
 * Lists products of Cardmarket without a card.
 *
 * @param slug only of this game of the catalog
 * @throws ServiceError NOT_FOUND if the catalog or Cardmarket does not have the game
 */
export function listUnmatched(
  { games, sources }: Pick<Catalog, 'games' | 'sources'>,
  slug: string | undefined,
): UnmatchedProduct[] {
  const game = slug === undefined ? undefined : games.getBySlugOrId(slug)
  const searched = CARDMARKET_GAMES.filter(({ categories }) => {
    return slug === undefined || (game !== undefined && categories.includes(game.id))
  })
  if (searched.length === 0) {
    const message = `Cardmarket has no game for "${slug}", or the catalog does not have it. Use a slug of /v1/games.`
    throw new ServiceError('NOT_FOUND', message)
  }
  return sources.products.listUnmatched(
    CARDMARKET.source,
    searched.map(({ id }) => id),
  )
}
