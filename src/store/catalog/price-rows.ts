import type { UpstreamPrice } from '#rules/catalog/catalog-records.ts'
import { assessPrice } from '#rules/pricing/confidence.ts'
import { type BasePrices, changePercent, PERIOD_NAMES } from '#rules/pricing/price-changes.ts'
import type { StoredPrice } from '#rules/pricing/price-json.ts'
import { dayOfSeconds } from '#rules/primitives/days.ts'
import type { Db } from '../db.ts'
import type { RowValue } from '../row-writer.ts'
import type { PrintingStore } from './printings.ts'

/** Stored price of a printing during a publication. */
export type PriceState = StoredPrice & {
  printing_id: number
  tracked_since: number | null
  /** 1 if it represents its card, otherwise 0. */
  is_base_printing: number
  /** 0 if the price is known only from archives and was never rendered. */
  changed_at: number
  /** Day since which the market price has been the same, at the latest; null if since `changed_at` or before. */
  market_since: number | null
  /** Day since which prices prefer it to its card's base printing, its equal by name; null if they do not. */
  preferred_since: number | null
}

type CardRow = {
  id: number
  foil_only: number
  told_foil_only: number | null
  missing: number
  pictured: number
  /** 1 if it is not a sealed product. */
  single: number
}

/** Cards of a set by id. */
export type CardsById = Map<number, CardRow>

/** Prices of a printing that the upstream no longer lists, whose row stays. */
export const NO_PRICE = {
  market_price: null,
  low_price: null,
  median_price: null,
  lowest_with_shipping: null,
  buylist_price: null,
}

// Object.keys returns strings; these are the keys of the constant above.
const PRICES = Object.keys(NO_PRICE) as (keyof typeof NO_PRICE)[]

/** Reads the cards of a set and the stored prices of their printings. */
export type SetReader = {
  readCards(set_id: number): CardsById
  readRows(set_id: number): PriceState[]
}

export function openSetReader(db: Db, printings: Pick<PrintingStore, 'getName'>): SetReader {
  // Each returns one JSON text per set, because rows cross the driver number by number.
  const rows = db
    .prepare<[number], string>(
      `SELECT json_group_array(json_array(${STATE_COLUMNS}))
         FROM cards JOIN prices ON card_id = cards.id WHERE set_id = ?`,
    )
    .pluck()
  const cards = db
    .prepare<[number], string>(
      `SELECT json_group_array(json_array(id, foil_only, told_foil_only, missing_since IS NOT NULL,
                image_url IS NOT NULL, product_type = 'Cards'))
         FROM cards WHERE set_id = ?`,
    )
    .pluck()
  return {
    readCards: (set_id) => parseCards(cards.get(set_id)),
    readRows: (set_id) => parsePriceStates(rows.get(set_id), printings.getName),
  }
}

/** Parses the cards of a set from JSON text. */
function parseCards(text: string | undefined): CardsById {
  const cards: CardArray[] = JSON.parse(text ?? '[]')
  cards.sort(([a], [b]) => a - b)
  return new Map(
    cards.map(([id, foil_only, told_foil_only, missing, pictured, single]) => [
      id,
      { id, foil_only, told_foil_only, missing, pictured, single },
    ]),
  )
}

type CardArray = [
  id: number,
  foil_only: number,
  told_foil_only: number | null,
  missing: number,
  pictured: number,
  single: number,
]

/** Parses the stored prices of a set from JSON text; each row has the columns of STATE_COLUMNS. */
function parsePriceStates(
  text: string | undefined,
  getPrinting: (id: number) => string,
): PriceState[] {
  const rows: StateArray[] = JSON.parse(text ?? '[]')
  return rows.map((row) => ({
    card_id: row[0],
    printing_id: row[1],
    printing: getPrinting(row[1]),
    market_price: row[2],
    low_price: row[3],
    median_price: row[4],
    lowest_with_shipping: row[5],
    buylist_price: row[6],
    bases: { '24h': row[7], '7d': row[8], '30d': row[9] },
    tracked_since: row[10],
    is_base_printing: row[11],
    changed_at: row[12],
    market_since: row[13],
    preferred_since: row[14],
  }))
}

