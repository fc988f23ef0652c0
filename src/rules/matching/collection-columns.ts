import { normalizeName } from '../catalog/trigrams.ts'
import { CONDITION_HEADERS, readConditionPrinting } from '../pricing/conditions.ts'
import { ServiceError } from '../primitives/errors.ts'
import { COLLECTION_FIELDS, type CollectionField, findColumns } from './collection-headers.ts'
import { type CountColumns, findCountColumns, splitCopies } from './quantity-columns.ts'

/**
 * Columns of a collection. If a file has several for one field, the first one with a value counts. These exports are
 * read, among others:
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
 * apps mean a product, others a SKU (a condition in a language). Cardmarket's stock has its idProduct alone.
 */
export type CollectionColumns = {
  /** Column indexes of each field, the preferred one first if several hold the same field. */
  fields: ReadonlyMap<CollectionField, readonly number[]>
  counts: CountColumns
  /** Columns that tell whether the copies are of a printing. */
  flags: readonly { index: number; printing: string }[]
  /** Columns of conditions, behind which the printing may stand. */
  conditions: readonly number[]
  /** Columns that tell whether the copies are owned. */
  ownership: readonly OwnershipColumn[]
}

type OwnershipColumn = { index: number; read: (cell: string) => LeftOut | null }

/** Reason why copies are left out: nobody owns them, because they are wishes, parts of a deck, or proxies. */
export type LeftOut = 'on_watchlist' | 'in_list' | 'in_deck' | 'proxy'

/** A row of a collection, as written. Empty and missing cells are null. */
export type CollectionRow = Record<CollectionField, string | null> & {
  /** Null for copies that count. */
  left_out: LeftOut | null
  /** Row number in the file: 1 is the first row after the header; blank lines are not counted. */
  row: number
}

/**
 * Parses the header of a collection.
 *
 * @throws ServiceError VALIDATION_ERROR if no column identifies a card, or if the quantity is in an unsupported
 * column
 */
export function parseCollectionHeader(header: readonly string[]): CollectionColumns {
  const keys = header.map(normalizeName)
  const fields = new Map(COLLECTION_FIELDS.map((field) => [field, findColumns(keys, field)]))
  const hasColumn = (field: CollectionField) => fields.get(field)?.length !== 0
  const hasSet = hasColumn('set_code') || hasColumn('set_name')
  const isIdentified =
    hasColumn('name') ||
    hasColumn('product_id') ||
    hasColumn('cardmarket_id') ||
    (hasSet && hasColumn('number'))
  if (!isIdentified) throw nameMissing(header)
  const counts = findCountColumns(keys, fields.get('quantity') ?? [])
  const [unknown] = counts.unknown
  if (!hasColumn('quantity') && counts.counts.length === 0 && unknown !== undefined) {
    throw unsupportedQuantity(header[unknown] ?? '')
  }
  const isCount = (index: number) => counts.counts.some((column) => column.index === index)
  const printings = fields.get('printing')?.filter((index) => !isCount(index)) ?? []
  const flags = Object.entries(FLAGS).map(([key, printing]) => {
    return { index: keys.indexOf(key), printing }
  })
  const ownership = OWNERSHIP.map(({ key, read }) => ({ index: keys.indexOf(key), read }))
  const conditions = CONDITIONS.map((key) => keys.indexOf(key)).filter((index) => index >= 0)
  return { fields: fields.set('printing', printings), counts, flags, conditions, ownership }
}

const CONDITIONS = CONDITION_HEADERS.split(',').map(normalizeName)

const TRUE = /^(?:1|x|true|yes)$/i

/** Columns of Collectr, ManaBox and Moxfield. Nobody wants a proxy; a deck of ManaBox repeats cards of its binders. */
const OWNERSHIP: readonly { key: string; read: OwnershipColumn['read'] }[] = [
  { key: 'proxy', read: (cell) => (TRUE.test(cell) ? 'proxy' : null) },
  { key: 'watchlist', read: (cell) => (TRUE.test(cell) ? 'on_watchlist' : null) },
  { key: 'wishlist', read: (cell) => (TRUE.test(cell) ? 'on_watchlist' : null) },
  {
    key: 'bindertype',
    read: (cell) => (/^deck$/i.test(cell) ? 'in_deck' : /^list$/i.test(cell) ? 'in_list' : null),
  },
]

/** Headers of Cardmarket's flags, best first. */
const FLAGS = { isreverseholo: 'Reverse Holofoil', isfirsted: '1st Edition', isfoil: 'Foil' }

/** Parses a row by the columns of its header: a row for each printing whose copies it counts. */
export function parseCollectionRows(
  { fields, counts, flags, conditions, ownership }: CollectionColumns,
  cells: readonly string[],
  row: number,
): CollectionRow[] {
  const cellAt = (index: number) => cells[index]?.trim() ?? ''
  const firstFilledCell = (field: CollectionField) => {
    const filled = fields.get(field)?.map(cellAt)
    return filled?.find((cell) => cell !== '') ?? null
  }
  const flagged = flags.find(({ index }) => TRUE.test(cellAt(index)))
  const condition = conditions.map(cellAt).find((cell) => cell !== '') ?? ''
  const left_out = ownership.map(({ index, read }) => read(cellAt(index))).find((one) => one)
  const parsed: CollectionRow = {
    row,
    name: firstFilledCell('name'),
    game: firstFilledCell('game'),
    set_code: firstFilledCell('set_code'),
    set_name: firstFilledCell('set_name'),
    number: firstFilledCell('number'),
    printing: firstFilledCell('printing') ?? flagged?.printing ?? readConditionPrinting(condition),
    quantity: firstFilledCell('quantity'),
    product_id: firstFilledCell('product_id'),
    cardmarket_id: firstFilledCell('cardmarket_id'),
    left_out: left_out ?? null,
  }
  if (counts.counts.length === 0) return [countFoils(parsed)]
  return splitCopies(counts, cells, parsed.quantity).map(({ printing, quantity }) => {
    return { ...parsed, printing: printing ?? parsed.printing, quantity }
  })
}

/** Reads a number above 1 in a column of foils as their count if there is no other. */
function countFoils(row: CollectionRow): CollectionRow {
  const isCount = row.quantity === null && /^\d{1,3}$/.test(row.printing ?? '')
  return isCount && Number(row.printing) > 1
    ? { ...row, quantity: row.printing, printing: 'Foil' }
    : row
}

function nameMissing(header: readonly string[]): ServiceError {
  const found = header.slice(0, HEADERS_SHOWN).map((name) => `"${name.trim().slice(0, 40)}"`)
  return new ServiceError(
    'VALIDATION_ERROR',
    `The file has no column with card names. Its header has ${found.join(', ')}. Rename one to Name, Card Name or Product Name, or add a Product ID column, or a set and a number.`,
  )
}

function unsupportedQuantity(header: string): ServiceError {
  return new ServiceError(
    'VALIDATION_ERROR',
    `The quantity column "${header.trim().slice(0, 40)}" is not supported. Rename it to Quantity, with one row per printing.`,
  )
}

const HEADERS_SHOWN = 30
