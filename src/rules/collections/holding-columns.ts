import { normalizeName } from '../catalog/trigrams.ts'
import { CONDITION_HEADERS, type ConditionScale, parseCondition } from '../pricing/conditions.ts'
import { hasSignOf, isCurrency, parseAmount, parseCurrency } from '../pricing/parse-amount.ts'
import { MIRROR_KIND } from '../pricing/price-key.ts'
import { removeFormulaGuard } from '../primitives/csv.ts'
import {
  GRADE_CHARACTERS_MAX,
  type Holding,
  isAcquisitionDay,
  mapHoldingTexts,
  PRICE_PAID_MAX,
  TARGET_PRICE_MAX,
} from './holding.ts'
import { parseLanguage } from './languages.ts'
import { type DateOrder, parseDay } from './written-dates.ts'

/** Cell that was ignored because its value was not understood. */
export type HoldingNote =
  | 'invalid_condition'
  | 'invalid_language'
  | 'invalid_price'
  | 'currency_not_supported'
  | 'invalid_date'

/** Facts about copies in a row, and the ignored cells. */
export type HoldingCells = { holding: Holding; notes: HoldingNote[] }

/**
 * Supported headers beside those that identify a card (matching/collection-columns.ts), compared without case,
 * spaces and punctuation; the first one with a value counts.
 *
 * | app | price paid | date | place |
 * |---|---|---|---|
 * | Cardstock | Price Paid | Date | Place |
 * | Moxfield, Archidekt | Purchase Price | Date Added | – |
 * | ManaBox | Purchase price, Purchase price currency | Added | Binder Name |
 * | TopDecked, Delver Lens | Acquired Price | – | – |
 * | Deckbox | My Price | – | – |
 * | Dragon Shield | Price Bought | Date Bought | Folder Name |
 * | Dragon Shield (phone) | PurchasePrice | PurchaseDate | – |
 * | Collectr | Average Cost Paid | Date Added | Portfolio Name |
 */
const WRITTEN = {
  condition: CONDITION_HEADERS,
  grade: 'grade',
  language: 'language, lang, card language, idLanguage, sprache, langue, lingua, idioma, 言語',
  price_paid: `price paid, purchase price, price bought, my price, average cost paid, acquired price, acquired, buy price,
    cost, kaufpreis, einkaufspreis, prix d'achat, prezzo d'acquisto, precio de compra, preço de compra, 購入価格`,
  currency: 'currency, purchase price currency, währung, devise, valuta, moneda, moeda, 通貨',
  acquired_on: `date, date bought, purchase date, date added, added, date acquired, acquired date, date purchased,
    datum, kaufdatum, date d'achat, data, data d'acquisto, fecha, fecha de compra, data de compra, 購入日, 日付`,
  target_price: 'target price',
} as const

const HEADERS = {
  ...splitHeaders(WRITTEN),
  ...mapHoldingTexts(({ header, otherHeaders }) => [normalizeName(header), ...otherHeaders]),
} satisfies Record<string, readonly string[]>

function splitHeaders<Field extends string>(written: Record<Field, string>) {
  const lists = Object.entries<string>(written).map(([field, headers]) => [
    field,
    headers.split(',').map((header) => normalizeName(header)),
  ])
  // Each field of the table has its list.
  return Object.fromEntries(lists) as Record<Field, readonly string[]>
}

type HoldingField = keyof typeof HEADERS

/** Columns with facts about copies, and how the file's app writes their cells. */
export type HoldingColumns = {
  indexes: ReadonlyMap<HoldingField, readonly number[]>
  scale: ConditionScale
  /** True for Cardstock's own format, in which 0 is a real price. Apps write 0 if they know no price. */
  isOwn: boolean
  /** Currencies in the headers of prices paid, by column: `Purchase Price (EUR)`. */
  currencies: readonly (string | undefined)[]
  /** Order of day and month in the file's dates. */
  order: DateOrder
}

/** Parses the header of a collection. Ignores columns that identify cards. */
export function parseHoldingHeader(
  header: readonly string[],
  order: DateOrder = 'month_first',
): HoldingColumns {
  const priced = header.map(splitCurrency)
  const names = header.map(normalizeName)
  const keys = names.map((name, index) => priced[index]?.key ?? name)
  const has = (...wanted: string[]) => wanted.some((name) => names.includes(name))
  // Object.keys returns strings; these are the keys of the table above.
  const fields = Object.keys(HEADERS) as HoldingField[]
  return {
    indexes: new Map(
      fields.map((field) => [
        field,
        HEADERS[field].map((key) => keys.indexOf(key)).filter((index) => index >= 0),
      ]),
    ),
    scale: has('manaboxid', 'pricebought', 'datebought', 'purchasedate', 'idproduct')
      ? 'cardmarket'
      : 'american',
    isOwn: has('pricepaid'),
    currencies: priced.map((one) => one?.currency),
    order,
  }
}

/** Splits the header of a price paid that names its currency. */
function splitCurrency(header: string): { key: string; currency: string } | undefined {
  const [, name = '', unit] = /^(.*?)[\s([]+([A-Z]{3}|[$€£¥])[)\]\s]*$/.exec(header) ?? []
  const key = normalizeName(name)
  const currency = parseCurrency(unit) ?? ''
  return HEADERS.price_paid.includes(key) && isCurrency(currency) ? { key, currency } : undefined
}

/** Reads the cell with the date of a row; empty without one. */
export function readDateCell({ indexes }: HoldingColumns, cells: readonly string[]): string {
  const filled = indexes.get('acquired_on')?.map((index) => cells[index]?.trim() ?? '')
  return filled?.find((cell) => cell !== '') ?? ''
}

