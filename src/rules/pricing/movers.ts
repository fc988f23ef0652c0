import type { Period } from './price-changes.ts'

/**
 * Returns true for a plausible mover: both prices are at least a dollar, and the change is at most
 * tenfold. A larger one is a wrong listing.
 */
export function isMover(price: number, base: number): boolean {
  if (price < MOVER_CENTS_MIN || base < MOVER_CENTS_MIN) return false
  return price <= base * MOVER_RATIO_MAX && base <= price * MOVER_RATIO_MAX
}

const MOVER_CENTS_MIN = 100
const MOVER_RATIO_MAX = 10

/** Minimum prices of lists of movers, ascending, in the currency of their source. The first one is that of all lists. */
export const MOVER_PRICES = ['1', '5', '20', '100'] as const

export type MoverPrice = (typeof MOVER_PRICES)[number]

/** Returns the number of minimum prices that a mover reaches. */
export function countReached(market_price: number): number {
  return MOVER_PRICES.filter((minimum) => market_price >= Number(minimum) * 100).length
}

/** Prices of a printing that confirm a change or not. Money is in hundredths of one currency. */
export type ChangeFacts = {
  market_price: number
  low_price: number | null
  median_price: number | null
} & Record<`base_${Period}`, number | null>

/**
 * Returns true if more than a single sale speaks for a change: the listings have followed, or the market price moves
 * often, so that a week ago (or a month ago, if that is unknown), the day before and today have three different prices.
 * A price that was unknown the day before is that of the first sale in a while, and needs the listings. Unknown older
 * prices raise no doubt.
 *
 * @param base price that the change is relative to
 * @param isDaily true if prices of the day before are known for the game; otherwise those of a month ago take their place
 */
export function isConfirmed(facts: ChangeFacts, base: number, isDaily: boolean): boolean {
  const { market_price, base_24h, base_7d, base_30d } = facts
  if (haveListingsFollowed(facts, base)) return true
  if (isDaily && base_24h === null) return false
  const [older, newer] = isDaily ? [base_7d ?? base_30d, base_24h] : [base_30d, base_7d]
  if (older === null || newer === null) return true
  return older !== newer && newer !== market_price
}

/** Returns true if the cheapest copy, or most copies after a fall, are nearer to the new price than to the old one. */
function haveListingsFollowed(
  { market_price, low_price, median_price }: ChangeFacts,
  base: number,
): boolean {
  const isRise = market_price > base
  const listed = isRise ? low_price : median_price
  if (listed === null) return false
  // Prices are compared by their ratios, so the middle is the geometric mean.
  const isAbove = listed ** 2 >= base * market_price
  return isRise === isAbove
}
