import type { Tier } from '../accounts/tiers.ts'
import { ServiceError } from '../primitives/errors.ts'

/** Maximum number of ids per request (specification, limit 4). */
export const BULK_IDS_MAX = { prices: 500, cards: 100, history: 50 } as const

/**
 * Maximum number of items per resolve request, and the cost of an item (specification, limit 3). The cost is in
 * tenths of a credit, because in floating point 70 × 0.1 exceeds 7 and would cost 8.
 */
const RESOLVE: Record<Tier, { itemsMax: number; tenths: number }> = {
  free: { itemsMax: 0, tenths: 10 },
  hobby: { itemsMax: 0, tenths: 10 },
  starter: { itemsMax: 100, tenths: 10 },
  pro: { itemsMax: 500, tenths: 5 },
  business: { itemsMax: 1_000, tenths: 1 },
}

/** Returns the maximum number of items per resolve request. */
export function resolveItemsMax(tier: Tier): number {
  return RESOLVE[tier].itemsMax
}

/** Computes the quota cost of resolving a number of items, in requests. */
export function resolveCredits(tier: Tier, items: number): number {
  return Math.ceil((items * RESOLVE[tier].tenths) / 10)
}

/**
 * Parses a comma-separated list of ids. Keeps their order and removes duplicates.
 *
 * @param text may have spaces around the ids, and empty entries
 * @param idsMax maximum number of ids, including duplicates
 * @throws ServiceError VALIDATION_ERROR if an id is invalid, TOO_MANY_ITEMS
 */
export function parseIds(text: string, idsMax: number): number[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.length === 0) {
    throw new ServiceError('VALIDATION_ERROR', '"ids" must contain at least one card id.')
  }
  const wrong = entries.find((entry) => !/^\d{1,16}$/.test(entry) || !isId(Number(entry)))
  if (wrong !== undefined) {
    const shown = `"${[...wrong].slice(0, 20).join('')}"`
    throw new ServiceError(
      'VALIDATION_ERROR',
      `"ids" must be a comma-separated list of card ids; it contains ${shown}.`,
    )
  }
  assertAtMost(entries.length, idsMax, 'ids')
  return [...new Set(entries.map(Number))]
}

/** @throws ServiceError TOO_MANY_ITEMS that names the limit */
export function assertAtMost(count: number, max: number, noun: string): void {
  if (count <= max) return
  throw new ServiceError(
    'TOO_MANY_ITEMS',
    `Send at most ${max} ${noun} per request (received ${count}).`,
  )
}

function isId(id: number): boolean {
  return id >= 1 && id <= Number.MAX_SAFE_INTEGER
}
