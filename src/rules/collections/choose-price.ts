import { choosePrinting } from '../matching/choose-printing.ts'
import { normalizeGrade } from '../pricing/grades.ts'
import type { Condition } from '../pricing/price-key.ts'

/** A price in US cents for a card's copies. */
export type HoldingPrice = {
  printing: string
  /** Null if the source does not distinguish conditions. */
  condition: Condition | null
  grade: string | null
  market_price: number | null
  low_price: number | null
  /** Market price seven days ago; null if unknown. */
  base_7d: number | null
  /** Series of its history. */
  series: number
}

/** Reason why a price is not exactly that of the copies. */
export type ValueNote =
  | 'card_not_found'
  | 'printing_not_found'
  | 'condition_not_priced'
  | 'grade_not_priced'
  | 'price_unknown'

/** The part of an item that determines its price. */
export type PricedCopies = { printing: string | null; condition: Condition; grade: string | null }

/** Prices of a card; those of the mirror are for near-mint and unopened copies. */
export type CardPrices = { mirror: readonly HoldingPrice[]; others: readonly HoldingPrice[] }

/**
 * Chooses the price of copies: that of their grade or condition if a source has it, otherwise the near-mint price of
 * their printing, with a note.
 */
export function chooseHoldingPrice(
  { printing, condition, grade }: PricedCopies,
  prices: CardPrices | undefined,
): { price: HoldingPrice | undefined; notes: ValueNote[] } {
  if (prices === undefined) return { price: undefined, notes: ['card_not_found'] }
  const { printing: mirror, isFound } = choosePrinting(printing, prices.mirror)
  const notes: ValueNote[] = isFound ? [] : ['printing_not_found']
  const name = mirror?.printing ?? printing
  const same = prices.others.filter(
    (price) => price.printing === name && price.market_price !== null,
  )
  const isMirrors = grade === null && (condition === 'near_mint' || condition === 'unopened')
  const own = isMirrors
    ? undefined
    : same.find((price) =>
        grade === null
          ? price.grade === null && price.condition === condition
          : isSameGrade(price.grade, grade),
      )
  if (own !== undefined) return { price: own, notes }
  if (!isMirrors) notes.push(grade === null ? 'condition_not_priced' : 'grade_not_priced')
  if ((mirror?.market_price ?? null) === null) notes.push('price_unknown')
  return { price: mirror, notes }
}

/** Returns true if two texts name the same grade; `psa10` and `PSA GEM MT 10` are `PSA 10`. */
function isSameGrade(priced: string | null, grade: string): boolean {
  if (priced === null) return false
  const plain = (text: string) =>
    normalizeGrade(text) ?? text.toUpperCase().replaceAll(/\s+/g, ' ').trim()
  return plain(priced) === plain(grade)
}
