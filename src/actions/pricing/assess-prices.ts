import type { Deps } from '#deps.ts'
import { assessPrice, type PriceConfidence } from '#rules/pricing/confidence.ts'
import { MIRROR_KIND, type PriceKey } from '#rules/pricing/price-key.ts'
import { listUsual } from '#rules/pricing/viewed-prices.ts'
import { dayOf } from '#rules/primitives/days.ts'

/**
 * Identifies a price in a response. Without a source, it is the mirror's price; without condition and grade, it is
 * the price that represents its printing.
 */
export type ShownPrice = {
  card_id: number
  /** Null if the card has no price. */
  printing: string | null
  /** Null if no source has a price. */
  source?: string | null | undefined
  condition?: string | null | undefined
  grade?: string | null | undefined
}

/** Rates prices by the facts known today, in the order of the prices. A price that is not stored counts as unknown. */
export function assessPrices(
  { catalog, now }: Pick<Deps, 'catalog' | 'now'>,
  prices: readonly ShownPrice[],
): PriceConfidence[] {
  return assessPricesOn(dayOf(now()), { catalog }, prices)
}

/** Rates prices by the facts known on a day, like `assessPrices`. */
export function assessPricesOn(
  day: number,
  { catalog }: Pick<Deps, 'catalog'>,
  prices: readonly ShownPrice[],
): PriceConfidence[] {
  const known = catalog.sources.facts.listByCards(prices.map(({ card_id }) => card_id))
  const facts = new Map(known.map((fact) => [keyOf(fact), fact]))
  const others = known.filter(({ source }) => source !== MIRROR_KIND.source)
  for (const ofList of Map.groupBy(others, listOf).values()) {
    const [first] = ofList
    for (const fact of first === undefined ? [] : listUsual(ofList, first)) {
      facts.set(usualKeyOf(fact), fact)
    }
  }
  return prices.map((price) => {
    const fact = facts.get(keyOf(price))
    return fact === undefined ? NO_PRICE : assessPrice(fact, day)
  })
}

const NO_PRICE: PriceConfidence = { level: 'low', reasons: ['no_market_price'] }

function listOf({ card_id, source, currency }: PriceKey): string {
  return `${card_id} ${source} ${currency}`
}

function keyOf(price: ShownPrice): string {
  const { card_id, printing, source, condition, grade } = price
  if (source === undefined || source === MIRROR_KIND.source) return `${card_id} ${printing}`
  if (condition === undefined && grade === undefined) return usualKeyOf(price)
  return JSON.stringify([card_id, printing, source, condition ?? null, grade ?? null])
}

function usualKeyOf({ card_id, printing, source }: ShownPrice): string {
  return JSON.stringify([card_id, printing, source])
}
