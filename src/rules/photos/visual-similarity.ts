import type { CandidateCard } from './candidate-card.ts'
import type { Neighbor } from './photo-reading.ts'
import { HASH_BITS } from './rerank-score.ts'
import { THRESHOLDS } from './thresholds.ts'

/** Similarity of a photo to a card. */
export type VisualSimilarity = ArtSimilarity & {
  /** Additional differing bits compared with the nearest picture of the same art; 0 for the nearest. */
  apart: number
  /** True if the card has no indexed picture, and the similarity is that of a card with the same name. */
  isInherited: boolean
  /** True if the card has no indexed picture, and was found by a photo that people have named. */
  isLearned: boolean
}

/** Similarity of a photo to an art. */
type ArtSimilarity = {
  /** Key of the art. */
  art: string
  cosine: number
  /** Lead of the cosine over the best card with another art; negative if it is lower. */
  margin: number
  /** Differing bits of 1,024. */
  distance: number
  /**
   * Lead of the distance over the best card with another art; negative if it is larger. 0 if the hash of another art,
   * whose vector is about as close, was not compared.
   */
  lead: number
}

/** Limits of a picture; thresholds.ts has several. */
type PictureLimits = Readonly<{
  cosineMin: number
  marginMin: number
  distanceMax: number
  leadMin?: number
}>

/** Returns true if all measures of a similarity are within the limits. */
export function isWithinLimits(
  { cosine, margin, distance, lead }: VisualSimilarity,
  { cosineMin, marginMin, distanceMax, leadMin = Number.NEGATIVE_INFINITY }: PictureLimits,
): boolean {
  return cosine >= cosineMin && margin >= marginMin && distance <= distanceMax && lead >= leadMin
}

/** Returns true if a card's own catalog picture is within the limits. */
export function isOwnPictureWithin(
  similarity: VisualSimilarity | undefined,
  limits: PictureLimits,
): boolean {
  if (similarity === undefined || similarity.isInherited || similarity.isLearned) return false
  return isWithinLimits(similarity, limits)
}

/** Distance if no hash was compared: half of the bits, as for random pictures. */
const DISTANCE_UNKNOWN = HASH_BITS / 2

/**
 * Returns the similarity of each card, by id. Cards of one art share all values but `apart`. A card
 * without an indexed picture gets the similarity of the most similar card with the same name.
 *
 * @param cards the remaining candidates, ordered by id
 */
export function similarities(
  neighbors: readonly Neighbor[],
  cards: readonly CandidateCard[],
): Map<number, VisualSimilarity> {
  const byArt = withMargins(bestByArt(neighbors, cards))
  const byName = new Map<string, ArtSimilarity>()
  for (const card of cards) {
    const similarity = byArt.get(artOf(card))
    if (similarity === undefined) continue
    const known = byName.get(nameOf(card))
    if (known === undefined || known.cosine < similarity.cosine)
      byName.set(nameOf(card), similarity)
  }
  const distances = new Map(neighbors.map(({ card_id, distance }) => [card_id, distance]))
  const learned = new Set(neighbors.flatMap((one) => (one.isLearned ? [one.card_id] : [])))
  return new Map(
    cards.flatMap((card) => {
      // A neighbor has a picture, even if it was not yet grouped.
      const isKnown = card.art_group !== null || distances.has(card.id)
      const similarity = byArt.get(artOf(card)) ?? (isKnown ? undefined : byName.get(nameOf(card)))
      if (similarity === undefined) return []
      const own = isKnown ? (distances.get(card.id) ?? DISTANCE_UNKNOWN) : similarity.distance
      const apart = Math.max(0, own - similarity.distance)
      const isLearned = learned.has(card.id)
      return [[card.id, { ...similarity, apart, isInherited: !isKnown, isLearned }]]
    }),
  )
}

/** Returns the best cosine and distance of each art. */
function bestByArt(neighbors: readonly Neighbor[], cards: readonly CandidateCard[]) {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const arts = new Map<string, UnledSimilarity>()
  for (const { card_id, cosine, distance: compared } of neighbors) {
    const card = byId.get(card_id)
    if (card === undefined) continue
    const art = artOf(card)
    const distance = compared ?? DISTANCE_UNKNOWN
    const known = arts.get(art) ?? { cosine, distance, isCompared: false }
    arts.set(art, {
      art,
      cosine: Math.max(known.cosine, cosine),
      distance: Math.min(known.distance, distance),
      isCompared: known.isCompared || compared !== undefined,
    })
  }
  return arts
}

type UnledSimilarity = Omit<ArtSimilarity, 'margin' | 'lead'> & { isCompared: boolean }

function withMargins(arts: ReadonlyMap<string, UnledSimilarity>): Map<string, ArtSimilarity> {
  const [first, second] = [...arts.values()].toSorted((one, other) => other.cosine - one.cosine)
  return new Map(
    [...arts].map(([key, similarity]) => {
      const { art, cosine, distance } = similarity
      const rival = similarity === first ? second : first
      const margin = cosine - Math.max(rival?.cosine ?? 0, 0)
      return [key, { art, cosine, distance, margin, lead: leadOf(similarity, arts.values()) }]
    }),
  )
}

function leadOf(own: UnledSimilarity, arts: Iterable<UnledSimilarity>): number {
  const rivals = [...arts].filter((one) => one !== own)
  const isClose = ({ cosine }: UnledSimilarity) =>
    own.cosine - cosine < THRESHOLDS.matched.byArt.marginMin
  if (rivals.some((rival) => !rival.isCompared && isClose(rival))) return 0
  return Math.min(DISTANCE_UNKNOWN, ...rivals.map(({ distance }) => distance)) - own.distance
}

function artOf({ id, art_group }: CandidateCard): string {
  return art_group === null ? `card ${id}` : `art ${art_group}`
}

function nameOf({ game, clean_name }: CandidateCard): string {
  return `${game.id} ${clean_name}`
}
