import { type ChangeFacts, isConfirmed } from '#rules/pricing/movers.ts'
import type { Period } from '#rules/pricing/price-changes.ts'
import type { Db } from '#store/db.ts'

/**
 * Returns a filter of the movers of a period: those whose change is confirmed, by the stored prices of a catalog whose
 * games are all read daily.
 */
export function openConfirmedFilter(db: Db, period: Period) {
  const factsOf = db.prepare<[number, string], ChangeFacts>(
    `SELECT market_price, low_price, median_price, base_24h, base_7d, base_30d
       FROM prices JOIN printings ON printings.id = printing_id WHERE card_id = ? AND name = ?`,
  )
  return ({ card_id, printing }: { card_id: number; printing: string }): boolean => {
    const facts = factsOf.get(card_id, printing)
    const base = facts?.[`base_${period}`] ?? null
    return facts !== undefined && base !== null && isConfirmed(facts, base, true)
  }
}
