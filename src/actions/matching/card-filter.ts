import { LRUCache } from 'lru-cache'
import { parseNumber } from '#rules/catalog/number-forms.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import {
  type ComparedCard,
  type ComparedSet,
  compareCard,
  compareSet,
  type Hint,
  hasProperties,
  matchesHint,
  parseHint,
} from '#rules/matching/card-hints.ts'
import type { CardFacts } from '#store/catalog/card-facts.ts'
import { TOP_CARDS_MAX } from '#store/catalog/name-prices.ts'
import type { NameHit } from '#store/catalog/names.ts'
import type { CardOrder } from './choose-cards.ts'
import type { Effort } from './line-effort.ts'
import type { NameItem } from './name-index.ts'

/** Text that follows a name: a set, a number, a word of the title or a printing. */
type Hints = {
  suffixes: readonly string[]
  /** True if numbers among them may lack the code that precedes them in the catalog. */
  isCodeOptional: boolean
  /** True if the cards have the whole name (line-effort.ts). */
  isWhole: boolean
  /** Order of the cards of a name. */
  order: CardOrder
}

/**
 * Filters the cards with some names by hints and by the properties of an item. Cards are in the order of their names,
 * and within a name in that of the hints.
 */
export type FilterCards = (
  hits: readonly NameHit[],
  hints: Hints,
) => Generator<undefined, FilteredCards>

export type FilteredCards = {
  ids: readonly number[]
  /** True if the effort did not suffice for all cards, so that others may match, too. */
  isCut: boolean
}

type FilterOptions = {
  item: Pick<NameItem, 'number' | 'printing'>
  effort: Effort
}

/** Returns a function that creates the filter of an item. */
export function createCardFilters(getFacts: (ids: readonly number[]) => CardFacts[]) {
  const sets = new Map<number, ComparedSet>()
  const knownPrintings = new Map<string, string>()
  let last = { name: '', bare: '' }

  function compare(facts: CardFacts): ComparedCard {
    const known = comparedByFacts.get(facts)
    if (known !== undefined) return known
    const set = sets.get(facts.set_id) ?? getSet(facts)
    sets.set(facts.set_id, set)
    const { name, number, printings } = facts
    const card = compareCard(
      { name: normalize(name), number, printings: printings.map(normalizePrinting) },
      set,
    )
    comparedByFacts.set(facts, card)
    return card
  }

  /** Cards are compared by name, and the next one has the same name. */
  function normalize(name: string): string {
    if (name !== last.name) last = { name, bare: normalizeName(name) }
    return last.bare
  }

  function normalizePrinting(name: string): string {
    const known = knownPrintings.get(name) ?? normalizeName(name)
    knownPrintings.set(name, known)
    return known
  }

  return ({ item, effort }: FilterOptions): FilterCards => {
    const hintsByText = new Map<string, Hint>()
    const matchesByHit = new Map<NameHit, Map<string, readonly CardFacts[]>>()
    const read = new Set<number>()
    const cut = new Set<NameHit>()
    const number = item.number === undefined ? undefined : parseNumber(item.number)
    const printing = item.printing === undefined ? undefined : normalizeName(item.printing)

    function getHint(text: string): Hint {
      const hint = hintsByText.get(text) ?? parseHint(text)
      hintsByText.set(text, hint)
      return hint
    }

    /** Reads the cards of a name that have the properties of the item. */
    function* readCards(
      hit: NameHit,
      spend: Effort['spend'],
    ): Generator<undefined, readonly CardFacts[]> {
      const all = hit.listAll()
      const cards: CardFacts[] = []
      for (let at = 0; at < all.length; at += BATCH) {
        const batch = all.length <= BATCH ? all : all.slice(at, at + BATCH)
        const unread = batch.filter((id) => !read.has(id))
        if (!spend(READ_COST + unread.length * CARD_COST)) {
          cut.add(hit)
          break
        }
        for (const id of unread) read.add(id)
        for (const facts of getFacts(batch)) {
          if (hasProperties(compare(facts), { number, printing })) cards.push(facts)
        }
        if (batch.length === BATCH) yield
      }
      return cards
    }

    /** Returns the cards of a name that match all hints. Each hint is compared with those that match the ones before it. */
    function* listMatches(
      hit: NameHit,
      { suffixes, isCodeOptional, isWhole, order }: Hints,
    ): Generator<undefined, readonly CardFacts[]> {
      const spend = isWhole ? effort.spendOnWhole : effort.spend
      const known = matchesByHit.get(hit) ?? new Map<string, readonly CardFacts[]>()
      matchesByHit.set(hit, known)
      let cards = known.get('') ?? (yield* readCards(hit, spend))
      known.set('', cards)
      let key = isCodeOptional ? 'number alone' : ''
      for (const suffix of suffixes) {
        if (cards.length === 0) break
        key += `\n${suffix}`
        const seen = known.get(key)
        if (seen === undefined && !spend(cards.length * COMPARE_COST)) {
          cut.add(hit)
          return []
        }
        const hint = getHint(suffix)
        cards = seen ?? cards.filter((facts) => matchesHint(compare(facts), hint, isCodeOptional))
        known.set(key, cards)
      }
      return cards.length > 1 ? cards.toSorted(order) : cards
    }

    return function* filterCards(hits, hints) {
      const ids = new Set<number>()
      let looked = 0
      for (const hit of hits) {
        effort.count(LOOK_COST)
        for (const { id } of yield* listMatches(hit, hints)) ids.add(id)
        if (ids.size >= TOP_CARDS_MAX) break
        if (++looked % HITS_A_STEP === 0) yield
      }
      return { ids: [...ids].slice(0, TOP_CARDS_MAX), isCut: hits.some((hit) => cut.has(hit)) }
    }
  }
}

/** Costs, in comparisons (line-effort.ts): reading a name's cards, each card, comparing it with a hint, looking again. */
const READ_COST = 10
const CARD_COST = 34
const COMPARE_COST = 2
const LOOK_COST = 2

/** A step takes a fraction of a millisecond; a basic land has thousands of cards. */
const BATCH = 200
const HITS_A_STEP = 20

/** Returns the forms of a set. A line may compare cards of hundreds. */
function getSet(facts: CardFacts): ComparedSet {
  const { game_slug, set_slug, set_code, set_name } = facts
  const key = [game_slug, set_slug, set_code, set_name].join('\n')
  const known = comparedSets.get(key) ?? compareSet(facts)
  comparedSets.set(key, known)
  return known
}

const comparedSets = new LRUCache<string, ComparedSet>({ max: 5_000 })

/** The forms of cards, for as long as the store caches their facts. */
const comparedByFacts = new WeakMap<CardFacts, ComparedCard>()
