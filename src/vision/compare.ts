// What is near to a photo, by two measures: what its picture shows, and where every patch of it lies.
import { HASH_BITS, orderNear, RERANKED } from '#rules/near.ts'
import { distanceOf } from '#rules/pictures.ts'
import type { Near } from '#rules/reading.ts'
import type { Sight } from './eye.ts'
import type { Found, Nearest } from './nearest.ts'

/** How many cards a reading names at most. */
const NEAR_MOST = 50
/**
 * From this cosine on the way up is not in doubt: of 670 photos it put a wrong card first in one. Below,
 * the other way is looked up as well, which takes as long again.
 */
const SURE_WAY_UP = 0.85

/** The cards nearest to a photo, of one game or of all. */
export function nearestTo(
  nearest: Nearest,
  sight: Pick<Sight, 'ways' | 'vector'>,
  gameId: number | undefined,
): Found[] {
  const vectors: Int8Array[] = []
  let found: Found[] = []
  for (let way = 0; way < sight.ways; way++) {
    vectors.push(sight.vector(way))
    found = nearest.search(vectors, { gameId, limit: NEAR_MOST })
    if ((found[0]?.cosine ?? 0) >= SURE_WAY_UP) break
  }
  return found
}

/** The cards whose hashes are asked for: those that the vectors put first. */
export function comparedIds(found: readonly Found[]): number[] {
  return found.slice(0, RERANKED).map(({ card_id }) => card_id)
}

/** Nearer than this is the card itself, strangers have 360 bits and more; unless another is about as near. */
const SURE_DISTANCE = 200
const SURE_LEAD = 100

/**
 * The cards with their distances, best first. A photo's corners are never exact, so a picture's hash is
 * compared with those of many slightly moved crops, until one leaves no doubt. The nearest card tells
 * which way is up: for the other way no crops are made.
 */
export function compare(
  found: readonly Found[],
  sight: Pick<Sight, 'hashes'>,
  hashes: ReadonlyMap<number, Uint8Array>,
): Near[] {
  const near: Near[] = found.map(({ card_id, cosine }) => ({
    card_id,
    cosine,
    distance: undefined,
  }))
  const [first] = found
  if (first !== undefined && hashes.size > 0) {
    const rivals = near.filter((_, index) => found[index]?.asked === first.asked)
    for (const moved of sight.hashes(first.asked)) {
      for (const one of rivals) one.distance = nearer(one.distance, moved, hashes.get(one.card_id))
      if (leavesNoDoubt(rivals)) break
    }
  }
  return orderNear(near)
}

function leavesNoDoubt(rivals: readonly Near[]): boolean {
  const distances = rivals.flatMap(({ distance }) => (distance === undefined ? [] : [distance]))
  const [best = HASH_BITS, second = HASH_BITS] = distances.toSorted((one, other) => one - other)
  return best < SURE_DISTANCE && second - best > SURE_LEAD
}

function nearer(known: number | undefined, moved: Uint8Array, own: Uint8Array | undefined) {
  if (own === undefined) return undefined
  const distance = distanceOf(moved, own)
  return known === undefined ? distance : Math.min(known, distance)
}
