import { basePrinting, putFirst, simplifyPrintings } from '../catalog/base-printing.ts'
import { toDollars } from '../primitives/money.ts'
import { convertCents, type ExchangeRate } from './exchange-rates.ts'
import { type BasePrices, changePercent } from './price-changes.ts'
import type { PriceJson } from './price-json.ts'
import type { Condition, PriceKey } from './price-key.ts'
import {
  isMirrorList,
  type PriceList,
  type PriceOrigin,
  type PriceView,
  type RatedList,
} from './price-view.ts'

/** Current price of a further source; amounts in hundredths of its currency. */
export type SourcePriceState = PriceKey & {
  market_price: number | null
  low_price: number | null
  median_price: number | null
  bases: BasePrices
  /** Publish time of the source's prices, epoch seconds. */
  published_at: number
}

/** A price in a view, with its origin after the printing, as in the JSON. */
export type ViewedPrice = PriceJson & PriceOrigin

/** Prices of a card in a view, the base printing first, then those of the mirror; and the two of its simplified price. */
export type ViewedCard = {
  prices: ViewedPrice[]
  base: ViewedPrice | undefined
  foil: ViewedPrice | undefined
}

/**
 * Combines the prices of a card from the lists of a view: for each printing, the first list with a market price counts.
 * The base printing is that of the mirror, if the view has it.
 *
 * @param mirror prices of the mirror, the base printing first
 */
export function viewCard(
  { lists }: PriceView<RatedList>,
  mirror: readonly PriceJson[],
  others: readonly SourcePriceState[],
): ViewedCard {
  const offers = lists.flatMap((list) => {
    const prices = isMirrorList(list) ? mirror : listUsual(others, list).map(toPriceJson)
    return prices.map((price) => viewPrice(price, list))
  })
  const printings = new Set([...mirror, ...offers].map(({ printing }) => printing))
  const viewed = [...printings].flatMap((name) => {
    const ofPrinting = offers.filter(({ printing }) => printing === name)
    return ofPrinting.find(({ market_price }) => market_price !== null) ?? ofPrinting[0] ?? []
  })
  const baseName = mirror[0]?.printing
  const base = viewed.find(({ printing }) => printing === baseName) ?? basePrinting(viewed)
  const prices = [...putFirst(viewed, base)]
  return { prices, ...simplifyPrintings(prices) }
}

/** Converts a price to the currency of a view. Changes in percent stay those of the original. */
function viewPrice(price: PriceJson, { origin, rate }: RatedList): ViewedPrice {
  const { card_id, printing, ...rest } = price
  const viewed = { card_id, printing, ...origin, ...rest }
  if (!origin.converted) return viewed
  for (const amount of AMOUNTS) viewed[amount] = convertDollars(price[amount], rate)
  return viewed
}

const AMOUNTS = [
  'market_price',
  'low_price',
  'median_price',
  'lowest_with_shipping',
  'buylist_price',
] as const

/**
 * Converts an amount from a JSON text, with the same result as for its hundredths.
 *
 * @returns null if either is unknown
 */
export function convertDollars(
  dollars: number | null,
  rate: ExchangeRate | undefined,
): number | null {
  return toDollars(convertKnown(toHundredths(dollars), rate))
}

/** Returns the hundredths of an amount with two decimals in a JSON text. */
export function toHundredths(dollars: number | null): number | null {
  return dollars === null ? null : Math.round(dollars * 100)
}

/** Returns the difference of two amounts with two decimals, also with two decimals. */
export function subtractAmounts(amount: number, other: number): number {
  return Math.round((amount - other) * 100) / 100
}

/** Converts hundredths of a currency. @returns null if the amount or the rate is unknown */
export function convertKnown(cents: number | null, rate: ExchangeRate | undefined): number | null {
  return cents === null || rate === undefined ? null : convertCents(cents, rate)
}

/** Lists the prices that represent a printing: of raw cards, near mint or without a condition. */
export function listUsual<Price extends PriceKey>(
  prices: readonly Price[],
  { source, currency }: PriceList,
): Price[] {
  const ofList = prices.filter(
    (price) => price.source === source && price.currency === currency && price.grade === null,
  )
  const byCondition = USUAL_CONDITIONS.flatMap((wanted) =>
    ofList.filter(({ condition }) => condition === wanted),
  )
  const found = new Map<string, Price>()
  for (const price of byCondition) {
    if (!found.has(price.printing)) found.set(price.printing, price)
  }
  return ofList.filter((price) => found.get(price.printing) === price)
}

/** Conditions whose price represents a card, the best one first. Sealed products only have the last one. */
export const USUAL_CONDITIONS: readonly (Condition | null)[] = ['near_mint', null, 'unopened']

/** Formats a price of another source, without the members that only the mirror has. */
export function toPriceJson(price: SourcePriceState): PriceJson {
  const { card_id, printing, market_price, bases } = price
  return {
    card_id,
    printing,
    market_price: toDollars(market_price),
    low_price: toDollars(price.low_price),
    median_price: toDollars(price.median_price),
    lowest_with_shipping: null,
    buylist_price: null,
    price_change_24h: changePercent(market_price, bases['24h']),
    price_change_7d: changePercent(market_price, bases['7d']),
    price_change_30d: changePercent(market_price, bases['30d']),
    last_updated_at: new Date(price.published_at * 1000).toISOString(),
  }
}
