// The price guide of PriceCharting as CSV. Its columns are named after properties of video games; for cards they are
// grades.
import { normalizeName } from '../catalog/trigrams.ts'
import { ServiceError } from '../primitives/errors.ts'
import { parseAmount } from './parse-amount.ts'
import type { ListedPrice, PriceListFault, PriceListRow } from './price-list.ts'

/** Grades of each price column; null for raw cards. `Grade 9` is a 9 of any grader. */
const GRADES: Readonly<Record<string, readonly (string | null)[]>> = {
  'loose-price': [null],
  'condition-9-price': ['Grade 1'],
  'condition-10-price': ['Grade 2'],
  'condition-13-price': ['Grade 3'],
  'condition-14-price': ['Grade 4'],
  'condition-15-price': ['Grade 5'],
  'condition-16-price': ['Grade 6'],
  'cib-price': ['Grade 7', 'Grade 7.5'],
  'new-price': ['Grade 8', 'Grade 8.5'],
  'graded-price': ['Grade 9'],
  'box-only-price': ['Grade 9.5'],
  'manual-only-price': ['PSA 10'],
  'bgs-10-price': ['BGS 10'],
  'condition-17-price': ['CGC 10'],
  'condition-18-price': ['SGC 10'],
  'condition-19-price': ['CGC 10 Pristine'],
  'condition-20-price': ['BGS 10 Black Label'],
  'condition-21-price': ['TAG 10'],
  'condition-22-price': ['ACE 10'],
}

/** All columns by name. */
export type PriceChartingColumns = ReadonlyMap<string, number>

/** Parses the header. @throws ServiceError VALIDATION_ERROR if it is a different one */
export function parsePriceChartingHeader(header: readonly string[]): PriceChartingColumns {
  const columns = new Map(header.map((name, index) => [name.trim(), index]))
  const missing = ['console-name', 'product-name', 'loose-price'].find((name) => !columns.has(name))
  if (missing === undefined) return columns
  const message = `The file is not a price guide of PriceCharting: it has no column ${missing}.`
  throw new ServiceError('VALIDATION_ERROR', message)
}

/**
 * Parses a row: `Charizard [1st Edition] #4` of `Pokemon Base Set`.
 *
 * @param findGame returns the slug of a game that the guide names, such as "One Piece"
 */
export function parsePriceChartingRow(
  columns: PriceChartingColumns,
  { cells, line }: { cells: readonly string[]; line: number },
  findGame: (name: string) => string | undefined,
): PriceListRow | PriceListFault {
  const read = (name: string) => cells[columns.get(name) ?? -1]?.trim() ?? ''
  const product = read('product-name')
  const [, name = '', printing = null, number = null] = PRODUCT.exec(product) ?? []
  const fault = (reason: PriceListFault['reason']) => ({ line, name: product || null, reason })
  const [, game] = /^(.*) Card$/.exec(read('genre')) ?? []
  if (game === undefined || name === '') return fault('not_a_card')
  const prices = readPrices(read)
  if (prices === undefined) return fault('invalid_price')
  if (prices.length === 0) return fault('no_price')
  // The marketplace's id, which identifies the card without its game.
  const product_id = read('tcg-id') || null
  const card = {
    row: line,
    name,
    number,
    printing,
    product_id,
    cardmarket_id: null,
    left_out: null,
    quantity: null,
    set_code: null,
    game: product_id === null ? (findGame(game) ?? game) : null,
    set_name: withoutGame(read('console-name'), game),
  }
  return { line, card, prices }
}

/** A name, a variant in brackets, and a number. */
const PRODUCT = /^(.+?)(?: \[([^\]]+)\])?(?: #(\S+))?$/

/** Returns undefined if a price is not a valid amount. */
function readPrices(read: (name: string) => string): ListedPrice[] | undefined {
  const prices: ListedPrice[] = []
  const sales = /^\d+$/.test(read('sales-volume')) ? Number(read('sales-volume')) : null
  for (const [column, grades] of Object.entries(GRADES)) {
    const text = read(column)
    if (text === '') continue
    const amount = parseAmount(text)
    if (amount === undefined || (amount.currency ?? 'USD') !== 'USD') return undefined
    // The guide writes $0.00 for an unknown price.
    if (amount.cents === 0) continue
    for (const grade of grades) {
      // The number of sales is that of the raw card.
      const sale_count = grade === null ? sales : null
      const kind = { currency: 'USD', condition: null, grade }
      prices.push({ ...kind, market_price: amount.cents, sale_count })
    }
  }
  return prices
}

/** Returns the set of a console name, which begins with the game: `Pokemon Base Set`. */
function withoutGame(text: string, game: string): string | null {
  const words = text.split(' ')
  const length = game.split(' ').length
  const begins = normalizeName(words.slice(0, length).join(' ')) === normalizeName(game)
  return words.slice(begins ? length : 0).join(' ') || null
}
