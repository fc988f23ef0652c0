import { isSameNumber, withoutMarks } from '../../catalog/number-forms.ts'
import { isPrintingNamed } from '../../catalog/printings.ts'
import type { MatchableCard, MatchMethod, ProductMatch } from './matchable.ts'
import type { PositionGuide } from './positions.ts'
import { compareNumbers, type NameParts, normalizeTitle, parseCardName } from './product-name.ts'

/** Product with the parts of its name. */
export type ParsedProduct = { id: number; name: string; parts: NameParts }

/** Card with the parts of its name. */
export type ParsedCard = MatchableCard & { parts: NameParts; attackKeys: readonly string[] }

/** Products and cards of one set with one name. */
export type NameGroup = { products: readonly ParsedProduct[]; cards: readonly ParsedCard[] }

/** Adds the parts of a card's name. */
export function nameCard(card: MatchableCard): ParsedCard {
  const attackKeys = card.attacks.map(normalizeTitle).filter(Boolean)
  return { ...card, parts: parseCardName(card.name), attackKeys }
}

/**
 * Matches products and cards of the same name: each product with the card that its evidence favors, if that card also
 * favors the product. The rest is matched in order, but only if there are as many products as cards.
 */
export function matchGroup(
  { products, cards }: NameGroup,
  guide: PositionGuide | undefined,
): Map<number, ProductMatch> {
  const printings = assignPrintings(products, cards)
  if (printings !== undefined) return printings
  const matches = new Map<number, ProductMatch>()
  let pairs = ratePairs(products, cards, guide)
  for (;;) {
    const isRest = matches.size > 0
    const found = listFavorites(pairs).filter(({ score }) => score > 0 || !isRest)
    if (found.length === 0) break
    for (const { product, card, method } of found) matches.set(product.id, toMatch(card, method))
    pairs = pairs.filter(
      ({ product, card }) => !found.some((one) => one.product === product || one.card === card),
    )
  }
  for (const alike of Map.groupBy(products, signatureOf).values()) {
    if (alike.every(({ id }) => matches.has(id))) continue
    matchInOrder(alike, cards, { matches, guide })
  }
  return matches
}

/** Product and card that may be the same, with the evidence for it. */
type Pair = { product: ParsedProduct; card: ParsedCard; score: number; method: MatchMethod }

function ratePairs(
  products: readonly ParsedProduct[],
  cards: readonly ParsedCard[],
  guide: PositionGuide | undefined,
): Pair[] {
  return products.flatMap((product) => {
    const possible = cards.filter((card) => isPossible(product.parts, card))
    const place = guide?.choose(product.id, possible)
    return possible.map((card) => ({
      product,
      card,
      ...rate(product.parts, card, card === place),
    }))
  })
}

/** Returns false if names, attacks or numbers exclude each other. */
function isPossible({ attacks, labels, number }: NameParts, card: ParsedCard): boolean {
  if (number !== null && card.number !== null && !isSameNumber(number, withoutMarks(card.number)))
    return false
  if (labels.length > 0 && card.parts.labels.length > 0 && shared(labels, card.parts.labels) === 0)
    return false
  if (attacks.length === 0 || card.attackKeys.length === 0) return true
  // Either list may lack an ability.
  return shared(attacks, card.attackKeys) === Math.min(attacks.length, card.attackKeys.length)
}

function rate(
  parts: NameParts,
  card: ParsedCard,
  isPlace: boolean,
): Pick<Pair, 'score' | 'method'> {
  const { attacks, labels, number } = parts
  const isNumbered = number !== null && card.number !== null
  const labelsShared = shared(labels, card.parts.labels)
  const isLabeled =
    labelsShared > 0 && labelsShared === Math.max(labels.length, card.parts.labels.length)
  const isSameAttacks =
    attacks.length > 0 &&
    attacks.length === card.attackKeys.length &&
    shared(attacks, card.attackKeys) === attacks.length
  const score =
    (isNumbered ? 8 : 0) +
    (isLabeled ? 4 : labelsShared) +
    (isPlace ? 4 : 0) +
    (isSameAttacks ? 2 : 0)
  if (isNumbered) return { score, method: 'number' }
  if (isLabeled) return { score, method: 'label' }
  if (isPlace) return { score, method: 'position' }
  return { score, method: isSameAttacks ? 'attacks' : 'name' }
}

/** Lists the pairs in which neither side has an equal or better partner. */
function listFavorites(pairs: readonly Pair[]): Pair[] {
  const byProduct = Map.groupBy(pairs, ({ product }) => product)
  const byCard = Map.groupBy(pairs, ({ card }) => card)
  return pairs.filter((pair) => {
    const rivals = [...(byProduct.get(pair.product) ?? []), ...(byCard.get(pair.card) ?? [])]
    const others = rivals.filter((rival) => rival !== pair)
    return others.length === 0 || others.every(({ score }) => score < pair.score)
  })
}

