import type { Tier } from '../accounts/tiers.ts'
import { ServiceError } from '../primitives/errors.ts'

/** The most ids of one request (specification, limit 4). */
export const BULK_IDS_MAX = { prices: 500, cards: 100, history: 50 } as const

/**
 * The most items of one resolve request, and what an item costs (specification, limit 3). The cost is
 * in tenths of a credit: 70 times 0.1 is a little more than 7 in floating point, and would cost 8.
 */
const RESOLVE: Record<Tier, { itemsMax: number; tenths: number }> = {
  free: { itemsMax: 0, tenths: 10 },
  hobby: { itemsMax: 0, tenths: 10 },
  starter: { itemsMax: 100, tenths: 10 },
  pro: { itemsMax: 500, tenths: 5 },
  business: { itemsMax: 1_000, tenths: 1 },
}

/** The most items that a tier may have resolved in one request. */
export function resolveItemsMax(tier: Tier): number {
  return RESOLVE[tier].itemsMax
}

/** What resolving so many items costs a tier's daily quota, in requests. */
export function resolveCredits(tier: Tier, items: number): number {
  return Math.ceil((items * RESOLVE[tier].tenths) / 10)
}

/**
 * The ids of a list with commas between them, each once, in their order.
 *
 * @param text as it was sent: blanks around an id are left alone
 * @param idsMax how many may be sent, those that are sent twice included
 * @throws ServiceError VALIDATION_ERROR when one is no id, TOO_MANY_ITEMS
 */
export function parseIds(text: string, idsMax: number): number[] {
  const words = text.split(',').map((word) => word.trim())
  const wrong = words.find((word) => !/^\d{1,16}$/.test(word) || !isId(Number(word)))
  if (wrong !== undefined) {
    const shown = wrong === '' ? 'an empty place' : `"${[...wrong].slice(0, 20).join('')}"`
    throw new ServiceError(
      'VALIDATION_ERROR',
      `"ids" must be card ids with commas between them; it has ${shown}.`,
    )
  }
  assertAtMost(words.length, idsMax, 'ids')
  return [...new Set(words.map(Number))]
}

/** @throws ServiceError TOO_MANY_ITEMS that names the limit */
export function assertAtMost(count: number, most: number, what: string): void {
  if (count <= most) return
  throw new ServiceError(
    'TOO_MANY_ITEMS',
    `Send at most ${most} ${what} in one request; these are ${count}.`,
  )
}

function isId(id: number): boolean {
  return id >= 1 && id <= Number.MAX_SAFE_INTEGER
}
