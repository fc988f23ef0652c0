import type { UpstreamPrice } from '../catalog/catalog-records.ts'
import { toDollars } from '../primitives/money.ts'
import { type BasePrices, changePercent, type Period } from './price-changes.ts'

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

// JSON escapes control characters, so no name can contain this one.
const PUBLISHED = '\u0001'

/**
 * Formats a card's prices as JSON without the publish time. That changes daily even if no price
 * does, and `fillPublishTime` inserts it.
 */
export function formatPrices(prices: readonly StoredPrice[]): string {
  const wire = prices.map((price) => {
    const { market_price, bases } = price
    const known: Omit<PriceJson, 'last_updated_at'> = {
      card_id: price.card_id,
      printing: price.printing,
      market_price: toDollars(market_price),
      low_price: toDollars(price.low_price),
      median_price: toDollars(price.median_price),
      lowest_with_shipping: toDollars(price.lowest_with_shipping),
      buylist_price: toDollars(price.buylist_price),
      price_change_24h: changePercent(market_price, bases['24h']),
      price_change_7d: changePercent(market_price, bases['7d']),
      price_change_30d: changePercent(market_price, bases['30d']),
    }
    return `${JSON.stringify(known).slice(0, -1)},"last_updated_at":"${PUBLISHED}"}`
  })
  return `[${wire.join(',')}]`
}

/** Counts the prices in a text of `formatPrices`. */
export function countPrices(text: string): number {
  if (text === '[]') return 0
  let count = 1
  for (let at = text.indexOf(BETWEEN); at >= 0; at = text.indexOf(BETWEEN, at + 1)) count++
  return count
}

/** Quotes within a JSON string are escaped, so this text only occurs between two prices. */
const BETWEEN = '},{"card_id":'

/**
 * Renders the printing, market price and low price of each price in a text of `formatPrices`. Cutting them
 * out takes a fraction of parsing the text.
 */
export function briefPrices(text: string): string {
  return text.replaceAll(PRICE, '{$1}')
}

/**
 * Renders the price of a card with a single printing as a SimplePriceRecord, from a text of `formatPrices`.
 *
 * @returns undefined for several prices or none
 */
export function singlePrice(text: string, publishedAt: string): string | undefined {
  if (text === '[]' || text.includes(BETWEEN)) return undefined
  const end = text.indexOf(',"median_price":')
  const change = text.indexOf('"price_change_24h":', end)
  const shown = text.slice(change, text.indexOf(',"price_change_7d":', change))
  return `${text.slice(1, end)},"foil_market_price":null,${shown},"last_updated_at":"${publishedAt}"}`
}

/** Members are in the order of PRICE_FIELDS. A name contains no member: its quotes are escaped. */
const PRICE = /\{"card_id":\d+,(.*?),"median_price":[^}]*\}/g

/** Inserts the time at which the upstream published the prices (ISO 8601). */
export function fillPublishTime(text: string, publishedAt: string): string {
  return text.replaceAll(PUBLISHED, publishedAt)
}
