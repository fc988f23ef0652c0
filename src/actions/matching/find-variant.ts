// Finds the variant of a card that a row or line names if it is a product of its own (rules/matching/variants.ts).
import type { Deps } from '#deps.ts'
import { cardTitle, completeNames } from '#rules/catalog/names.ts'
import { matchesNumber, parseNumber, withoutMarks } from '#rules/catalog/number-forms.ts'
import { matchesPrinting } from '#rules/catalog/printings.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import {
  hasAddition,
  hasFinishAddition,
  isFlag,
  listProductWords,
  listVariantWords,
  measureVariant,
  mustBeVariant,
  namesMark,
  type ProductWords,
} from '#rules/matching/variants.ts'
import type { CardFacts } from '#store/catalog/card-facts.ts'
import type { CardOrder } from './choose-cards.ts'
import { parseUnmarked } from './match-row.ts'
import type { IgnoredPart, NameIndex, NameIndexes } from './name-index.ts'

type VariantSearch = {
  /** Cards that a row or line means without the words of a variant, the best first. */
  cards: readonly CardFacts[]
  /** Texts that name a printing or a variant. */
  labels: readonly string[]
  /** Additions of a name that were removed. A marketplace may use others than the catalog. */
  additions: readonly string[]
  /** True if the number is named, so that a variant must have it. */
  isNumbered: boolean
  /** Number as written, if `cards` are not all that fit it: one with a total has others beside it. */
  number?: string | undefined
  isInSet: boolean
  /** Order of several products with the words. */
  order: CardOrder
}

/** Cards that have the words of a variant, or those that were found without them. */
export type VariantChoice = {
  cards: readonly CardFacts[]
  /** `none`: no variant is named; `missing`: no card has its words. */
  outcome: 'none' | 'found' | 'several' | 'missing'
  notes: readonly IgnoredPart[]
}

/** Returns a function that takes the variant that a row or line names instead of the card of its name and number. */
export function createVariantChooser(
  { names }: Pick<Deps['catalog'], 'names'>,
  indexes: NameIndexes,
) {
  /** Reads the cards of which a name is the complete one; none of a basic land. */
  function readNamesakes(index: NameIndex, bare: string): CardFacts[] {
    const hits = [...index.exact(bare), ...index.printed(bare)]
    const ids = [...new Set(hits.flatMap((hit) => hit.listAll()))]
    if (ids.length > NAMESAKES_MAX) return []
    return names.getFacts(ids).filter((card) => isCalled(card, bare))
  }

  const readOfSet = (base: CardFacts) =>
    readNamesakes(indexes.ofSets([base.set_id]), normalizeName(cardTitle(base.name)))

  /** Reads the cards of the game with the name, and with the number if it is named. */
  function readOfGame(base: CardFacts, { cards, isNumbered, number }: VariantSearch): CardFacts[] {
    const ofGame = indexes.ofItem({ game: base.game_slug })
    const bare = normalizeName(cardTitle(base.name))
    const others = 'reason' in ofGame ? [] : readNamesakes(ofGame, bare)
    if (!isNumbered) return others
    const written = number === undefined ? [] : [parseNumber(withoutMarks(number))]
    const numbers = [...written, ...cards.slice(0, BASES_MAX).map(parseUnmarked)]
    return others.filter((card) => numbers.some((one) => matchesNumber(one, parseUnmarked(card))))
  }

  /** Finds the cards with the words in all sets, if none is named. */
  function* findAnywhere(
    words: readonly string[],
    base: CardFacts,
    search: VariantSearch,
  ): Generator<undefined, FoundVariants> {
    yield
    const { cards, order } = search
    const others = readOfGame(base, search)
    const all = [...new Set([...cards, ...others])]
    return { cards: pickFitting(all, words, { order }), isElsewhere: false, others }
  }

  /** Finds the cards with the words in the named set, in a set that is named after it, or anywhere. */
  function* find(
    words: readonly string[],
    base: CardFacts,
    { cards, isNumbered, order }: VariantSearch,
  ): Generator<undefined, FoundVariants> {
    const ownSet = base.set_id
    const given = pickFitting(cards, words, { order, ownSet })
    if (given.length > 0) return { cards: given, isElsewhere: false, others: [] }
    const bare = normalizeName(cardTitle(base.name))
    const hasNumber = (card: CardFacts) => !isNumbered || isSameExceptMarks(card, base)
    const own = pickFitting(readOfSet(base).filter(hasNumber), words, { order, ownSet })
    if (own.length > 0) return { cards: own, isElsewhere: false, others: [] }
    yield
    const ofGame = indexes.ofItem({ game: base.game_slug })
    const others = 'reason' in ofGame ? [] : readNamesakes(ofGame, bare)
    const sisters = others.filter(({ set_name }) => startsWithName(set_name, base.set_name))
    const inSisters = pickFitting(sisters.filter(hasNumber), words, { order })
    if (inSisters.length > 0) {
      // Only a number tells that the card of the named set is meant.
      return { cards: inSisters, isElsewhere: !isNumbered, others: [] }
    }
    const same = others.filter(hasNumber).filter((card) => isSameWithTotal(card, base))
    const elsewhere = pickFitting(same, words, { order, ownSet })
    return { cards: elsewhere, isElsewhere: true, others: same }
  }

  /** Returns true if an addition is a mark, or one of a name of the game: it distinguishes a card from those without it. */
  function* isSomeKnown(additions: readonly string[], game: string): Generator<undefined, boolean> {
    for (const addition of additions) {
      if (namesMark(addition) || isKnown(addition, game)) return true
      yield
    }
    return false
  }

  function isKnown(addition: string, game: string): boolean {
    const index = indexes.ofItem({ game })
    if ('reason' in index) return false
    const hits = index.containing(normalizeName(addition), KNOWN_NAMES_MAX)
    return hits.some(({ spelling }) => hasAddition(addition, spelling))
  }

  /** Takes a product whose name says the finish that the card lacks. */
  function chooseFinish(base: CardFacts, search: VariantSearch): VariantChoice {
    const { cards, labels, additions, isNumbered, isInSet, order } = search
    const hasPrinting = (text: string) =>
      base.printings.some((printing) => matchesPrinting(text, printing))
    const texts = [...labels, ...additions].filter((text) => !isFlag(text) && !hasPrinting(text))
    const [text] = texts
    const none: VariantChoice = { cards, outcome: 'none', notes: [] }
    if (text === undefined || !isNumbered) return none
    const same = isInSet
      ? readOfSet(base).filter((card) => isSameExceptMarks(card, base))
      : readOfGame(base, search)
    const found = same.filter((card) => hasFinishAddition(text, card))
    if (found.length === 0) return none
    return { cards: found.sort(order), outcome: rateCount(found, search), notes: [] }
  }

  return function* chooseVariant(search: VariantSearch): Generator<undefined, VariantChoice> {
    const { cards, labels, additions, isInSet, order } = search
    const [base] = cards
    const words = [...new Set([...labels, ...additions].flatMap(listVariantWords))]
    if (base === undefined) return { cards, outcome: 'none', notes: [] }
    if (words.length === 0) return chooseFinish(base, search)
    const found = yield* isInSet ? find(words, base, search) : findAnywhere(words, base, search)
    if (found.cards.length > 0) {
      return {
        cards: found.cards,
        outcome: rateCount(found.cards, search),
        notes: found.isElsewhere ? ['not_in_set'] : [],
      }
    }
    const ofSet = pickFitting(cards, words, { order })
    if (ofSet.length > 0) return { cards: ofSet, outcome: 'found', notes: [] }
    const isLabeled = mustBeVariant(labels.flatMap(listVariantWords))
    const isMissing = isLabeled || (yield* isSomeKnown(additions, base.game_slug))
    return isMissing
      ? {
          cards: [...new Set([...cards, ...found.others])],
          outcome: 'missing',
          notes: ['printing_not_found'],
        }
      : { cards, outcome: 'none', notes: [] }
  }
}

