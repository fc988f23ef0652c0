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
