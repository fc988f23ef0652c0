import { choosePrinting } from '../matching/choose-printing.ts'
import { normalizeGrade, poolGrade } from '../pricing/grades.ts'
import { type ChangeFacts, isConfirmed, isMover } from '../pricing/movers.ts'
import { type Condition, MIRROR_KIND } from '../pricing/price-key.ts'
import { USUAL_CONDITIONS } from '../pricing/viewed-prices.ts'

/** A price in US cents for a card's copies. */
export type HoldingPrice = {
  printing: string
  source: string
  /** Null if the source does not distinguish conditions. */
  condition: Condition | null
  grade: string | null
  /** Currency in which its source states it; amounts are converted. */
  currency: string
  market_price: number | null
  /** True if its source has prices of the day before for the game. */
  is_daily: boolean
  /** Series of its history. */
  series: number
} & Omit<ChangeFacts, 'market_price'>

/** Reason why a price is not exactly that of the copies. */
export type ValueNote =
  | 'card_not_found'
  | 'printing_not_found'
  | 'condition_not_priced'
  | 'grade_not_priced'
  | 'grader_not_priced'
  | 'price_converted'
  | 'price_unknown'
  | 'low_confidence'
  /** The price paid is in another currency, and its day has no exchange rate. */
  | 'price_paid_not_converted'

/** The part of an item that determines its price. */
export type PricedCopies = { printing: string | null; condition: Condition; grade: string | null }

/** Prices of a card; those of the mirror are for near-mint and unopened copies. */
export type CardPrices = { mirror: readonly HoldingPrice[]; others: readonly HoldingPrice[] }

/**
 * Chooses the price of copies: that of their printing in their grade or condition if any source has it. Otherwise that of
 * the same grade by any grader, or of a near-mint copy, or of the closest printing, with a note.
 */
export function chooseHoldingPrice(
  { printing, condition, grade }: PricedCopies,
  prices: CardPrices | undefined,
): { price: HoldingPrice | undefined; notes: ValueNote[] } {
  if (prices === undefined) return { price: undefined, notes: ['card_not_found'] }
  const { printing: nearest, isFound } = choosePrinting(printing, prices.mirror)
  const known = prices.others.filter(isKnown)
  const isElsewhere = !isFound && known.some((price) => price.printing === printing)
  const mirror = isElsewhere ? undefined : nearest
  const name = mirror?.printing ?? printing ?? known[0]?.printing
  const { price, note } = chooseOf(
    { condition, grade },
    { mirror, others: known.filter((other) => other.printing === name) },
  )
  const notes: ValueNote[] = isFound || isElsewhere ? [] : ['printing_not_found']
  if (note !== undefined) notes.push(note)
  if (price === undefined || !isKnown(price)) notes.push('price_unknown')
  else if (price.currency !== MIRROR_KIND.currency) notes.push('price_converted')
  return { price, notes }
}

/** Returns the market price seven days ago if the change since then is a mover's that is confirmed; null otherwise. */
export function findMoverBase(price: HoldingPrice): number | null {
  const { market_price, base_7d, is_daily } = price
  if (market_price === null || base_7d === null || !isMover(market_price, base_7d)) return null
  return isConfirmed({ ...price, market_price }, base_7d, is_daily) ? base_7d : null
}

/** Prices of a printing: that of the mirror, and known ones of others. */
type PrintingPrices = { mirror: HoldingPrice | undefined; others: readonly HoldingPrice[] }

function chooseOf(
  { condition, grade }: Pick<PricedCopies, 'condition' | 'grade'>,
  { mirror, others }: PrintingPrices,
): { price: HoldingPrice | undefined; note?: ValueNote } {
  const ungraded = others.filter((price) => price.grade === null)
  const inCondition = ungraded.find((price) => price.condition === condition)
  const usual = [
    mirror,
    ...USUAL_CONDITIONS.map((one) => ungraded.find((price) => price.condition === one)),
  ]
  const nearMint = usual.find((price) => price !== undefined && isKnown(price)) ?? mirror
  if (grade !== null) {
    const same = others.find((price) => isSameGrade(price.grade, grade))
    if (same !== undefined) return { price: same }
    const pooled = poolGrade(normalizeGrade(grade) ?? '')
    const byAnyGrader = others.find((price) => price.grade !== null && price.grade === pooled)
    if (byAnyGrader !== undefined) return { price: byAnyGrader, note: 'grader_not_priced' }
    return { price: nearMint, note: 'grade_not_priced' }
  }
  // The prices of the mirror are those of near-mint and unopened copies.
  if (condition === 'near_mint' || condition === 'unopened') {
    return { price: mirror !== undefined && isKnown(mirror) ? mirror : (inCondition ?? nearMint) }
  }
  return inCondition === undefined
    ? { price: nearMint, note: 'condition_not_priced' }
    : { price: inCondition }
}

function isKnown({ market_price }: Pick<HoldingPrice, 'market_price'>): boolean {
  return market_price !== null
}

/** Returns true if two texts name the same grade; `psa10` and `PSA GEM MT 10` are `PSA 10`. */
function isSameGrade(priced: string | null, grade: string): boolean {
  if (priced === null) return false
  const plain = (text: string) =>
    normalizeGrade(text) ?? text.toUpperCase().replaceAll(/\s+/g, ' ').trim()
  return plain(priced) === plain(grade)
}
