import type { CandidateCard } from './candidate-card.ts'
import type { Neighbor } from './photo-reading.ts'
import { HASH_BITS } from './rerank-score.ts'

/** How much a photo looks like a card. */
export type VisualSimilarity = ArtSimilarity & {
  /** How many more bits of the card's own picture differ than of the nearest of its art; 0: it is that. */
  apart: number
}

/** How much a photo looks like an art. */
type ArtSimilarity = {
  /** Cards of one art have the same. */
  art: string
  cosine: number
  /** The cosine's lead over the best card that shows another art; negative behind it. */
  margin: number
  /** Differing bits of 1,024. */
  distance: number
}

/** What was not compared counts as chance: half of the bits. */
const DISTANCE_UNKNOWN = HASH_BITS / 2

/**
 * What was seen of each card, by its id. Cards of one art share all but how far each picture is apart.
 * A card whose picture is not known may show the art of its namesakes, so it is taken to look like the
 * nearest of them.
 *
 * @param cards those that are still in question, in the order of their ids
 */
export function similarities(
  neighbor: readonly Neighbor[],
  cards: readonly CandidateCard[],
): Map<number, VisualSimilarity> {
  const sights = withMargins(artsSeen(neighbor, cards))
  const ofName = new Map<string, ArtSimilarity>()
  for (const card of cards) {
    const sight = sights.get(artOf(card))
    if (sight === undefined) continue
    const known = ofName.get(nameOf(card))
    if (known === undefined || known.cosine < sight.cosine) ofName.set(nameOf(card), sight)
  }
  const distances = new Map(neighbor.map(({ card_id, distance }) => [card_id, distance]))
  return new Map(
    cards.flatMap((card) => {
      const isKnown = card.art_group !== null
      const sight = sights.get(artOf(card)) ?? (isKnown ? undefined : ofName.get(nameOf(card)))
      if (sight === undefined) return []
      const own = isKnown ? (distances.get(card.id) ?? DISTANCE_UNKNOWN) : sight.distance
      return [[card.id, { ...sight, apart: Math.max(0, own - sight.distance) }]]
    }),
  )
}

/** The best that was seen of each art. */
function artsSeen(neighbor: readonly Neighbor[], cards: readonly CandidateCard[]) {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const arts = new Map<string, Omit<ArtSimilarity, 'margin'>>()
  for (const { card_id, cosine, distance = DISTANCE_UNKNOWN } of neighbor) {
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

function withMargins(
  arts: ReadonlyMap<string, Omit<ArtSimilarity, 'margin'>>,
): Map<string, ArtSimilarity> {
  const [first, second] = [...arts.values()].toSorted((one, other) => other.cosine - one.cosine)
  return new Map(
    [...arts].map(([art, sight]) => {
      const rival = sight === first ? second : first
      return [art, { ...sight, margin: sight.cosine - Math.max(rival?.cosine ?? 0, 0) }]
    }),
  )
}

function artOf({ id, art_group }: CandidateCard): string {
  return art_group === null ? `card ${id}` : `art ${art_group}`
}

function nameOf({ game, clean_name }: CandidateCard): string {
  return `${game.id} ${clean_name}`
}
