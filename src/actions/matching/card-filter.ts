import { parseNumber } from '#rules/catalog/number-forms.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import {
  type ComparedCard,
  type ComparedSet,
  compareCard,
  compareSet,
  type Hint,
  type HintFilter,
  matchesFilter,
  parseHint,
} from '#rules/matching/card-hints.ts'
import { byPrice, type CardFacts } from '#store/catalog/card-facts.ts'
import { TOP_CARDS_MAX } from '#store/catalog/name-prices.ts'
import type { NameHit } from '#store/catalog/names.ts'
import type { Effort } from './line-effort.ts'
import type { NameItem } from './name-index.ts'

/** Text that follows a name: a set, a number, a word of the title or a printing. */
type Hints = {
  suffixes: readonly string[]
  /** True if numbers among them may lack the code that precedes them in the catalog. */
  isCodeOptional: boolean
}

/**
 * Filters the cards with some names by hints and by the properties of an item. Cards are in the order of their names,
 * and within a name sorted by price, highest first.
 */
export type FilterCards = (hits: readonly NameHit[], hints: Hints) => Generator<undefined, number[]>

type FilterOptions = {
  item: Pick<NameItem, 'number' | 'printing'>
  effort: Effort
}

/** Returns a function that creates the filter of an item. */
export function createCardFilters(getFacts: (ids: readonly number[]) => CardFacts[]) {
  const sets = new Map<number, ComparedSet>()
  const printings = new Map<string, string>()

  function compare(facts: CardFacts): ComparedCard {
    const known = comparedByFacts.get(facts)
    if (known !== undefined) return known
    const set = sets.get(facts.set_id) ?? compareSet(facts)
    sets.set(facts.set_id, set)
    const card = compareCard(facts, set, facts.printings.map(normalizePrinting))
    comparedByFacts.set(facts, card)
    return card
  }

  function normalizePrinting(name: string): string {
    const known = printings.get(name) ?? normalizeName(name)
    printings.set(name, known)
    return known
  }

  return ({ item, effort }: FilterOptions): FilterCards => {
    const hintsByText = new Map<string, Hint>()
    const cardsByHit = new Map<NameHit, readonly CardFacts[]>()
    const read = new Set<number>()
    const number = item.number === undefined ? undefined : parseNumber(item.number)
    const printing = item.printing === undefined ? undefined : normalizeName(item.printing)

    function getHint(text: string): Hint {
      const hint = hintsByText.get(text) ?? parseHint(text)
      hintsByText.set(text, hint)
      return hint
    }

    /** Reads the cards of a name, which other readings of the line filter again. */
    function* readCards(hit: NameHit): Generator<undefined, readonly CardFacts[]> {
      const known = cardsByHit.get(hit)
      if (known !== undefined) return known
      const all = hit.listAll()
      let cards: CardFacts[] = []
      for (let at = 0; at < all.length; at += BATCH) {
        const batch = at === 0 && all.length <= BATCH ? all : all.slice(at, at + BATCH)
        const before = read.size
        for (const id of batch) read.add(id)
        if (!effort.spend((read.size - before) * READ_COST)) break
        const facts = getFacts(batch)
        cards = at === 0 ? facts : [...cards, ...facts].sort(byPrice)
        if (batch.length === BATCH) yield
      }
      cardsByHit.set(hit, cards)
      return cards
    }

    return function* filterCards(hits, { suffixes, isCodeOptional }) {
      const ids = new Set<number>()
      const filter: HintFilter = { hints: suffixes.map(getHint), isCodeOptional, number, printing }
      let compared = 0
      for (const hit of hits) {
        const cards = yield* readCards(hit)
        if (!effort.spend(cards.length)) break
        for (const facts of cards) if (matchesFilter(compare(facts), filter)) ids.add(facts.id)
        if (ids.size >= TOP_CARDS_MAX) break
        compared += cards.length
        if (compared < BATCH) continue
        compared = 0
        yield
      }
      return [...ids].slice(0, TOP_CARDS_MAX)
    }
  }
}

/** Reading a card for the first time takes as long as so many comparisons. */
const READ_COST = 20

/** The forms of cards, for as long as the store caches their facts. */
const comparedByFacts = new WeakMap<CardFacts, ComparedCard>()

/** A batch takes a fraction of a millisecond; a basic land has thousands of cards. */
const BATCH = 200
