import { dayOfSeconds } from '#rules/primitives/days.ts'
import type { Db } from '../db.ts'
import { type CardsById, isDoubtful, openSetReader, type PriceState } from './price-rows.ts'
import { openPrintingStore } from './printings.ts'

/** Number of a set's cards, their value, and the card that represents it. */
export type SetCounts = {
  /** Number of cards that are not missing. */
  cards: number
  /** Number of these that are not sealed products. */
  singles: number
  /** Number of single cards whose base printing has a known price. */
  priced: number
  /** Sum of those prices, in cents. */
  value: number
  /** Card whose picture represents the set; null if none has a picture. */
  face: number | null
  /** Highest price of that card, in cents; null if no price is known. */
  top_price: number | null
  /** 1 if that price is of low confidence, as are those of all other cards. */
  is_top_doubtful: number
}

/**
 * Counts and values the cards that are not missing, and finds the set's face: the card with a picture and the highest
 * price of all printings. Prices of low confidence count only if there are no others.
 *
 * @param day day of the prices
 */
export function countCards(
  cardsById: CardsById,
  rows: readonly PriceState[],
  day: number,
): SetCounts {
  const shown = [...cardsById.values()].filter((card) => card.missing === 0)
  let top: Face | undefined
  let doubtful: Face | undefined
  for (const row of rows) {
    const { card_id, market_price: price } = row
    if (price === null || price <= (top?.price ?? -1)) continue
    const card = cardsById.get(card_id)
    if (card?.missing !== 0 || card.pictured !== 1) continue
    // Few prices are higher than all before them, so that few are rated.
    if (!isDoubtful(row, day)) top = { card_id, price }
    else if (price > (doubtful?.price ?? -1)) doubtful = { card_id, price }
  }
  const face = top ?? doubtful
  const singles = shown.filter((card) => card.single === 1)
  const prices = rows.flatMap(({ card_id, market_price, is_base_printing }) => {
    const card = is_base_printing === 1 ? cardsById.get(card_id) : undefined
    return card?.missing === 0 && card.single === 1 && market_price !== null ? market_price : []
  })
  return {
    cards: shown.length,
    singles: singles.length,
    priced: prices.length,
    value: prices.reduce((sum, price) => sum + price, 0),
    face: face?.card_id ?? shown.find((card) => card.pictured === 1)?.id ?? null,
    top_price: face?.price ?? null,
    is_top_doubtful: face === doubtful && face !== undefined ? 1 : 0,
  }
}

type Face = { card_id: number; price: number }

/** Prepares the counts of a set as it is stored, by its id. */
export function openSetCounter(db: Db): (set_id: number) => SetCounts {
  const reader = openSetReader(db, openPrintingStore(db))
  const pricedAt = db.prepare<[number], number>('SELECT priced_at FROM sets WHERE id = ?').pluck()
  return (set_id) => {
    const day = dayOfSeconds(pricedAt.get(set_id) ?? 0)
    return countCards(reader.readCards(set_id), reader.readRows(set_id), day)
  }
}