type FoundVariants = {
  cards: readonly CardFacts[]
  isElsewhere: boolean
  /** Cards of the same name and number, if none has the words. */
  others: readonly CardFacts[]
}

/** Several variants in one set are unclear. Of several sets `prefer` chooses one, as among the cards of a name. */
function rateCount(
  found: readonly CardFacts[],
  { isInSet, isNumbered }: Pick<VariantSearch, 'isInSet' | 'isNumbered'>,
): VariantChoice['outcome'] {
  const rivals = isInSet ? found : found.filter((card) => card.set_id === found[0]?.set_id)
  return (isInSet || isNumbered) && rivals.length > 1 ? 'several' : 'found'
}

/** Cards of one name and number are few; others lack the number of a row. */
const BASES_MAX = 20

/** Names that are searched for an addition. */
const KNOWN_NAMES_MAX = 50

/** Names with more cards are those of basic lands, whose numbers tell them apart. */
const NAMESAKES_MAX = 500

/**
 * Returns the cards that have all words of a variant, and the fewest others.
 *
 * @param options order of the cards, and the set that is named, whose name does not tell a variant
 */
function pickFitting(
  cards: readonly CardFacts[],
  words: readonly string[],
  { order, ownSet }: { order: CardOrder; ownSet?: number | undefined },
): CardFacts[] {
  const others = cards.map(
    (card) =>
      measureVariant(words, wordsOf(card), card.set_id === ownSet) ?? Number.POSITIVE_INFINITY,
  )
  const fewest = Math.min(...others)
  if (fewest === Number.POSITIVE_INFINITY) return []
  return cards.filter((_, at) => others[at] === fewest).sort(order)
}

function wordsOf(card: CardFacts): ProductWords {
  const known = wordsByCard.get(card) ?? listProductWords(card)
  wordsByCard.set(card, known)
  return known
}

/** The words of cards, for as long as the store caches their facts. */
const wordsByCard = new WeakMap<CardFacts, ProductWords>()

/** Returns true if a name is the complete one of a card. */
function isCalled(card: CardFacts, bare: string): boolean {
  const known = namesByCard.get(card) ?? [card.name, ...completeNames(card.name)].map(normalizeName)
  namesByCard.set(card, known)
  return known.includes(bare)
}

const namesByCard = new WeakMap<CardFacts, readonly string[]>()

function isSameExceptMarks(card: CardFacts, base: CardFacts): boolean {
  return matchesNumber(parseUnmarked(card), parseUnmarked(base))
}

/** Returns true for numbers that say more than a place in some set: `78/146`, `OP01-016`. */
function isSameWithTotal(card: CardFacts, base: CardFacts): boolean {
  const [first, second] = [parseUnmarked(card), parseUnmarked(base)]
  const isDetailed = /[/\p{L}]/u.test(withoutMarks(card.number ?? ''))
  return isDetailed && first.hasTotal === second.hasTotal && matchesNumber(first, second)
}

/** Returns true for `Base Set (Shadowless)` and `Base Set`. */
function startsWithName(name: string, base: string): boolean {
  return name.startsWith(base) && /^[\s:(-]/.test(name.slice(base.length))
}
