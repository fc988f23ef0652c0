import type { ListedProduct } from './files.ts'
import type { MatchableCard, MatchMethod, ProductMatch } from './matchable.ts'

/** Stored card of a product, and how it was matched. */
export type StoredMatch = {
  card_id: number | null
  printing: string | null
  method: MatchMethod | null
  confidence: number | null
  card_name: string | null
  card_set_id: number | null
}

export const NO_MATCH: StoredMatch = {
  card_id: null,
  printing: null,
  method: null,
  confidence: null,
  card_name: null,
  card_set_id: null,
}

/** Stored product. */
type KnownProduct = Pick<ListedProduct, 'id' | 'name' | 'expansion_id'> & StoredMatch

/**
 * Chooses the card of each listed product: the stored one if neither the product nor the card has changed, otherwise
 * a new one that no other product has. An operator's choice is kept.
 *
 * @param known stored products by id
 * @param found new matches by product id
 */
export function mergeMatches(
  products: readonly ListedProduct[],
  known: ReadonlyMap<number, KnownProduct>,
  found: ReadonlyMap<number, ProductMatch>,
  cards: ReadonlyMap<number, MatchableCard>,
): Map<number, StoredMatch> {
  const merged = new Map<number, StoredMatch>()
  const taken = new Set<string>()
  for (const product of products) {
    const stored = known.get(product.id)
    if (stored === undefined || !isCurrent(stored, product, cards)) continue
    merged.set(product.id, stored)
    taken.add(targetOf(stored))
  }
  for (const { id } of products) {
    if (merged.has(id)) continue
    const match = found.get(id)
    const card = match && cards.get(match.card_id)
    const isFree = match !== undefined && card !== undefined && !taken.has(targetOf(match))
    merged.set(id, isFree ? { ...match, card_name: card.name, card_set_id: card.set_id } : NO_MATCH)
  }
  return merged
}

function isCurrent(
  stored: KnownProduct,
  product: ListedProduct,
  cards: ReadonlyMap<number, MatchableCard>,
): boolean {
  if (stored.method === 'operator') return true
  if (stored.name !== product.name || stored.expansion_id !== product.expansion_id) return false
  const card = stored.card_id === null ? undefined : cards.get(stored.card_id)
  return (
    card?.name === stored.card_name && card?.set_id === stored.card_set_id && card !== undefined
  )
}

function targetOf({ card_id, printing }: Pick<StoredMatch, 'card_id' | 'printing'>): string {
  return `${card_id} ${printing ?? ''}`
}
