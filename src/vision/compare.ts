// The second measure of what is near: where every patch of the picture lies.
import { orderNear, RERANKED } from '#rules/near.ts'
import { distanceOf } from '#rules/pictures.ts'
import type { Near } from '#rules/reading.ts'
import type { Sight } from './eye.ts'
import type { Found } from './nearest.ts'

/** The cards whose hashes are asked for: those that the vectors put first. */
export function comparedIds(found: readonly Found[]): number[] {
  return found.slice(0, RERANKED).map(({ card_id }) => card_id)
}

/**
 * The cards with their distances, best first. A photo's corners are never exact, so a picture's hash is
 * compared with those of many slightly moved crops. The nearest card tells which way is up: for the
 * other way no crops are made.
 */
export function compare(
  found: readonly Found[],
  sight: Pick<Sight, 'hashes'>,
  hashes: ReadonlyMap<number, Uint8Array>,
): Near[] {
  const [first] = found
  const moved = first === undefined || hashes.size === 0 ? [] : sight.hashes(first.asked)
  const near = found.map(({ card_id, cosine, asked }) => {
    const own = asked === first?.asked ? hashes.get(card_id) : undefined
    const distances = own === undefined ? [] : moved.map((hash) => distanceOf(hash, own))
    return { card_id, cosine, distance: distances.length > 0 ? Math.min(...distances) : undefined }
  })
  return orderNear(near)
}
