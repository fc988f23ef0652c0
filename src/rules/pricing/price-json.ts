import type { UpstreamPrice } from '../catalog/catalog-records.ts'
import { toDollars } from '../primitives/money.ts'
import { type BasePrices, changePercent, PERIOD_NAMES, type Period } from './price-changes.ts'

/** Price of one printing as stored: cents, and the base prices of its changes. */
export type StoredPrice = Omit<UpstreamPrice, 'avg_sales_price' | 'sales_volume'> & {
  bases: BasePrices
}

/** The Price object of the specification. */
export type PriceJson = Omit<StoredPrice, 'bases'> &
  Record<`price_change_${Period}`, number | null> & { last_updated_at: string }

/** Fields in the order of the JSON. */
export const PRICE_FIELDS = [
  'card_id',
  'printing',
  'market_price',
  'low_price',
  'median_price',
  'lowest_with_shipping',
  'buylist_price',
  'price_change_24h',
  'price_change_7d',
  'price_change_30d',
  'last_updated_at',
] as const satisfies readonly (keyof PriceJson)[]

/** Members that change only with the price. */
type FixedPrice = Omit<PriceJson, `price_change_${Period}` | 'last_updated_at'>

// JSON escapes control characters, so no name can contain this one.
const MOVING = '\u0001'

/** A card's stored prices: the fixed members, and the changes, which differ daily even if no price does. */
export type PriceTexts = {
  /** From `formatPrices`; null if the card has no prices. */
  prices: string | null
  /** From `formatChanges`; null if no change is known. */
  changes: string | null
}

/**
 * Formats a card's prices as JSON without the members that differ daily even if no price does: the changes and the
 * publish time. `completePrices` inserts them.
 */
export function formatPrices(prices: readonly StoredPrice[]): string {
  const wire = prices.map((price) => {
    const fixed: FixedPrice = {
      card_id: price.card_id,
      printing: price.printing,
      market_price: toDollars(price.market_price),
      low_price: toDollars(price.low_price),
      median_price: toDollars(price.median_price),
      lowest_with_shipping: toDollars(price.lowest_with_shipping),
      buylist_price: toDollars(price.buylist_price),
    }
    return `${JSON.stringify(fixed).slice(0, -1)}${MOVING}}`
  })
  return `[${wire.join(',')}]`
}

/**
 * Formats the changes of a card's prices in percent, in the order of the prices: `-2.5,,10` for a single price, empty
 * for an unknown change; further prices follow after semicolons.
 */
export function formatChanges(
  prices: readonly Pick<StoredPrice, 'market_price' | 'bases'>[],
): string {
  const changesOf = ({ market_price, bases }: Pick<StoredPrice, 'market_price' | 'bases'>) =>
    PERIOD_NAMES.map((period) => changePercent(market_price, bases[period]) ?? '').join(',')
  return prices.map(changesOf).join(';')
}

/** Renders the prices of the specification, published at a time (ISO 8601). */
export function completePrices({ prices, changes }: PriceTexts, publishedAt: string): string {
  const [first = '', ...rest] = (prices ?? '[]').split(MOVING)
  const lists = changes?.split(';')
  let text = first
  for (const [index, next] of rest.entries()) {
    const [day, week, month] = lists?.[index]?.split(',') ?? []
    text += `,"price_change_24h":${day || 'null'},"price_change_7d":${week || 'null'},"price_change_30d":${month || 'null'},"last_updated_at":"${publishedAt}"${next}`
  }
  return text
}

/** Parses the prices of the specification from their stored texts, published at a time (ISO 8601). */
export function parsePrices({ prices, changes }: PriceTexts, publishedAt: string): PriceJson[] {
  if (prices === null) return []
  const lists = changes?.split(';')
  // `formatPrices` has written this text, so its shape is known.
  const fixed = JSON.parse(prices.replaceAll(MOVING, '')) as FixedPrice[]
  return fixed.map((price, index) => {
    const [day, week, month] = lists?.[index]?.split(',') ?? []
    return {
      ...price,
      price_change_24h: day ? Number(day) : null,
      price_change_7d: week ? Number(week) : null,
      price_change_30d: month ? Number(month) : null,
      last_updated_at: publishedAt,
    }
  })
}

/** Counts the prices in a text of `formatPrices` or `completePrices`. */
export function countPrices(text: string): number {
  if (text === '[]') return 0
  let count = 1
  for (let at = text.indexOf(BETWEEN); at >= 0; at = text.indexOf(BETWEEN, at + 1)) count++
  return count
}

/** Quotes within a JSON string are escaped, so this text only occurs between two prices. */
const BETWEEN = '},{"card_id":'

/**
 * Renders the printing, market price and low price of each price in a text of `completePrices`. Cutting them
 * out takes a fraction of parsing the text.
 */
export function briefPrices(text: string): string {
  return text.replaceAll(PRICE, '{$1}')
}

/**
 * Renders the price of a card with a single printing as a SimplePriceRecord.
 *
 * @returns undefined for several prices or none
 */
export function singlePrice(texts: PriceTexts, publishedAt: string): string | undefined {
  if (countPrices(texts.prices ?? '[]') !== 1) return undefined
  const text = completePrices(texts, publishedAt)
  const end = text.indexOf(',"median_price":')
  const change = text.indexOf('"price_change_24h":', end)
  const shown = text.slice(change, text.indexOf(',"price_change_7d":', change))
  const published = text.slice(text.indexOf(',"last_updated_at":', change), -1)
  return `${text.slice(1, end)},"foil_market_price":null,${shown}${published}`
}

/** Members in the order of PRICE_FIELDS. A name cannot contain a member, because its quotes are escaped. */
const PRICE = /\{"card_id":\d+,(.*?),"median_price":[^}]*\}/g
