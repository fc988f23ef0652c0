import { dayOf } from '../primitives/days.ts'
import type { PriceJson } from './price-json.ts'
import { MIRROR_KIND, type PriceKey } from './price-key.ts'
import { type SourcePriceState, toPriceJson } from './viewed-prices.ts'

/** A price with its whole key and its age. */
export type LadderPrice = PriceJson &
  PriceKey & {
    /** Sales behind the market price; null if unknown. */
    sale_count: number | null
    /** Days since its source published it. */
    age_days: number
  }

/** Lists all prices of a card: those of the mirror, then those of other sources, each in its own currency. */
export function listLadder(
  mirror: readonly PriceJson[],
  others: readonly (SourcePriceState & Pick<LadderPrice, 'sale_count'>)[],
  today: number,
): LadderPrice[] {
  const ofMirror = mirror.map((price) =>
    formatRung(price, MIRROR_KIND, { sale_count: null, today }),
  )
  const ofOthers = others.map((price) =>
    formatRung(toPriceJson(price), price, { sale_count: price.sale_count, today }),
  )
  return [...ofMirror, ...ofOthers]
}

function formatRung(
  { card_id, printing, last_updated_at, ...price }: PriceJson,
  { source, currency, condition, grade }: Omit<PriceKey, 'card_id' | 'printing'>,
  { sale_count, today }: { sale_count: number | null; today: number },
): LadderPrice {
  return {
    ...{ card_id, printing, source, currency, condition, grade },
    ...price,
    sale_count,
    last_updated_at,
    age_days: Math.max(0, today - dayOf(new Date(last_updated_at))),
  }
}
