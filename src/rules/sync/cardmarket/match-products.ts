import { matchExpansions } from './match-expansions.ts'
import {
  matchGroup,
  type NameGroup,
  nameCard,
  type ParsedCard,
  type ParsedProduct,
} from './match-group.ts'
import { matchSealed } from './match-sealed.ts'
import { matchSpelling } from './match-spelling.ts'
import type { ExpansionMatch, MatchInput, ProductMatch } from './matchable.ts'
import { createPositionGuide, type PositionGuide } from './positions.ts'
import { parseProductName } from './product-name.ts'

/** Cards of products, and sets of expansions. */
export type MatchResult = {
  expansions: Map<number, ExpansionMatch>
  products: Map<number, ProductMatch>
}

/**
 * Matches the products of a game with the cards of the catalog: expansions with sets, then the products of each with
 * the cards of its set. A wrong match is worse than none, so anything ambiguous is skipped.
 */
export function matchCatalog(input: MatchInput): MatchResult {
  const { products, cards, sets, known } = input
  const expansions = matchExpansions(products, cards, sets, known)
  const cardsBySet = Map.groupBy(
    cards.filter(({ is_sealed }) => !is_sealed),
    ({ set_id }) => set_id,
  )
  const singles = products.filter(({ is_sealed }) => !is_sealed)
  const matches = new Map<number, ProductMatch>()
  for (const [expansion, listed] of Map.groupBy(singles, ({ expansion_id }) => expansion_id)) {
    const set = expansions.get(expansion)?.set_id
    const own = set === undefined ? undefined : cardsBySet.get(set)
    if (own === undefined) continue
    const named = listed.map(({ id, name }) => ({ id, name, parts: parseProductName(name) }))
    addAll(matches, matchExpansion(named, own.map(nameCard)))
  }
  addAll(matches, matchSealed(input, expansions))
  return { expansions, products: matches }
}

/** Matches the products of an expansion: first unique names, whose places then help with the others. */
function matchExpansion(
  products: readonly ParsedProduct[],
  cards: readonly ParsedCard[],
): Map<number, ProductMatch> {
  const groups = groupByName(products, cards)
  const [unique, others] = partition(groups, isUnique)
  const byName = matchAll(unique, undefined)
  let matches = byName
  let guide = createPositionGuide(certainOf(matches), cards)
  // The second pass uses the places that the first one found.
  for (let pass = 0; pass < PASSES; pass++) {
    matches = new Map([...byName, ...matchAll(others, guide)])
    guide = createPositionGuide(certainOf(matches), cards)
  }
  const keys = new Set(groups.map(({ key }) => key))
  const isLeft = ({ parts }: ParsedProduct | ParsedCard) => !keys.has(parts.key)
  addAll(matches, matchSpelling(products.filter(isLeft), cards.filter(isLeft), guide))
  return matches
}

const PASSES = 3

function isUnique({ products, cards }: NameGroup): boolean {
  return products.length === 1 && cards.length === 1
}

function partition<T>(values: readonly T[], has: (value: T) => boolean): [T[], T[]] {
  return [values.filter(has), values.filter((value) => !has(value))]
}

/** Returns the card ids of products with a certain place. */
function certainOf(matches: ReadonlyMap<number, ProductMatch>): Map<number, number> {
  const certain = [...matches].filter(([, { method }]) => method !== 'order' && method !== 'rest')
  return new Map(certain.map(([id, { card_id }]) => [id, card_id]))
}

/** Groups products and cards by name. Skips names that only one side has. */
function groupByName(
  products: readonly ParsedProduct[],
  cards: readonly ParsedCard[],
): (NameGroup & { key: string })[] {
  const cardsByKey = Map.groupBy(cards, ({ parts }) => parts.key)
  return [...Map.groupBy(products, ({ parts }) => parts.key)].flatMap(([key, own]) => {
    const namesakes = cardsByKey.get(key)
    return namesakes === undefined ? [] : [{ key, products: own, cards: namesakes }]
  })
}

function matchAll(groups: readonly NameGroup[], guide: PositionGuide | undefined) {
  return new Map(groups.flatMap((group) => [...matchGroup(group, guide)]))
}

function addAll<K, V>(target: Map<K, V>, more: ReadonlyMap<K, V>): void {
  for (const [key, value] of more) target.set(key, value)
}
