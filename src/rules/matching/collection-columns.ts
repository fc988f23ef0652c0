import { normalizeName } from '../catalog/trigrams.ts'
import { ServiceError } from '../primitives/errors.ts'

/** A field of a card that a collection column can hold. */
export type CollectionField = keyof typeof HEADERS

/** Column indexes of each field, the preferred one first if several hold the same field. */
export type CollectionColumns = ReadonlyMap<CollectionField, readonly number[]>

/** A row of a collection, as written. Empty and missing cells are null. */
export type CollectionRow = Record<CollectionField, string | null> & {
  /** Row number in the file: 1 is the first row after the header; blank lines are not counted. */
  row: number
}

/**
 * Supported headers, compared without case, spaces and punctuation. If a file has several for one
 * field, the first one with a value counts. They come from these exports:
 *
 * | app | name | set | number | printing | quantity |
 * |---|---|---|---|---|---|
 * | TCGplayer | Name, Simple Name | Set Code, Set | Card Number | Printing | Quantity |
 * | TCGplayer (sellers) | Product Name | Set Name | Number | – | Total Quantity |
 * | Moxfield | Name | Edition (a code) | Collector Number | Foil | Count |
 * | ManaBox | Name | Set code, Set name | Collector number | Foil | Quantity |
 * | Archidekt | Name | Edition Code, Edition Name | Collector Number | Finish | Quantity |
 * | Deckbox | Name | Edition Code, Edition | Card Number | Foil | Count |
 * | Dragon Shield, Sorted | Card Name | Set Code, Set Name | Card Number | Printing | Quantity |
 * | Dragon Shield (phone) | Name | Expansion Code, Expansion Name | CardNumber | Foil | Quantity |
 * | Delver Lens | Name | Set Code | Number | Foil | Quantity |
 * | Helvault | name | set_code, set_name | collector_number | extras | quantity |
 * | MTGGoldfish | Card | Set ID, Set Name | Collector Number | Foil | Quantity |
 * | Collectr | Product Name | Set | Card Number | Variance | Quantity |
 * | TCG Collector | Card name | Expansion | Card number | Card variant | Quantity |
 *
 * TCGplayer's app also has Product ID, Delver Lens has TCGPlayer Product ID, Collectr has the game as
 * Category, and TCGplayer's sellers have it as Product Line. "TCGplayer Id" is not supported: some
 * apps mean a product, others a SKU (a condition in a language).
 */
const HEADERS = {
  name: ['name', 'cardname', 'productname', 'card', 'simplename', 'product'],
  game: ['game', 'gamename', 'productline', 'category', 'tcg'],
  set_code: ['setcode', 'editioncode', 'expansioncode', 'setid', 'setabbreviation'],
  set_name: ['setname', 'editionname', 'expansionname', 'set', 'edition', 'expansion'],
  number: ['collectornumber', 'cardnumber', 'number', 'collectorno', 'cardno', 'collector', 'no'],
  printing: [
    'printing',
    'finish',
    'foil',
    'foiling',
    'extras',
    'variance',
    'cardvariant',
    'variant',
  ],
  quantity: ['quantity', 'count', 'qty', 'totalquantity', 'amount', 'copies'],
  product_id: ['productid', 'tcgplayerproductid', 'marketplaceid', 'cardid'],
} as const satisfies Record<string, readonly string[]>

/**
 * Parses the header of a collection.
 *
 * @throws ServiceError VALIDATION_ERROR if no column identifies a card, or if the quantity is in an unsupported
 * column
 */
export function parseCollectionHeader(header: readonly string[]): CollectionColumns {
  const keys = header.map(normalizeName)
  const findIndexes = (known: readonly string[]) =>
    known.map((key) => keys.indexOf(key)).filter((index) => index >= 0)
  const columns = new Map(FIELDS.map((field) => [field, findIndexes(HEADERS[field])]))
  const hasColumn = (field: CollectionField) => columns.get(field)?.length !== 0
  if (!hasColumn('name') && !hasColumn('product_id')) throw nameMissing(header)
  const count = header.find((_, index) => COUNTS_COPIES.test(keys[index] ?? ''))
  if (!hasColumn('quantity') && count !== undefined) throw unsupportedQuantity(count)
  return columns
}

/** Returns true for the header of a collection: one cell names a card, or several cells are known columns. */
export function isCollectionHeader(cells: readonly string[]): boolean {
  const keys = cells.map(normalizeName)
  const known = Object.values(HEADERS).flat() as readonly string[]
  const identifies = [...HEADERS.name, ...HEADERS.product_id] as readonly string[]
  const count = keys.filter((key) => known.includes(key)).length
  return count > 1 || (count === keys.length && keys.some((key) => identifies.includes(key)))
}

/** Parses a row by the columns of its header. */
export function parseCollectionRow(
  columns: CollectionColumns,
  cells: readonly string[],
  row: number,
): CollectionRow {
  const firstFilledCell = (field: CollectionField) => {
    const filled = columns.get(field)?.map((index) => cells[index]?.trim() ?? '')
    return filled?.find((cell) => cell !== '') ?? null
  }
  return {
    row,
    name: firstFilledCell('name'),
    game: firstFilledCell('game'),
    set_code: firstFilledCell('set_code'),
    set_name: firstFilledCell('set_name'),
    number: firstFilledCell('number'),
    printing: firstFilledCell('printing'),
    quantity: firstFilledCell('quantity'),
    product_id: firstFilledCell('product_id'),
  }
}

// Object.keys returns strings; these are the keys of the table above.
const FIELDS = Object.keys(HEADERS) as CollectionField[]

/** Headers that count copies, checked only if no supported column contains the quantity. */
const COUNTS_COPIES = /(qty|quantity|count)$/

function nameMissing(header: readonly string[]): ServiceError {
  const found = header.slice(0, HEADERS_SHOWN).map((name) => `"${name.trim().slice(0, 40)}"`)
  return new ServiceError(
    'VALIDATION_ERROR',
    `The file has no column with card names. Its header has ${found.join(', ')}. Rename one to Name, Card Name or Product Name, or add a Product ID column.`,
  )
}

function unsupportedQuantity(header: string): ServiceError {
  return new ServiceError(
    'VALIDATION_ERROR',
    `The quantity column "${header.trim().slice(0, 40)}" is not supported. Rename it to Quantity, with one row per printing.`,
  )
}

const HEADERS_SHOWN = 30

/** Maximum quantity of a row: a larger number belongs to another column. */
const COPIES_MAX = 1_000_000

/**
 * Parses a quantity; an empty cell is 1. Spreadsheets write 2.0, people 2x.
 *
 * @returns undefined unless it is a whole number from 1 to a million
 */
export function parseQuantity(cell: string | null): number | undefined {
  if (cell === null) return 1
  const [, digits] = /^(\d{1,7})(?:\.0)?\s*x?$/i.exec(cell) ?? []
  const copies = Number(digits ?? 0)
  return copies >= 1 && copies <= COPIES_MAX ? copies : undefined
}
