// Looks again at a photo in which no picture was found with certainty: at other places, and in other crops.
import { rerankScore } from '#rules/photos/rerank-score.ts'
import type { CardObservation } from '../observation.ts'
import type { LearnedSearch } from './learned-search.ts'
import {
  isFound,
  type LoadHashes,
  matchLook,
  matchPictures,
  type PictureMatch,
} from './match-pictures.ts'
import { isOrientationCertain } from './rerank.ts'

/** A card with the pictures that it resembles. */
export type Sighting = { card: CardObservation; match: PictureMatch }

/** Maximum distance of a further look. A stranger has at least 360 bits, and comes closer with each look. */
const DISTANCE_MAX = 360

/**
 * Compares a photo with the pictures, and looks again if none is certain: at other places if none was found, then in
 * other crops. Corners whose crop resembles nothing are not believed, however confident they are.
 */
export async function findPicture(
  search: LearnedSearch,
  seen: CardObservation,
  gameId: number | undefined,
  loadHashes: LoadHashes,
): Promise<Sighting> {
  let best: Sighting = { card: seen, match: await matchPictures(search, seen, gameId, loadHashes) }
  // Without pictures nothing is gained.
  if (search.count() === 0 || (seen.orientations > 0 && best.match.hits.length === 0)) return best

  async function look(
    others: Iterable<CardObservation>,
    orientation: number,
    isEnough: typeof isCertain,
  ) {
    for (const card of others) {
      const match = await matchLook(search, card, gameId, { orientation, loadHashes })
      if (match !== undefined && isCloser(match, best.match)) best = { card, match }
      if (isEnough(best.match)) return
    }
  }
  const isPlaceFound = ({ neighbors }: PictureMatch) => isFound(neighbors)
  if (!isPlaceFound(best.match)) await look(seen.elsewhere?.() ?? [], 0, isPlaceFound)
  const [nearest] = best.match.hits
  if (!isCertain(best.match))
    await look(best.card.recrop?.() ?? [], nearest?.queryIndex ?? 0, isCertain)
  return best
}

/** Returns true if neither another place nor another crop can make a match more certain. */
function isCertain({ hits, neighbors }: PictureMatch): boolean {
  return isFound(neighbors) && isOrientationCertain(hits)
}

/** Returns true if a look shows a picture, and more clearly than the best one before. */
function isCloser(look: PictureMatch, best: PictureMatch): boolean {
  const [nearest] = look.neighbors
  const isSimilar = nearest?.distance !== undefined && nearest.distance <= DISTANCE_MAX
  return isSimilar && clarity(look) > clarity(best)
}

/** Returns the score of the nearest picture by both measures. */
function clarity({ neighbors: [nearest] }: PictureMatch): number {
  return nearest === undefined ? Number.NEGATIVE_INFINITY : rerankScore(nearest)
}
