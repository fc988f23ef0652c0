// What is near to a photo, by two measures: what its picture shows, and where every patch of it lies.

import { hammingDistance } from '#rules/photos/art-groups.ts'
import type { Neighbor } from '#rules/photos/photo-reading.ts'
import { HASH_BITS, RERANK_COUNT, rerank } from '#rules/photos/rerank-score.ts'
import type { CardObservation } from '../pipeline.ts'
import type { VectorHit, VectorSearch } from './vector-search.ts'

/** How many cards a reading names at most. */
const NEAR_MOST = 50
/**
 * From this cosine on the way up is not in doubt: of 670 photos it put a wrong card first in one. Below,
 * the other way is looked up as well, which takes as long again.
 */
const SURE_WAY_UP = 0.85

/** Whether the nearest card leaves no doubt which way is up. */
export function isOrientationCertain(vectorHit: readonly VectorHit[]): boolean {
  return (vectorHit[0]?.cosine ?? 0) >= SURE_WAY_UP
}

/** The cards nearest to a photo, of one game or of all. */
export function findNearest(
  vectorSearch: VectorSearch,
  observation: Pick<CardObservation, 'orientations' | 'embed'>,
  gameId: number | undefined,
): VectorHit[] {
  const vectors: Int8Array[] = []
  let vectorHit: VectorHit[] = []
  for (let way = 0; way < observation.orientations; way++) {
    vectors.push(observation.embed(way))
    vectorHit = vectorSearch.search(vectors, { gameId, limit: NEAR_MOST })
    if (isOrientationCertain(vectorHit)) break
  }
  return vectorHit
}

/** The cards whose hashes are asked for: those that the vectors put first. */
export function rerankIds(vectorHit: readonly VectorHit[]): number[] {
  return vectorHit.slice(0, RERANK_COUNT).map(({ card_id }) => card_id)
}

/** Nearer than this is the card itself, strangers have 360 bits and more; unless another is about as near. */
const SURE_DISTANCE = 200
const SURE_LEAD = 100

/**
 * The cards with their distances, best first. A photo's corners are never exact, so a picture's hash is
 * compared with those of many slightly moved crops, the way up that found it, until one leaves no doubt.
 */
export function rerankByHash(
  vectorHit: readonly VectorHit[],
  observation: Pick<CardObservation, 'hashes'>,
  hashes: ReadonlyMap<number, Uint8Array>,
): Neighbor[] {
  const ways = Map.groupBy(vectorHit, ({ queryIndex }) => queryIndex)
  const near = [...ways].flatMap(([way, cards]) => {
    const isKnown = cards.some(({ card_id }) => hashes.has(card_id))
    return withDistances(cards, isKnown ? observation.hashes(way) : [], hashes)
  })
  return rerank(near.sort((one, other) => other.cosine - one.cosine || one.card_id - other.card_id))
}

function withDistances(
  cards: readonly VectorHit[],
  crops: Iterable<Uint8Array>,
  hashes: ReadonlyMap<number, Uint8Array>,
): Neighbor[] {
  const neighbor: Neighbor[] = cards.map(({ card_id, cosine }) => ({
    card_id,
    cosine,
    distance: undefined,
  }))
  for (const crop of crops) {
    for (const one of neighbor) one.distance = nearer(one.distance, crop, hashes.get(one.card_id))
    if (leavesNoDoubt(neighbor)) break
  }
  return neighbor
}

function leavesNoDoubt(neighbor: readonly Neighbor[]): boolean {
  const distances = neighbor.flatMap(({ distance }) => (distance === undefined ? [] : [distance]))
  const [best = HASH_BITS, second = HASH_BITS] = distances.toSorted((one, other) => one - other)
  return best < SURE_DISTANCE && second - best > SURE_LEAD
}

function nearer(known: number | undefined, moved: Uint8Array, own: Uint8Array | undefined) {
  if (own === undefined) return undefined
  const distance = hammingDistance(moved, own)
  return known === undefined ? distance : Math.min(known, distance)
}
