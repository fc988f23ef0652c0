import { normalizeName } from '../catalog/trigrams.ts'
import { ServiceError } from '../primitives/errors.ts'

/** What the columns of a collection can say of a card. */
export type CollectionField = keyof typeof HEADERS

/** Where in a record each of it stands; where several columns say the same, the best one first. */
export type CollectionColumns = ReadonlyMap<CollectionField, readonly number[]>

/** One record of a collection as it is written; what is empty or has no column is null. */
export type CollectionRow = Record<CollectionField, string | null> & {
  /** Its place in the file: 1 is the first record after the header, blank lines are not counted. */
  row: number
}

/**
 * The headers that are understood, by how they read without case, spaces and signs; of several in a
 * file the first that is filled in counts. They are those of these exports:
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
 * TCGplayer's app has the Product ID besides, Delver Lens the TCGPlayer Product ID, Collectr the game
 * as Category, TCGplayer's sellers as Product Line. "TCGplayer Id" is not understood: it is a product
 * in the files of one app and an article of it (a condition in a language) in those of another.
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
 * Finds the columns of a collection by its header.
 *
 * @throws ServiceError VALIDATION_ERROR where no column names a card, or copies are counted in a way
 *   that would be lost
 */
export function parseCollectionHeader(header: readonly string[]): CollectionColumns {
  const keys = header.map(normalizeName)
  const placesOf = (known: readonly string[]) =>
    known.map((key) => keys.indexOf(key)).filter((place) => place >= 0)
  const columns = new Map(FIELDS.map((field) => [field, placesOf(HEADERS[field])]))
  const isThere = (field: CollectionField) => columns.get(field)?.length !== 0
  if (!isThere('name') && !isThere('product_id')) throw noName(header)
  const count = header.find((_, place) => COUNTS_COPIES.test(keys[place] ?? ''))
  if (!isThere('quantity') && count !== undefined) throw otherQuantity(count)
  return columns
}

/** A record by the columns of its header; cells that it lacks are empty. */
export function parseCollectionRow(
  columns: CollectionColumns,
  cells: readonly string[],
  row: number,
): CollectionRow {
  const cellOf = (field: CollectionField) => {
    const filled = columns.get(field)?.map((place) => cells[place]?.trim() ?? '')
    return filled?.find((cell) => cell !== '') ?? null
  }
  return {
    row,
    name: cellOf('name'),
    game: cellOf('game'),
    set_code: cellOf('set_code'),
    set_name: cellOf('set_name'),
    number: cellOf('number'),
    printing: cellOf('printing'),
    quantity: cellOf('quantity'),
    product_id: cellOf('product_id'),
  }
}

// The keys of a table that is written above.
const FIELDS = Object.keys(HEADERS) as CollectionField[]

/** Headers that speak of copies; "Quantity" itself is looked for first. */
const COUNTS_COPIES = /(qty|quantity|count)$/

function noName(header: readonly string[]): ServiceError {
  const found = header.slice(0, HEADERS_SHOWN).map((name) => `"${name.trim().slice(0, 40)}"`)
  return new ServiceError(
    'VALIDATION_ERROR',
    `The file has no column with the names of cards. Its first line has ${found.join(', ')}. Call one of them Name, Card Name or Product Name, or send a column Product ID.`,
  )
}

function otherQuantity(header: string): ServiceError {
  return new ServiceError(
    'VALIDATION_ERROR',
    `The file counts copies in a column that is not understood ("${header.trim().slice(0, 40)}"). Call it Quantity, one row for each printing.`,
  )
}

const HEADERS_SHOWN = 30
