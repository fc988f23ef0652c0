import type { CandidateCard } from './candidate-card.ts'
import type { Neighbor } from './photo-reading.ts'
import { HASH_BITS } from './rerank-score.ts'

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
  /** Lead of the distance over the best card with another art; negative if it is larger. */
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
  for (const { card_id, cosine, distance = DISTANCE_UNKNOWN } of neighbors) {
    const card = byId.get(card_id)
    if (card === undefined) continue
    const art = artOf(card)
    const known = arts.get(art) ?? { cosine, distance }
    arts.set(art, {
      art,
      cosine: Math.max(known.cosine, cosine),
      distance: Math.min(known.distance, distance),
    })
  }
  return arts
}

type UnledSimilarity = Omit<ArtSimilarity, 'margin' | 'lead'>

function withMargins(arts: ReadonlyMap<string, UnledSimilarity>): Map<string, ArtSimilarity> {
  const [first, second] = [...arts.values()].toSorted((one, other) => other.cosine - one.cosine)
  const [near, next] = [...arts.values()].toSorted((one, other) => one.distance - other.distance)
  return new Map(
    [...arts].map(([art, similarity]) => {
      const rival = similarity === first ? second : first
      const margin = similarity.cosine - Math.max(rival?.cosine ?? 0, 0)
      const nearest = similarity === near ? next : near
      const lead = (nearest?.distance ?? DISTANCE_UNKNOWN) - similarity.distance
      return [art, { ...similarity, margin, lead }]
    }),
  )
}

function artOf({ id, art_group }: CandidateCard): string {
  return art_group === null ? `card ${id}` : `art ${art_group}`
}

function nameOf({ game, clean_name }: CandidateCard): string {
  return `${game.id} ${clean_name}`
}
