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
