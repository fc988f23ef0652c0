import { cleanName } from '../../catalog/names.ts'
import type { ListedProduct } from './files.ts'
import { nameExpansion } from './match-expansions.ts'
import { CONFIDENCE } from './match-group.ts'
import type { ExpansionMatch, MatchableCard, MatchInput, ProductMatch } from './matchable.ts'

/**
 * Matches sealed products by the words of their names, without the words of the set's name: "Lost Origin Booster" is
 * the "Booster Pack" of that set. Products of expansions without a set are compared with all sets, by all words.
 */
export function matchSealed(
  { products, cards, sets }: Omit<MatchInput, 'known'>,
  expansions: ReadonlyMap<number, ExpansionMatch>,
): Map<number, ProductMatch> {
  const setNames = new Map(sets.map(({ id, name }) => [id, name]))
  const sealedCards = cards.filter(({ is_sealed }) => is_sealed)
  if (sealedCards.length === 0) return new Map()
  const sealed = products.filter(({ is_sealed }) => is_sealed)
  const names = nameAll(sealed)
  const matched = new Set(expansions.keys())
  const ofSets = pairByKey(
    sealed.filter(({ expansion_id }) => matched.has(expansion_id)),
    sealedCards,
    ({ name, expansion_id }) => {
      const set = expansions.get(expansion_id)?.set_id ?? 0
      const own = [setNames.get(set) ?? '', names.get(expansion_id) ?? '']
      return `${set} ${wordKey(name, own)}`
    },
    ({ name, set_id }) => `${set_id} ${wordKey(name, [setNames.get(set_id) ?? ''])}`,
  )
  const taken = new Set([...ofSets.values()].map(({ card_id }) => card_id))
  const others = pairByKey(
    sealed.filter(({ id }) => !ofSets.has(id)),
    sealedCards.filter(({ id }) => !taken.has(id)),
    ({ name }) => wordKey(name, []),
    ({ name }) => wordKey(name, []),
  )
  return new Map([...ofSets, ...others])
}

function nameAll(sealed: readonly ListedProduct[]): Map<number, string | null> {
  const groups = Map.groupBy(sealed, ({ expansion_id }) => expansion_id)
  return new Map([...groups].map(([id, own]) => [id, nameExpansion(own.map(({ name }) => name))]))
}

/** Pairs a product with a card if each is the only one with its key. */
function pairByKey(
  products: readonly ListedProduct[],
  cards: readonly MatchableCard[],
  keyOfProduct: (product: ListedProduct) => string,
  keyOfCard: (card: MatchableCard) => string,
): Map<number, ProductMatch> {
  const cardsByKey = Map.groupBy(cards, keyOfCard)
  const matches = new Map<number, ProductMatch>()
  for (const [key, own] of Map.groupBy(products, keyOfProduct)) {
    const [product, ...more] = own
    const [card, ...namesakes] = cardsByKey.get(key) ?? []
    if (product === undefined || card === undefined) continue
    if (more.length + namesakes.length > 0 || key.trim() === '') continue
    const { name: confidence } = CONFIDENCE
    matches.set(product.id, { card_id: card.id, printing: null, method: 'name', confidence })
  }
  return matches
}

/** Returns the sorted words of a name, without words of other names and without generic words. */
function wordKey(name: string, without: readonly string[]): string {
  const left = new Set([...without.flatMap(wordsOf), ...EMPTY_WORDS])
  return wordsOf(name)
    .filter((word) => !left.has(word))
    .sort()
    .join(' ')
}

function wordsOf(name: string): string[] {
  const text = cleanName(name.replace(/['’]/g, '')).toLowerCase()
  return text.replace(/\bdisplay\b/g, 'booster box').split(' ')
}

const EMPTY_WORDS = ['pack', 'the', 'of', 'a', 'magic', 'gathering', 'pokemon', 'tcg']
