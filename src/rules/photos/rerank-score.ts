import type { Neighbor } from './photo-reading.ts'

/**
 * Number of neighbors that are also compared by hash. If glare hides half of a picture, the right card
 * is rarely among the first twenty vectors.
 */
export const RERANK_COUNT = 50

/**
 * Orders the nearest cards by both measures: vectors compare the content of pictures, hashes the
 * position of every patch.
 */
export function rerank(neighbors: readonly Neighbor[]): Neighbor[] {
  const best = neighbors
    .slice(0, RERANK_COUNT)
    .sort((one, other) => rerankScore(other) - rerankScore(one) || one.card_id - other.card_id)
  return [...best, ...neighbors.slice(RERANK_COUNT)]
}

/** Bits of a hash. */
export const HASH_BITS = 1_024

/** Cost of a completely different hash, in cosine. */
const DISTANCE_WEIGHT = 1

/**
 * Neutral distance of a card without a hash, between the distances of real photos to their own card (128 to 290) and
 * to other cards (at least 360).
 */
const DISTANCE_UNKNOWN = 325

/** Returns the similarity by both measures. */
export function rerankScore({ cosine, distance = DISTANCE_UNKNOWN }: Neighbor): number {
  return cosine - (distance / HASH_BITS) * DISTANCE_WEIGHT
}
