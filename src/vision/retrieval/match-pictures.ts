// Finds the pictures that a photo shows, also if the photo is mirrored.
import type { Neighbor } from '#rules/photos/photo-reading.ts'
import { HASH_BITS } from '#rules/photos/rerank-score.ts'
import type { CardObservation } from '../observation.ts'
import type { LearnedSearch } from './learned-search.ts'
import { findNearest, isOrientationCertain, rerankByHash, rerankIds } from './rerank.ts'
import type { VectorHit, VectorSearch } from './vector-search.ts'

export type PictureMatch = {
  /** By vector, best first; `queryIndex` is the orientation of the photo. */
  hits: VectorHit[]
  /** The cards of `hits` with their hash distances, best first. */
  neighbors: Neighbor[]
  /** True if the card was found in the mirrored photo only. */
  isMirrored: boolean
}

/** Maximum distance of a photo to its own card; other cards have at least 360 bits. */
const FOUND_DISTANCE = 300
/**
 * Minimum by which the mirrored photo must be closer, in bits: the mirror image of a symmetric card is about equally
 * close.
 */
const MIRROR_LEAD_MIN = 60

/** Returns the hashes of the cards that have one. */
export type LoadHashes = (cardIds: number[]) => Promise<ReadonlyMap<number, Uint8Array>>

type Compared = Pick<CardObservation, 'orientations' | 'embed' | 'hashes'>

/**
 * Compares a photo with the pictures of one game or of all games. If none matches, the mirror image of the photo is
 * compared as well, because front cameras store mirrored pictures.
 */
export async function matchPictures(
  search: LearnedSearch,
  card: Compared,
  gameId: number | undefined,
  loadHashes: LoadHashes,
): Promise<PictureMatch> {
  const compare = (hits: VectorHit[]) => compareHashes(search, hits, card, loadHashes)
  const plain = { ...(await compare(findNearest(search, card, gameId))), isMirrored: false }
  if (plain.hits.length === 0 || isFound(plain.neighbors)) return plain
  const mirroredHits = findNearest(search, card, gameId, card.orientations)
  // Most photos without a match end here, which saves the hashes: they take as long as the vectors.
  if (!isOrientationCertain(mirroredHits)) return plain
  const mirrored = { ...(await compare(mirroredHits)), isMirrored: true }
  const lead = nearestDistance(plain.neighbors) - nearestDistance(mirrored.neighbors)
  return isFound(mirrored.neighbors) && lead >= MIRROR_LEAD_MIN ? mirrored : plain
}

async function compareHashes(
  search: LearnedSearch,
  hits: VectorHit[],
  card: Compared,
  loadHashes: LoadHashes,
): Promise<Pick<PictureMatch, 'hits' | 'neighbors'>> {
  const hashes = await loadKnown(search, hits, loadHashes)
  return { hits, neighbors: rerankByHash(hits, card, hashes) }
}

/** Returns the hashes of pictures, and of references of cards without one. */
async function loadKnown(
  search: LearnedSearch,
  hits: VectorHit[],
  loadHashes: LoadHashes,
): Promise<ReadonlyMap<number, Uint8Array>> {
  return search.addHashes(hits, hits.length === 0 ? new Map() : await loadHashes(rerankIds(hits)))
}

/** Minimum cosine of a further look, and maximum distance without shifted crops: beyond them it shows no picture. */
const LOOK_COSINE_MIN = 0.55
const LOOK_DISTANCE_MAX = 440

/**
 * Compares a further look at a photo in one orientation: that of its content, by which the detector orders the corners,
 * or that of an earlier look. Returns undefined if it resembles nothing, which most looks show at a small cost.
 */
export async function matchLook(
  search: LearnedSearch,
  { orientations, embed, hashes }: Compared,
  gameId: number | undefined,
  { orientation, loadHashes }: { orientation: number; loadHashes: LoadHashes },
): Promise<PictureMatch | undefined> {
  const hits = findNearest(search, { orientations: 1, embed }, gameId, orientation)
  if ((hits[0]?.cosine ?? 0) < LOOK_COSINE_MIN) return undefined
  const known = await loadKnown(search, hits, loadHashes)
  const [unshifted] = hashes(orientation)
  const coarse = rerankByHash(hits, { hashes: () => (unshifted ? [unshifted] : []) }, known)
  if (nearestDistance(coarse) > LOOK_DISTANCE_MAX) return undefined
  const isMirrored = orientation >= orientations
  return { hits, neighbors: rerankByHash(hits, { hashes }, known), isMirrored }
}

/**
 * Returns the orientation in which a photo shows a catalog picture; undefined if neither vector nor hash is certain. A
 * reference may itself be upside down.
 */
export function findOrientation({
  hits,
  neighbors,
}: Pick<PictureMatch, 'hits' | 'neighbors'>): number | undefined {
  const pictured = hits.filter(({ reference }) => reference === undefined)
  if (isOrientationCertain(pictured)) return pictured[0]?.queryIndex
  const found = neighbors.find((neighbor) => neighbor.isLearned !== true && isFound([neighbor]))
  return hits.find(({ card_id }) => card_id === found?.card_id)?.queryIndex
}

/** Returns the cosine of a vector to the nearest picture of one game or of all games; 0 without pictures. */
export function measureResemblance(
  search: Pick<VectorSearch, 'search'>,
  vector: Int8Array,
  gameId: number | undefined,
): number {
  return search.search([vector], { gameId, limit: 1 })[0]?.cosine ?? 0
}

/**
 * Decides by the pictures whether a detected back is one: dark full art can look like a back. If it matches a
 * picture, it is a front. Otherwise it loses its orientations and its match, so that it is neither read nor
 * identified.
 */
export function settleBack<Card extends Pick<CardObservation, 'kind' | 'orientations'>>(
  card: Card,
  match: PictureMatch,
): PictureMatch & { card: Card } {
  if (card.kind !== 'back') return { ...match, card }
  if (isFound(match.neighbors)) return { ...match, card: { ...card, kind: 'raw' } }
  return { card: { ...card, orientations: 0 }, hits: [], neighbors: [], isMirrored: false }
}

/** Returns true if a hash proves that the photo shows a picture. */
export function isFound(neighbors: readonly Neighbor[]): boolean {
  return nearestDistance(neighbors) <= FOUND_DISTANCE
}

function nearestDistance(neighbors: readonly Neighbor[]): number {
  return Math.min(...neighbors.map(({ distance }) => distance ?? HASH_BITS))
}
