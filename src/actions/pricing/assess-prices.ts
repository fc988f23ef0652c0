import type { Deps } from '#deps.ts'
import { assessPrice, type PriceConfidence } from '#rules/pricing/confidence.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import { dayOf } from '#rules/primitives/days.ts'

/** Identifies a price as an answer shows it. Without a source it is the mirror's. */
export type ShownPrice = {
  card_id: number
  /** Null: the card has no price. */
  printing: string | null
  source?: string | undefined
  condition?: string | null | undefined
  grade?: string | null | undefined
}

/** Judges prices by what is known today, in their order. A price that is not stored is an unknown one. */
export function assessPrices(
  { catalog, now }: Pick<Deps, 'catalog' | 'now'>,
  prices: readonly ShownPrice[],
): PriceConfidence[] {
  const today = dayOf(now())
  const facts = new Map(
    catalog.priceFacts
      .listByCards(prices.map(({ card_id }) => card_id))
      .map((fact) => [keyOf(fact), fact]),
  )
  return prices.map((price) => {
    const fact = facts.get(keyOf(price))
    return fact === undefined ? NO_PRICE : assessPrice(fact, today)
  })
}

const NO_PRICE: PriceConfidence = { level: 'low', reasons: ['no_market_price'] }

function keyOf({ card_id, printing, source, condition, grade }: ShownPrice): string {
  if (source === undefined || source === MIRROR_KIND.source) return `${card_id} ${printing}`
  return JSON.stringify([card_id, printing, source, condition ?? null, grade ?? null])
}