/** Returns what distinguishes products with the same name. */
function signatureOf({ parts: { attacks, labels, number } }: ParsedProduct): string {
  return JSON.stringify([attacks.toSorted(), labels.toSorted(), number])
}

/**
 * Matches otherwise equal products, in the order of their versions or ids, to as many cards in the order of their
 * numbers. Certain matches must agree with this order.
 */
function matchInOrder(
  products: readonly ParsedProduct[],
  cards: readonly ParsedCard[],
  { matches, guide }: { matches: Map<number, ProductMatch>; guide: PositionGuide | undefined },
): void {
  const possible = cards.filter((card) => products.every(({ parts }) => isPossible(parts, card)))
  const taken = new Set([...matches.values()].map(({ card_id }) => card_id))
  const [last, ...others] = products.filter(({ id }) => !matches.has(id))
  const [free, ...more] = possible.filter(({ id }) => !taken.has(id))
  const isEven = products.length === possible.length
  if (isEven && last !== undefined && free !== undefined && others.length + more.length === 0) {
    matches.set(last.id, toMatch(free, products.length === 1 ? 'name' : 'rest'))
    return
  }
  const pairs = pairInOrder(products, possible.toSorted(compareNumbers))
  const isAgreed = pairs.every(({ product, card }) => {
    const { card_id } = matches.get(product.id) ?? { card_id: card.id }
    return card_id === card.id && guide?.contradicts(product.id, card) !== true
  })
  const isVersioned = products.some(({ parts }) => parts.version !== null)
  if (!isAgreed || (!isVersioned && hasGap(pairs, guide))) return
  const method = matches.size > 0 ? 'rest' : 'order'
  for (const { product, card } of pairs) {
    if (!matches.has(product.id)) matches.set(product.id, toMatch(card, method))
  }
}

type OrderedPair = { product: ParsedProduct; card: ParsedCard }

/** Pairs n cards with the versions 1 to n, some of which may be missing, or with n products by their ids. */
function pairInOrder(
  products: readonly ParsedProduct[],
  cards: readonly ParsedCard[],
): OrderedPair[] {
  const versions = new Set(products.map(({ parts }) => parts.version))
  if (!versions.has(null)) {
    const last = Math.max(...products.map(({ parts }) => parts.version ?? 0))
    if (versions.size < products.length || last !== cards.length) return []
    return products.flatMap((product) => {
      const card = cards[(product.parts.version ?? 0) - 1]
      return card === undefined ? [] : [{ product, card }]
    })
  }
  if (versions.size > 1 || products.length !== cards.length) return []
  const sorted = products.toSorted((a, b) => a.id - b.id)
  return sorted.flatMap((product, index) => {
    const card = cards[index]
    return card === undefined ? [] : [{ product, card }]
  })
}

/**
 * Returns true if gaps between ids differ from those between the places of the cards, which means that a product and
 * another card are missing.
 */
function hasGap(pairs: readonly OrderedPair[], guide: PositionGuide | undefined): boolean {
  return pairs.some(({ product, card }, index) => {
    const next = pairs[index + 1]
    if (next === undefined || guide === undefined) return false
    const ids = next.product.id - product.id
    const { numbers, ranks } = guide.measure(card, next.card)
    return [numbers ?? ranks, ranks].every((steps) => Math.abs(ids - steps) > steps * DRIFT)
  })
}

/** Share of the products between two others that may be missing, so that ids differ less than places. */
const DRIFT = 0.1

/** Matches several products with one card, if each is named after one of its printings. */
function assignPrintings(
  products: readonly ParsedProduct[],
  cards: readonly ParsedCard[],
): Map<number, ProductMatch> | undefined {
  const [card] = cards
  if (card === undefined || cards.length > 1 || products.length < 2) return undefined
  const matches = new Map<number, ProductMatch>()
  for (const { id, parts } of products) {
    const named = card.printings.find(({ printing }) =>
      parts.labels.some((label) => isPrintingNamed(label, printing)),
    )
    if (named === undefined) return undefined
    matches.set(id, { ...toMatch(card, 'label'), printing: named.printing })
  }
  const isDistinct = new Set([...matches.values()].map(({ printing }) => printing)).size
  return isDistinct === products.length ? matches : undefined
}

function shared(some: readonly string[], others: readonly string[]): number {
  return some.filter((one) => others.includes(one)).length
}

function toMatch(card: ParsedCard, method: MatchMethod): ProductMatch {
  return { card_id: card.id, printing: null, method, confidence: CONFIDENCE[method] }
}

/** Shares of correct matches, rounded down, on lists generated from a real catalog (decision 42). */
export const CONFIDENCE: Readonly<Record<MatchMethod, number>> = {
  operator: 1,
  number: 0.99,
  position: 0.98,
  attacks: 0.98,
  label: 0.98,
  name: 0.99,
  rest: 0.95,
  order: 0.9,
  spelling: 0.9,
}