/** Parses the cells of a row. @param today copies may have been bought until the following day */
export function parseHoldingRow(
  { indexes, scale, isOwn, currencies, order }: HoldingColumns,
  cells: readonly string[],
  today: number,
): HoldingCells {
  // Only our own files have guards.
  const readText = (cell: string) => (isOwn ? removeFormulaGuard(cell) : cell)
  const readCell = (index: number) => readText(cells[index]?.trim() ?? '')
  const findColumn = (field: HoldingField) =>
    indexes.get(field)?.find((index) => readCell(index) !== '')
  const read = (field: HoldingField) => {
    const index = findColumn(field)
    return index === undefined ? undefined : readCell(index)
  }
  const notes: HoldingNote[] = []
  /** Parses a cell; one that is not understood is noted and counts as empty. */
  function parse<T>(
    field: HoldingField,
    note: HoldingNote,
    parser: (cell: string) => T | undefined,
  ): T | null {
    const cell = read(field)
    if (cell === undefined) return null
    const value = parser(cell)
    if (value === undefined) notes.push(note)
    return value ?? null
  }
  const priceOf = (cents: number | null) => (cents === 0 && !isOwn ? null : cents)
  const condition = parse(
    'condition',
    'invalid_condition',
    (cell) => parseCondition(fromNumber(cell, CONDITIONS), scale)?.condition,
  )
  const language = parse('language', 'invalid_language', (cell) =>
    parseLanguage(fromNumber(cell, LANGUAGES)),
  )
  const stated = parseCurrency(read('currency')) ?? currencies[findColumn('price_paid') ?? -1]
  const paid = parse('price_paid', 'invalid_price', (cell) => parsePricePaid(cell, stated))
  const price = priceOf(paid?.cents ?? null)
  const isKnown = price === null || (paid?.currency !== undefined && isCurrency(paid.currency))
  if (!isKnown) notes.push('currency_not_supported')
  const day = parse('acquired_on', 'invalid_date', (cell) => {
    const parsed = parseDay(cell, order)
    return parsed !== undefined && isAcquisitionDay(parsed, today) ? parsed : undefined
  })
  return {
    holding: {
      condition: condition ?? 'near_mint',
      grade: parseGrade(read('grade')),
      language,
      price_paid: isKnown ? price : null,
      paid_currency: (isKnown && price !== null && paid?.currency) || MIRROR_KIND.currency,
      acquired_on: day,
      ...mapHoldingTexts(({ charactersMax }, name) => toLine(read(name), charactersMax)),
      target_price: priceOf(parse('target_price', 'invalid_price', parseHoldingPrice)),
    },
    notes,
  }
}

/** Conditions and languages in Cardmarket's stock file, by their numbers from 1. */
const CONDITIONS = ['MT', 'NM', 'EX', 'GD', 'LP', 'PL', 'PO']
const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'zhs', 'ja', 'pt', 'ru', 'ko', 'zht']

/** Returns the text that a number of Cardmarket stands for; other text as it is. */
function fromNumber(cell: string, texts: readonly string[]): string {
  return /^\d{1,2}$/.test(cell) ? (texts[Number(cell) - 1] ?? cell) : cell
}

/**
 * Parses a price in any currency: that of its cell, else that which the file states, else US dollars. A sign of several
 * currencies, as in `$5`, is that of the stated one.
 *
 * @returns without a currency if the cell and the file contradict each other
 */
function parsePricePaid(
  cell: string,
  stated: string | undefined,
): { cents: number; currency: string | undefined } | undefined {
  const { cents, currency: own = stated ?? MIRROR_KIND.currency } =
    parseAmount(cell, 'american') ?? parseAmount(cell) ?? {}
  if (cents === undefined || cents > PRICE_PAID_MAX) return undefined
  const expected = stated ?? own
  const isExpected = own === expected || (isCurrency(expected) && hasSignOf(expected, cell))
  if (!isExpected) return { cents, currency: undefined }
  return isAmbiguous(cell, expected) ? undefined : { cents, currency: expected }
}

/** Returns true for `1.500` in another currency than US dollars: a thousand in one country, and decimals in the next. */
function isAmbiguous(cell: string, currency: string): boolean {
  const [, separator] = /^\D*[1-9]\d{0,2}([.,])\d{3}\D*$/.exec(cell.replace(/\s/g, '')) ?? []
  if (separator === undefined || currency === MIRROR_KIND.currency) return false
  return separator === '.' || !isCurrency(currency) || hasDecimals(currency)
}

/** Yen have none, so that `1,500` of them are a thousand. */
function hasDecimals(currency: string): boolean {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits !== 0
}

/** Parses an amount of US dollars to cents, in American notation, which collection apps use. */
export function parseHoldingPrice(text: string): number | undefined {
  const { cents, currency = 'USD' } = parseAmount(text, 'american') ?? {}
  return cents !== undefined && currency === 'USD' && cents <= TARGET_PRICE_MAX ? cents : undefined
}

function parseGrade(cell: string | undefined): string | null {
  const isRaw = cell === undefined || /^(ungraded|raw|none|no|-|0|n\/a)$/i.test(cell)
  return isRaw ? null : toLine(cell, GRADE_CHARACTERS_MAX)
}

/** Shortens a text, and removes control characters, which cause problems in JSON clients and databases. */
function toLine(text: string | undefined, charactersMax: number): string | null {
  const line =
    text
      ?.toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim() ?? ''
  return line === '' ? null : [...line].slice(0, charactersMax).join('')
}
