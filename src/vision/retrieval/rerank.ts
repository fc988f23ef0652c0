// Finds the nearest pictures of a photo by vector, then reranks them by perceptual hash.
import { hammingDistance } from '#rules/photos/art-groups.ts'
import type { Neighbor } from '#rules/photos/photo-reading.ts'
import { HASH_BITS, RERANK_COUNT, rerank } from '#rules/photos/rerank-score.ts'
import type { CardObservation } from '../observation.ts'
import type { VectorHit, VectorSearch } from './vector-search.ts'

/** Maximum number of neighbors per photo. */
const NEIGHBORS_MAX = 50
/**
 * Minimum cosine for a certain orientation: wrong for one of 670 photos. Below it the other orientation is
 * searched as well, which doubles the time.
 */
export const CERTAIN_COSINE = 0.85

/** Returns true if the nearest catalog picture determines the orientation. */
export function isOrientationCertain(hits: readonly VectorHit[]): boolean {
  const nearest = hits.find(({ reference }) => reference === undefined)
  return (nearest?.cosine ?? 0) >= CERTAIN_COSINE
}

/**
 * Returns the cards nearest to a photo, in one game or in all games.
 *
 * @param first the first orientation to be searched; mirrored ones follow the others
 */
export function findNearest(
  search: Pick<VectorSearch, 'search' | 'count'>,
  { orientations, embed }: Pick<CardObservation, 'orientations' | 'embed'>,
  gameId: number | undefined,
  first = 0,
): VectorHit[] {
  if (search.count() === 0) return []
  const vectors: Int8Array[] = []
  let hits: VectorHit[] = []
  for (let orientation = first; orientation < first + orientations; orientation++) {
    vectors.push(embed(orientation))
    hits = search.search(vectors, { gameId, limit: NEIGHBORS_MAX })
    if (hits.length === 0 || isOrientationCertain(hits)) break
  }
  return hits.map((hit) => ({ ...hit, queryIndex: first + hit.queryIndex }))
}

/** Returns the ids of the cards to be compared by hash. */
export function rerankIds(hits: readonly VectorHit[]): number[] {
  return hits.slice(0, RERANK_COUNT).map(({ card_id }) => card_id)
}

/** Distance at which a card is certain if no other card is nearly as close. Other cards have at least 360 bits. */
const CERTAIN_DISTANCE = 200
const CERTAIN_LEAD = 100

/**
 * Returns the cards with their hash distances, best first. Corners are never exact, so hashes are compared
 * with those of many slightly shifted crops, in the orientation of the hit, until one is certain.
 */
export function rerankByHash(
  hits: readonly VectorHit[],
  observation: Pick<CardObservation, 'hashes'>,
  hashes: ReadonlyMap<number, Uint8Array>,
): Neighbor[] {
  const byOrientation = Map.groupBy(hits, ({ queryIndex }) => queryIndex)
  const neighbors = [...byOrientation].flatMap(([orientation, cards]) => {
    const isKnown = cards.some(({ card_id }) => hashes.has(card_id))
    return withDistances(cards, isKnown ? observation.hashes(orientation) : [], hashes)
  })
  return rerank(
    neighbors.sort((one, other) => other.cosine - one.cosine || one.card_id - other.card_id),
  )
}

function withDistances(
  cards: readonly VectorHit[],
  crops: Iterable<Uint8Array>,
  hashes: ReadonlyMap<number, Uint8Array>,
): Neighbor[] {
  const neighbors: Neighbor[] = cards.map(({ card_id, cosine, reference }) => ({
    card_id,
    cosine,
    distance: undefined,
    ...(reference !== undefined && { isLearned: true }),
  }))
  for (const crop of crops) {
    for (const one of neighbors)
      one.distance = smallerDistance(one.distance, crop, hashes.get(one.card_id))
    if (isPictureCertain(neighbors)) break
  }
  return neighbors
}

/** Returns true if the hashes identify the picture of a photo with certainty. */
export function isPictureCertain(neighbors: readonly Neighbor[]): boolean {
  const distances = neighbors.flatMap(({ distance }) => (distance === undefined ? [] : [distance]))
  const [best = HASH_BITS, second = HASH_BITS] = distances.toSorted((one, other) => one - other)
  return best < CERTAIN_DISTANCE && second - best > CERTAIN_LEAD
}

function smallerDistance(known: number | undefined, crop: Uint8Array, own: Uint8Array | undefined) {
  if (own === undefined) return undefined
  const distance = hammingDistance(crop, own)
  return known === undefined ? distance : Math.min(known, distance)
}
