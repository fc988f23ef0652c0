import { normalizeName } from '../catalog/trigrams.ts'
import { type ConditionScale, parseCondition } from '../pricing/conditions.ts'
import { parseAmount } from '../pricing/parse-amount.ts'
import { removeFormulaGuard } from '../primitives/csv.ts'
import { parseDate } from '../primitives/days.ts'
import {
  GRADE_CHARACTERS_MAX,
  HOLDING_PRICE_MAX,
  type Holding,
  isAcquisitionDay,
  mapHoldingTexts,
} from './holding.ts'
import { parseLanguage } from './languages.ts'

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
 * | ManaBox | Purchase price, Purchase price currency | – | Binder Name |
 * | Deckbox | My Price | – | – |
 * | Dragon Shield | Price Bought | Date Bought | Folder Name |
 * | Dragon Shield (phone) | PurchasePrice | PurchaseDate | – |
 * | Collectr | Average Cost Paid | Date Added | Portfolio Name |
 */
const HEADERS = {
  condition: ['condition', 'cardcondition'],
  grade: ['grade'],
  language: ['language', 'lang'],
  price_paid: ['pricepaid', 'purchaseprice', 'pricebought', 'myprice', 'averagecostpaid'],
  currency: ['currency', 'purchasepricecurrency'],
  acquired_on: ['date', 'datebought', 'purchasedate', 'dateadded'],
  ...mapHoldingTexts(({ header, otherHeaders }) => [normalizeName(header), ...otherHeaders]),
  target_price: ['targetprice'],
} as const satisfies Record<string, readonly string[]>

type HoldingField = keyof typeof HEADERS

/** Columns with facts about copies, and how the file's app writes their cells. */
export type HoldingColumns = {
  indexes: ReadonlyMap<HoldingField, readonly number[]>
  scale: ConditionScale
  /** True for Cardstock's own format, in which 0 is a real price. Apps write 0 if they know no price. */
  isOwn: boolean
}

/** Parses the header of a collection. Ignores columns that identify cards. */
export function parseHoldingHeader(header: readonly string[]): HoldingColumns {
  const keys = header.map(normalizeName)
  const has = (...names: string[]) => names.some((name) => keys.includes(name))
  // Object.keys returns strings; these are the keys of the table above.
  const fields = Object.keys(HEADERS) as HoldingField[]
  return {
    indexes: new Map(
      fields.map((field) => [
        field,
        HEADERS[field].map((key) => keys.indexOf(key)).filter((index) => index >= 0),
      ]),
    ),
    scale: has('manaboxid', 'pricebought', 'datebought', 'purchasedate')
      ? 'cardmarket'
      : 'american',
    isOwn: has('pricepaid'),
  }
}

/** Parses the cells of a row. @param today copies may have been bought until the following day */
export function parseHoldingRow(
  { indexes, scale, isOwn }: HoldingColumns,
  cells: readonly string[],
  today: number,
): HoldingCells {
  const read = (field: HoldingField) =>
    indexes
      .get(field)
      ?.map((index) => removeFormulaGuard(cells[index]?.trim() ?? ''))
      .find((cell) => cell !== '')
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
  const price = (field: 'price_paid' | 'target_price') => {
    const cents = parse(field, 'invalid_price', parseHoldingPrice)
    return cents === 0 && !isOwn ? null : cents
  }
  const condition = parse(
    'condition',
    'invalid_condition',
    (cell) => parseCondition(cell, scale)?.condition,
  )
  const language = parse('language', 'invalid_language', parseLanguage)
  const currency = read('currency')?.toUpperCase() ?? 'USD'
  const paid = price('price_paid')
  if (paid !== null && currency !== 'USD') notes.push('currency_not_supported')
  const day = parse('acquired_on', 'invalid_date', (cell) => {
    const parsed = parseDay(cell)
    return parsed !== undefined && isAcquisitionDay(parsed, today) ? parsed : undefined
  })
  return {
    holding: {
      condition: condition ?? 'near_mint',
      grade: parseGrade(read('grade')),
      language,
      price_paid: currency === 'USD' ? paid : null,
      acquired_on: day,
      ...mapHoldingTexts(({ charactersMax }, name) => toLine(read(name), charactersMax)),
      target_price: price('target_price'),
    },
    notes,
  }
}

/** Parses an amount of US dollars to cents, in American notation, which collection apps use. */
export function parseHoldingPrice(text: string): number | undefined {
  const { cents, currency = 'USD' } = parseAmount(text, 'american') ?? {}
  return cents !== undefined && currency === 'USD' && cents <= HOLDING_PRICE_MAX ? cents : undefined
}

/** Parses `2026-05-31`, optionally followed by a time, `20260531`, or `5/31/2026`. */
export function parseDay(text: string): number | undefined {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text) ?? []
  if (date !== undefined) return parseDate(date)
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  if (year !== undefined) return parseDate(`${year}-${month}-${day}`)
  const [, first = '', second = '', last] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(text) ?? []
  if (last === undefined) return undefined
  // The day comes first in dates with points, and if the first number is too large for a month.
  const isDayFirst = text.includes('.') || Number(first) > 12
  const [dayText, monthText] = isDayFirst ? [first, second] : [second, first]
  return parseDate(`${last}-${monthText.padStart(2, '0')}-${dayText.padStart(2, '0')}`)
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
