import { parseDate, parseTimestamp } from '../../primitives/days.ts'
import { isRecord } from '../../primitives/json-record.ts'
import { UpstreamFormatError } from '../upstream-shapes.ts'

/** Kinds of product lists: cards, and sealed products. */
export const PRODUCT_LISTS = ['singles', 'nonsingles'] as const

export type ProductListKind = (typeof PRODUCT_LISTS)[number]

/** Returns the path of a game's product list below the root. */
export function productListPath(kind: ProductListKind, gameId: number): string {
  return `productCatalog/productList/products_${kind}_${gameId}.json`
}

/** Returns the path of a game's price guide below the root. */
export function priceGuidePath(gameId: number): string {
  return `productCatalog/priceGuide/price_guide_${gameId}.json`
}

/** Product in a product list. */
export type ListedProduct = {
  id: number
  name: string
  expansion_id: number
  is_sealed: boolean
  /** Day on which Cardmarket added it; null if unknown. */
  added_on: number | null
}

/** Prices of a product in cents; null if unknown. */
export type GuidePrices = {
  product_id: number
  trend: number | null
  low: number | null
  foil_trend: number | null
  foil_low: number | null
}

/** A record of a file, or the reason why it is skipped. */
export type ReadRecord<T> = { record: T } | { rejected: { id: string; reason: string } }

/**
 * Reads the time at which a file was created: `2026-07-26T02:44:32+0200`.
 *
 * @param head object of the file without its list
 * @throws UpstreamFormatError if the file has a different format
 */
export function readCreatedAt(head: Record<string, unknown>): Date {
  if (head.version !== 1)
    throw new UpstreamFormatError('the file has a version other than 1 of the format')
  const { createdAt } = head
  const text = typeof createdAt === 'string' ? createdAt.replace(/(?<=[+-]\d\d)(?=\d\d$)/, ':') : ''
  const time = text.includes('T') ? parseTimestamp(text) : undefined
  if (time === undefined) throw new UpstreamFormatError('the file has no valid createdAt')
  return new Date(time)
}

/** Reads a record of a product list. */
export function readListedProduct(
  raw: unknown,
  kind: ProductListKind,
  lastDay: number,
): ReadRecord<ListedProduct> {
  if (!isRecord(raw)) return { rejected: { id: '?', reason: 'the record is not an object' } }
  const { idProduct, idExpansion, name, dateAdded } = raw
  if (!isId(idProduct)) return reject(raw, 'idProduct')
  if (typeof name !== 'string' || !NAME.test(name)) return reject(raw, 'name')
  // Some sealed products belong to none.
  if (idExpansion !== 0 && !isId(idExpansion)) return reject(raw, 'idExpansion')
  const day = typeof dateAdded === 'string' ? parseDate(dateAdded.slice(0, 10)) : undefined
  return {
    record: {
      id: idProduct,
      name: name.replaceAll('""', '"').trim(),
      expansion_id: idExpansion,
      is_sealed: kind === 'nonsingles',
      added_on: day === undefined || day <= IMPORTED_ON || day > lastDay ? null : day,
    },
  }
}

/** Reads a record of a price guide. A column that is missing, null or 0 is unknown. */
export function readGuidePrices(raw: unknown): ReadRecord<GuidePrices> {
  if (!isRecord(raw)) return { rejected: { id: '?', reason: 'the record is not an object' } }
  const { idProduct } = raw
  if (!isId(idProduct)) return reject(raw, 'idProduct')
  const amounts = { trend: raw.trend, low: raw.low }
  const foils = {
    foil_trend: raw['trend-foil'] ?? raw['trend-holo'],
    foil_low: raw['low-foil'] ?? raw['low-holo'],
  }
  const columns = Object.entries({ ...amounts, ...foils })
  const wrong = columns.find(([, value]) => readCents(value) === undefined)
  if (wrong !== undefined) return reject(raw, wrong[0])
  return {
    record: {
      product_id: idProduct,
      trend: readCents(amounts.trend) ?? null,
      low: readCents(amounts.low) ?? null,
      foil_trend: readCents(foils.foil_trend) ?? null,
      foil_low: readCents(foils.foil_low) ?? null,
    },
  }
}

/** Returns an amount in cents, null if it is unknown; undefined if it is not an amount. */
function readCents(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !(value >= 0 && value <= EUROS_MAX)) return undefined
  const cents = Math.round(value * 100)
  return cents === 0 ? null : cents
}

function reject(raw: Record<string, unknown>, field: string) {
  return {
    rejected: { id: String(raw.idProduct ?? '?').slice(0, 20), reason: `${field} is invalid` },
  }
}

function isId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= Number.MAX_SAFE_INTEGER
}

/** Maximum in euros. The most expensive card ever sold was below six million; list prices are far lower. */
const EUROS_MAX = 1_000_000

const NAME = /^(?=.*\S)[^\0]{1,500}$/

/** Products imported when the site started have this date. */
const IMPORTED_ON = parseDate('2007-01-01') ?? 0

/** Game on Cardmarket, and the marketplace's games whose cards it lists. */
type CardmarketGame = { id: number; categories: readonly number[] }

/**
 * Pokémon's files also contain the Japanese expansions, which the marketplace lists as a separate game.
 *
 * The ids of Cardmarket are those in its file names. Of the marketplace's categories, 1, 2, 3, 62, 68, 71 and 85 were
 * compared with its own lists; 16, 17, 20, 24, 26, 27, 63, 72, 79 and 89 were not. A wrong one matches no product,
 * because the names of cards differ.
 */
export const CARDMARKET_GAMES: readonly CardmarketGame[] = [
  { id: 1, categories: [1] }, // Magic
  { id: 3, categories: [2] }, // YuGiOh
  { id: 6, categories: [3, 85] }, // Pokémon
  { id: 7, categories: [17] }, // Force of Will
  { id: 8, categories: [16] }, // Vanguard
  { id: 9, categories: [24] }, // Final Fantasy
  { id: 10, categories: [20] }, // Weiß Schwarz
  { id: 13, categories: [27] }, // Dragon Ball Super
  { id: 15, categories: [26] }, // Star Wars Destiny
  { id: 16, categories: [62] }, // Flesh and Blood
  { id: 17, categories: [63] }, // Digimon
  { id: 18, categories: [68] }, // (One Piece)
  { id: 19, categories: [71] }, // Lorcana
  { id: 20, categories: [72] }, // Battle Spirits Saga
  { id: 21, categories: [79] }, // Star Wars Unlimited
  { id: 22, categories: [89] }, // Riftbound
]

/** Name of the source in the catalog, and currency of its prices. */
export const CARDMARKET = { source: 'cardmarket', currency: 'EUR' } as const
