import type { Neighbor } from './photo-reading.ts'

/**
 * How many of the nearest are compared by their hashes, too. Where light hides half of a picture, its
 * own card is seldom among the first twenty vectors.
 */
export const RERANK_COUNT = 50

/**
 * Puts the nearest cards in order, where both measures count: the vectors, which know what a picture
 * shows, and the hashes, which know where every patch of it lies.
 */
export function rerank(neighbor: readonly Neighbor[]): Neighbor[] {
  const best = neighbor
    .slice(0, RERANK_COUNT)
    .sort((one, other) => scoreOf(other) - scoreOf(one) || one.card_id - other.card_id)
  return [...best, ...neighbor.slice(RERANK_COUNT)]
}

/** Bits of two hashes that differ, of 1,024. */
export const HASH_BITS = 1_024

/** What a whole hash of differing bits costs, in cosine. */
const DISTANCE_WEIGHT = 1

/**
 * Between the distances of photos to their own card (128 to 290 on real photos) and to strangers (360
 * and more): a card without a hash neither wins nor loses by it.
 */
const DISTANCE_UNKNOWN = 325

function scoreOf({ cosine, distance = DISTANCE_UNKNOWN }: Neighbor): number {
  return cosine - (distance / HASH_BITS) * DISTANCE_WEIGHT
}
