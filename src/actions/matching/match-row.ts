import { type ParsedNumber, parseNumber, withoutMarks } from '#rules/catalog/number-forms.ts'
import { isNamed, normalizeName } from '#rules/catalog/trigrams.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import type { Certainty } from '#rules/matching/certainty.ts'
import {
  hasSameDigits,
  listDroppedNumbers,
  type RowName,
  slipsMax,
} from '#rules/matching/row-names.ts'
import {
  fitNumber,
  type NumberFit,
  numberDistance,
  parseRowNumber,
  type RowNumber,
} from '#rules/matching/row-number.ts'
import type { CardFacts } from '#store/catalog/card-facts.ts'
import type { NameHit } from '#store/catalog/names.ts'
import type { CardOrder } from './choose-cards.ts'
import type { CardMatch, NameIndex } from './name-index.ts'

/** Cards of a name among those of an index, the preferred one first. */
export type Namesakes = {
  name: RowName
  kind: 'exact' | 'printed' | 'similar'
  cards: readonly CardFacts[]
  index: NameIndex
}

/** The cards of a name with the number of a row, and those of the name, whatever their number. */
export type NameSearch = { fitting: Namesakes | undefined; named: Namesakes | undefined }

type Search = Generator<undefined, NameSearch>

/** Name and number of a row, and the cards that it may mean. */
export type RowParts = {
  names: readonly RowName[]
  number: RowNumber | undefined
  accepts: (card: CardFacts) => boolean
  /** Order of the cards of a name. */
  order: CardOrder
}

/** Finds cards by the names of rows, which are complete: a part of a name is not that name. */
export function createRowSearches(getFacts: (ids: readonly number[]) => CardFacts[]) {
  /** Reads the cards of some names of which a name is one in full. */
  function* readCards(
    hits: readonly NameHit[],
    name: Pick<RowName, 'bare' | 'written' | 'isFace'>,
    order: CardOrder,
  ): Generator<undefined, CardFacts[]> {
    const ids = [...new Set(hits.flatMap((hit) => hit.listAll()))].slice(0, NAMESAKES_MAX)
    const cards: CardFacts[] = []
    for (let at = 0; at < ids.length; at += BATCH) {
      cards.push(...getFacts(ids.slice(at, at + BATCH)).filter((card) => isNamedBy(card, name)))
      yield
    }
    // Some names differ only in symbols: `Nidoran ♂`.
    const isSpelled = (card: CardFacts) => Number(card.name === name.written)
    return cards.sort((a, b) => isSpelled(b) - isSpelled(a) || order(a, b))
  }

  return {
    /** Finds the cards of the first name that cards with the number have. */
    *byName(index: NameIndex, { names, number, accepts, order }: RowParts): Search {
      let named: Namesakes | undefined
      for (const name of names) {
        // The name as written outranks a number that fits a shorter one.
        if (named !== undefined && name.dropped.length > named.name.dropped.length) break
        for (const kind of ['exact', 'printed'] as const) {
          yield
          const cards = (yield* readCards(index[kind](name.bare), name, order)).filter(accepts)
          if (cards.length === 0) continue
          const found: Namesakes = { name, kind, cards, index }
          const fitting = filterFitting(cards, name, number)
          named ??= found
          if (fitting.length > 0) return { fitting: { ...found, cards: fitting }, named }
        }
      }
      return { fitting: undefined, named }
    },

    /** Finds the cards of the most similar spelling, with the number if one has it. */
    *bySpelling(index: NameIndex, { names, number, accepts, order }: RowParts): Search {
      let named: Namesakes | undefined
      // As written, and without all additions.
      for (const name of new Set([...names.slice(0, 1), ...names.slice(-1)])) {
        const slips = slipsMax(name.bare)
        const hits = slips === 0 ? [] : index.similar(name.bare, slips)
        for (const hit of hits.filter((one) => hasSameDigits(one.name, name.bare))) {
          const cards = (yield* readCards([hit], { ...name, bare: hit.name }, order)).filter(
            accepts,
          )
          if (cards.length === 0) continue
          const found: Namesakes = { name, kind: 'similar', cards, index }
          const fitting = filterFitting(cards, name, number)
          named ??= found
          if (fitting.length > 0) return { fitting: { ...found, cards: fitting }, named }
        }
      }
      return { fitting: undefined, named }
    },
  }
}

