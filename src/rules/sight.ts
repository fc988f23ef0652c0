import type { CandidateCard } from './candidate.ts'
import type { Near } from './reading.ts'
import { THRESHOLDS } from './thresholds.ts'

/** How much a photo looks like a card's art. */
export type Sight = {
  /** Cards of one art have the same. */
  art: string
  cosine: number
  /** The cosine's lead over the best card that shows another art; negative behind it. */
  margin: number
  /** Differing bits of 1,024. */
  distance: number
}

/**
 * What was seen of each card, by its id. Cards of one art share it: which of them is a little nearer
 * says nothing. A card whose picture is not known may show the art of its namesakes, so it is taken
 * to look like the nearest of them.
 *
 * @param cards those that are still in question, in the order of their ids
 */
export function sightsOf(
  near: readonly Near[],
  cards: readonly CandidateCard[],
): Map<number, Sight> {
  const sights = withMargins(artsSeen(near, cards))
  const ofName = new Map<string, Sight>()
  for (const card of cards) {
    const sight = sights.get(artOf(card))
    if (sight === undefined) continue
    const known = ofName.get(nameOf(card))
    if (known === undefined || known.cosine < sight.cosine) ofName.set(nameOf(card), sight)
  }
  return new Map(
    cards.flatMap((card) => {
      const isKnown = card.art_group !== null
      const sight = sights.get(artOf(card)) ?? (isKnown ? undefined : ofName.get(nameOf(card)))
      return sight === undefined ? [] : [[card.id, sight]]
    }),
  )
}

/** The best that was seen of each art. */
function artsSeen(near: readonly Near[], cards: readonly CandidateCard[]) {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const arts = new Map<string, Omit<Sight, 'margin'>>()
  for (const { card_id, cosine, distance = THRESHOLDS.score.distanceUnknown } of near) {
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

function withMargins(arts: ReadonlyMap<string, Omit<Sight, 'margin'>>): Map<string, Sight> {
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