/** Columns of `prices` in the order in which `parsePriceStates` reads them. */
const STATE_COLUMNS = `card_id, printing_id, market_price, low_price, median_price,
  lowest_with_shipping, buylist_price, base_24h, base_7d, base_30d, tracked_since,
  is_base_printing, changed_at, market_since, preferred_since`

/** Columns of `prices` that a publication writes. */
export const WRITTEN_COLUMNS = [
  'card_id',
  'printing_id',
  'market_price',
  'low_price',
  'median_price',
  'lowest_with_shipping',
  'buylist_price',
  'base_24h',
  'base_7d',
  'base_30d',
  'tracked_since',
  'changed_at',
  'market_since',
  'updated_in',
]

/** Returns the values of WRITTEN_COLUMNS. @param version 0 keeps the stored version */
export function toColumns(row: PriceState, version: number): RowValue[] {
  return [
    row.card_id,
    row.printing_id,
    row.market_price,
    row.low_price,
    row.median_price,
    row.lowest_with_shipping,
    row.buylist_price,
    row.bases['24h'],
    row.bases['7d'],
    row.bases['30d'],
    row.tracked_since,
    row.changed_at,
    row.market_since,
    version,
  ]
}

type Cents = number | null
type StateArray = [
  card_id: number,
  printing_id: number,
  ...prices: [Cents, Cents, Cents, Cents, Cents],
  ...bases: [Cents, Cents, Cents],
  tracked_since: number | null,
  is_base_printing: number,
  changed_at: number,
  market_since: number | null,
  preferred_since: number | null,
]

/**
 * Returns the day since which a market price has been the same, at the latest.
 *
 * @param before market price before today's
 * @param day day of today's price
 */
export function findMarketSince(
  { market_price, market_since, changed_at }: PriceState,
  before: number | null,
  day: number,
): number {
  if (changed_at === 0 || market_price !== before) return day
  return market_since ?? dayOfSeconds(changed_at)
}

/** Returns true if the mirror's own facts make a price one of low confidence on a day. */
export function isDoubtful(row: PriceState, day: number): boolean {
  const { market_price, low_price, median_price, bases, changed_at, market_since } = row
  const unchanged_days = day - (market_since ?? dayOfSeconds(changed_at))
  const facts = {
    market_price,
    low_price,
    median_price,
    bases,
    published_day: day,
    unchanged_days,
    sale_count: null,
    other_price: null,
  }
  return assessPrice(facts, day).level === 'low'
}

/** Returns the state of a printing without prices. */
export function emptyPriceState(
  { card_id, printing }: UpstreamPrice,
  printing_id: number,
): PriceState {
  const bases = { '24h': null, '7d': null, '30d': null }
  const row = { card_id, printing, printing_id, bases, tracked_since: null, is_base_printing: 0 }
  return { ...row, ...NO_PRICE, changed_at: 0, market_since: null, preferred_since: null }
}

/** Copies upstream prices. @returns true if any price changed */
export function applyPrice(
  row: PriceState,
  price: Record<keyof typeof NO_PRICE, number | null>,
): boolean {
  let changed = false
  for (const field of PRICES) {
    if (row[field] === price[field]) continue
    row[field] = price[field]
    changed = true
  }
  return changed
}

/** @returns true if any base price changed */
export function setBases(row: Pick<PriceState, 'bases'>, basePrices: BasePrices): boolean {
  const changed = PERIOD_NAMES.some((period) => row.bases[period] !== basePrices[period])
  row.bases = basePrices
  return changed
}

/** Returns true if the percentages in the JSON differ from those with the previous base prices. */
export function hasChangedPercentages(
  { market_price, bases }: PriceState,
  before: BasePrices,
): boolean {
  return PERIOD_NAMES.some(
    (period) =>
      changePercent(market_price, bases[period]) !== changePercent(market_price, before[period]),
  )
}