function isNamedBy({ name }: CardFacts, { bare, isFace }: Pick<RowName, 'bare' | 'isFace'>) {
  return isNamed(name, bare) && !(isFace && name.includes(' // '))
}

/** A basic land has some thousand cards. */
const NAMESAKES_MAX = 10_000
const BATCH = 200

/** Returns the cards whose number fits best; all of them without a number. */
export function filterFitting(
  cards: readonly CardFacts[],
  name: Pick<RowName, 'dropped'>,
  number: RowNumber | undefined,
): CardFacts[] {
  const required = listNumbers(name, number)
  const fits = cards.map((card) => fitAll(card, required))
  const best = Math.max(...fits)
  return best === 0 ? [] : cards.filter((_, at) => fits[at] === best)
}

/** Returns how well a card fits all of some numbers. */
export function fitAll(card: CardFacts, numbers: readonly RowNumber[]): number {
  const { listed, unmarked } = parseListed(card)
  return Math.min(BEST_FIT, ...numbers.map((one) => fitNumber(one, listed, unmarked)))
}

const BEST_FIT: NumberFit = 4

/** Lists the numbers that the card must have. A number column is more reliable than a number within the name. */
export function listNumbers(
  name: Pick<RowName, 'dropped'>,
  number: RowNumber | undefined,
): RowNumber[] {
  if (number !== undefined) return [number]
  return listDroppedNumbers(name).flatMap((text) => parseRowNumber(text) ?? [])
}

/** Returns the number of a card without its marks. */
export function parseUnmarked(card: CardFacts): ParsedNumber {
  const { listed, unmarked } = parseListed(card)
  return unmarked ?? listed
}

function parseListed(card: CardFacts): ListedNumber {
  const known = numbers.get(card)
  if (known !== undefined) return known
  const number = card.number ?? ''
  const bare = withoutMarks(number)
  const unmarked = bare === number ? undefined : parseNumber(bare)
  const parsed = { listed: parseNumber(number), unmarked }
  numbers.set(card, parsed)
  return parsed
}

type ListedNumber = { listed: ParsedNumber; unmarked: ParsedNumber | undefined }

/** The forms of numbers, for as long as the store caches the facts of their cards. */
const numbers = new WeakMap<CardFacts, ListedNumber>()

/** Sorts the cards of a name by the distance of their numbers from that of the row. */
export function sortByDistance(found: Namesakes, number: RowNumber): Namesakes {
  const far = new Map(found.cards.map((card) => [card, numberDistance(number, card.number ?? '')]))
  const distanceOf = (card: CardFacts) => far.get(card) ?? Number.POSITIVE_INFINITY
  // Infinite distances are equal, and their difference is not a number.
  const cards = found.cards.toSorted((a, b) =>
    distanceOf(a) === distanceOf(b) ? 0 : distanceOf(a) - distanceOf(b),
  )
  return { ...found, cards }
}

/** Returns the first of the cards that a search found; the others are its first alternatives. */
export function createMatch(
  { name, kind, cards, index }: Namesakes,
  certainty: Certainty,
): CardMatch | undefined {
  const [first, ...others] = cards
  if (first === undefined) return undefined
  const ids = others.slice(0, ALTERNATIVES_MAX).map(({ id }) => id)
  const variants = ids.length === ALTERNATIVES_MAX ? [] : index.printed(name.bare)
  const alternatives = [...ids, ...variants.flatMap(({ topPriced }) => topPriced)]
  const match = {
    card_id: first.id,
    certainty,
    alternatives: [...new Set(alternatives)]
      .filter((id) => id !== first.id)
      .slice(0, ALTERNATIVES_MAX),
  }
  if (kind === 'similar') return { ...match, confidence: 'medium', corrected_name: first.name }
  if (name.dropped.length > 0) {
    return { ...match, confidence: 'medium', corrected_name: name.written }
  }
  if (kind === 'exact') return { ...match, confidence: 'exact' }
  const isPrefix = normalizeName(first.name).startsWith(name.bare)
  return { ...match, confidence: isPrefix ? 'high' : 'medium' }
}
