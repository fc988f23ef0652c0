import { isNamed, normalizeName } from '#rules/catalog/trigrams.ts'
import { isPrinted } from '#rules/matching/choose-printing.ts'
import {
  compareBy,
  type Preference,
  type PreferredCard,
  REGULAR,
  rateRegular,
} from '#rules/matching/preference.ts'
import type { CardFacts } from '#store/catalog/card-facts.ts'
import { TOP_CARDS_MAX } from '#store/catalog/name-prices.ts'
import type { NameHit, NameStore } from '#store/catalog/names.ts'
import type { NameIndex } from './name-index.ts'

/** Compares two cards of a name, the preferred one first. */
export type CardOrder = (a: CardFacts, b: CardFacts) => number

/** Returns the order of the cards of a name: those with a printing first, then by the preference. */
export function orderNamesakes(prefer: Preference, printing: string | null | undefined): CardOrder {
  const compare = compareBy(prefer, rate)
  if (printing == null || printing === '') return compare
  const known = new Map<CardFacts['printings'], number>()
  const lacks = ({ printings }: CardFacts) => {
    const seen = known.get(printings)
    if (seen !== undefined) return seen
    const isLacking = Number(!isPrinted(printing, printings))
    known.set(printings, isLacking)
    return isLacking
  }
  return (a, b) => lacks(a) - lacks(b) || compare(a, b)
}

function rate(card: PreferredCard): number {
  const known = rates.get(card)
  if (known !== undefined) return known
  const rated = rateRegular(card)
  rates.set(card, rated)
  return rated
}

/** The rates of cards, for as long as the store caches their facts. */
const rates = new WeakMap<PreferredCard, number>()

/** Chooses the cards that names without a number mean. */
export type CardChooser = {
  /**
   * Returns the preferred card of the first name of a search, then the most expensive ones of other names, then others of
   * the first name.
   *
   * @param printing printing that the card must have, if one does
   */
  choose(
    index: NameIndex,
    hits: readonly NameHit[],
    wanted: BareName & { printing: string | undefined },
  ): Generator<undefined, readonly number[]>
}

/** A name that is searched, as written and normalized. */
type BareName = { name: string; bare: string }

export function createCardChooser(
  names: Pick<NameStore, 'getFacts' | 'sortByPrice' | 'getChoices'>,
  prefer: Preference,
): CardChooser {
  // Keeps the choices of this publication.
  const choices = names.getChoices()
  const keyOf = (hits: readonly NameHit[], printing = '') => {
    const places = hits.length > 1 ? hits.map(({ place }) => place).join() : hits[0]?.place
    return `${prefer} ${places} ${printing}`
  }

  /** Reads the cards of some names: the cheapest until enough of them are regular, or else all. */
  function* readCards(
    hits: readonly NameHit[],
    printing: string | undefined,
  ): Generator<undefined, CardFacts[]> {
    const all = [...new Set(hits.flatMap((hit) => hit.listAll()))]
    const endsEarly = prefer === 'regular' && printing === undefined && all.length > FIRST
    const ids = endsEarly ? names.sortByPrice(all) : all
    const cards: CardFacts[] = []
    let regular = 0
    for (let at = 0, end = FIRST; at < ids.length; at = end, end += BATCH) {
      const batch = names.getFacts(ids.slice(at, end))
      cards.push(...batch)
      regular += batch.filter((card) => rate(card) === REGULAR).length
      if (endsEarly && regular >= TOP_CARDS_MAX) break
      yield
    }
    return cards
  }

  return {
    *choose(index, hits, { bare, name, printing }) {
      if (prefer === 'highest') return listDearest(hits)
      const same = listSame(hits, { bare, name })
      if (same.length < 2 && !same.some(hasSeveral)) return listDearest(hits)
      // Names have no places within sets.
      const key = index.setCount === 0 ? keyOf(same, printing) : undefined
      let chosen = key === undefined ? undefined : choices.get(key)
      if (chosen === undefined) {
        const cards = yield* readCards(same, printing)
        const sorted = cards.sort(orderNamesakes(prefer, printing))
        chosen = sorted.slice(0, TOP_CARDS_MAX).map(({ id }) => id)
        if (key !== undefined) choices.set(key, chosen)
      }
      if (same.length === hits.length) return chosen
      const others = listDearest(hits.filter((hit) => !same.includes(hit)))
      return [...new Set([...chosen.slice(0, 1), ...others, ...chosen])].slice(0, TOP_CARDS_MAX)
    },
  }
}

/** Cards of a name that are read first, and then at once. A step takes a fraction of a millisecond. */
const FIRST = 8
const BATCH = 200

function hasSeveral({ topPriced }: NameHit): boolean {
  return topPriced.length > 1
}

/** Finds the cards with a full name, those spelled best first: some names differ only in symbols, as `Nidoran ♂`. */
export function findSpelled(index: NameIndex, { name, bare }: BareName): NameHit[] {
  const hits = index.exact(bare)
  if (hits.length < 2) return hits
  const similarityOf = ({ spelling }: NameHit) => spellingSimilarity(spelling, name)
  return hits.toSorted((a, b) => similarityOf(b) - similarityOf(a))
}

/** Returns the hits of the name: of full names those spelled best, and otherwise those to which additions were made. */
export function listSame(hits: readonly NameHit[], { bare, name }: BareName): readonly NameHit[] {
  const [first] = hits
  if (first === undefined || hits.length === 1) return hits
  if (normalizeName(first.spelling) === bare) {
    const best = spellingSimilarity(first.spelling, name)
    return hits.filter(({ spelling }) => spellingSimilarity(spelling, name) === best)
  }
  const named = hits.filter(({ spelling }) => isNamed(spelling, bare))
  return named.length > 0 ? named : [first]
}

/** Returns the most expensive card of each name, then the others. */
export function listDearest(hits: readonly NameHit[]): readonly number[] {
  const [first, second] = hits
  if (second === undefined) return first?.topPriced ?? []
  const all = hits.flatMap(({ topPriced }) => topPriced)
  const firsts = hits.flatMap(({ topPriced }) => topPriced.slice(0, 1))
  return [...new Set([...firsts, ...all])].slice(0, TOP_CARDS_MAX)
}

/** Returns 2 for the same text, 1 if case or spaces differ, else 0. */
function spellingSimilarity(spelling: string, written: string): number {
  if (spelling === written) return 2
  const [bare, other] = [spelling, written].map((text) => text.toLowerCase().replace(/\s/g, ''))
  return bare === other ? 1 : 0
}
