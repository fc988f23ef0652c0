// A price list of an operator: a table with a card, a price, and its condition or grade.
import { normalizeName } from '../catalog/trigrams.ts'
import {
  type CollectionColumns,
  type CollectionRow,
  parseCollectionHeader,
  parseCollectionRows,
} from '../matching/collection-columns.ts'
import { ServiceError } from '../primitives/errors.ts'
import { type ConditionScale, parseCondition } from './conditions.ts'
import { normalizeGrade } from './grades.ts'
import { parseAmount } from './parse-amount.ts'
import { isCurrencyCode, type PriceKind } from './price-key.ts'

/** A price of a list, in hundredths of its currency. */
export type ListedPrice = Pick<PriceKind, 'currency' | 'condition' | 'grade'> & {
  market_price: number
  /** Number of sales behind it; null if unknown. */
  sale_count: number | null
}

/** A row that can be matched: the card as written, and its prices. */
export type PriceListRow = { line: number; card: CollectionRow; prices: ListedPrice[] }

/** A row that is skipped regardless of the catalog. */
export type PriceListFault = { line: number; name: string | null; reason: PriceFaultReason }

export type PriceFaultReason =
  | 'no_price'
  | 'invalid_price'
  | 'invalid_currency'
  | 'unknown_condition'
  | 'unknown_grade'
  | 'other_source'
  | 'not_a_card'

/** Headers of a price, compared without case, spaces and punctuation. Those of the card are a collection's. */
const HEADERS = {
  price: ['price', 'marketprice', 'tcgmarketplaceprice', 'preis'],
  currency: ['currency', 'wahrung'],
  condition: ['condition', 'zustand'],
  grade: ['grade'],
  source: ['source'],
} as const satisfies Record<string, readonly string[]>

export type PriceField = keyof typeof HEADERS

/** Columns of a price list; -1 for a field that it does not have. */
export type PriceListColumns = { card: CollectionColumns } & Record<PriceField, number>

/**
 * Parses the header of a price list.
 *
 * @throws ServiceError VALIDATION_ERROR if no column identifies a card, or has a price
 */
export function parsePriceListHeader(header: readonly string[]): PriceListColumns {
  const keys = header.map(normalizeName)
  const find = (field: PriceField) =>
    HEADERS[field].map((key) => keys.indexOf(key)).find((index) => index >= 0) ?? -1
  const price = find('price')
  if (price < 0) {
    const message = 'The file has no column with prices. Name it Price.'
    throw new ServiceError('VALIDATION_ERROR', message)
  }
  const [currency, condition] = [find('currency'), find('condition')]
  const [grade, source] = [find('grade'), find('source')]
  return { card: parseCollectionHeader(header), price, currency, condition, grade, source }
}

/** Reads a cell of a price; empty if it is missing. */
export function readPriceCell(
  columns: PriceListColumns,
  cells: readonly string[],
  field: PriceField,
): string {
  return cells[columns[field]]?.trim() ?? ''
}

/** Settings that apply to all rows of a list. */
export type PriceListOptions = {
  /** Name of the source; rows that name another source are skipped. */
  source: string
  /** Currency of rows without one. */
  currency: string
  scale: ConditionScale
}

/** Parses a row of a price list by its header. */
export function parsePriceListRow(
  columns: PriceListColumns,
  { cells, line }: { cells: readonly string[]; line: number },
  options: PriceListOptions,
): PriceListRow | PriceListFault {
  const read = (field: PriceField) => readPriceCell(columns, cells, field)
  const [written] = parseCollectionRows(columns.card, cells, line)
  if (written === undefined) return { line, name: null, reason: 'not_a_card' }
  const fault = (reason: PriceFaultReason) => ({ line, name: written.name, reason })
  if (!['', options.source].includes(read('source').toLowerCase())) return fault('other_source')
  const amount = parseAmount(read('price'))
  if (read('price') === '' || amount?.cents === 0) return fault('no_price')
  if (amount === undefined) return fault('invalid_price')
  const currency = read('currency').toUpperCase() || amount.currency || options.currency
  const isContradicted = amount.currency !== undefined && amount.currency !== currency
  if (isContradicted || !isCurrencyCode(currency)) return fault('invalid_currency')
  const grade = read('grade') === '' ? null : normalizeGrade(read('grade'))
  if (grade === undefined) return fault('unknown_grade')
  const of = read('condition') === '' ? NONE : parseCondition(read('condition'), options.scale)
  if (of === undefined) return fault('unknown_condition')
  // The grade includes the condition of a graded card.
  const condition = grade === null ? of.condition : null
  const card = { ...written, quantity: null, printing: written.printing ?? of.printing }
  const price = { currency, condition, grade, market_price: amount.cents, sale_count: null }
  return { line, card, prices: [price] }
}

const NONE = { condition: null, printing: null }
