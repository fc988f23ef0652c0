import { computeTrigrams } from '../../catalog/trigrams.ts'
import { CONFIDENCE, type ParsedCard, type ParsedProduct } from './match-group.ts'
import type { ProductMatch } from './matchable.ts'
import type { PositionGuide } from './positions.ts'

/**
 * Matches products and cards of one set with differently spelled names: the most similar ones, if they also have the
 * same attacks or the same place, or are almost equal.
 */
export function matchSpelling(
  products: readonly ParsedProduct[],
  cards: readonly ParsedCard[],
  guide: PositionGuide,
): Map<number, ProductMatch> {
  const trigrams = cards.map(({ parts }) => new Set(computeTrigrams(parts.key)))
  const pairs = products.flatMap((product) => {
    const own = computeTrigrams(product.parts.key)
    const place = guide.choose(product.id, cards)
    return cards.flatMap((card, index) => {
      const others = trigrams[index] ?? new Set()
      const similarity =
        (2 * own.filter((one) => others.has(one)).length) / (own.length + others.size)
      const support = Number(card === place) + Number(hasSameAttacks(product, card))
      const isLikely =
        similarity >= (support > 0 ? SUPPORTED_MIN : ALONE_MIN) && !isLonger(product, card)
      return isLikely && !guide.contradicts(product.id, card)
        ? [{ product, card, score: similarity + support }]
        : []
    })
  })
  const clear = pairs.filter((pair) =>
    pairs.every(
      (other) =>
        other === pair ||
        (other.product !== pair.product && other.card !== pair.card) ||
        other.score + MARGIN <= pair.score,
    ),
  )
  const { spelling: confidence } = CONFIDENCE
  return new Map(
    clear.map(({ product, card }) => [
      product.id,
      { card_id: card.id, printing: null, method: 'spelling', confidence },
    ]),
  )
}

/** Returns true if one name continues the other and therefore means another card: "Delphox" and "Delphox BREAK". */
function isLonger({ parts: { key } }: ParsedProduct, { parts }: ParsedCard): boolean {
  return key.startsWith(parts.key) || parts.key.startsWith(key)
}

function hasSameAttacks(
  { parts: { attacks } }: ParsedProduct,
  { attackKeys }: ParsedCard,
): boolean {
  return (
    attacks.length > 0 &&
    attacks.length === attackKeys.length &&
    attacks.every((attack) => attackKeys.includes(attack))
  )
}

/** Minimum similarity of names with the same place or attacks, and of names alone. */
const SUPPORTED_MIN = 0.4
const ALONE_MIN = 0.85
const MARGIN = 0.15
