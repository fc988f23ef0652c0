import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import { isNumberWithoutCode, isSameNumber } from '#rules/catalog/number-forms.ts'
import { matchesPrinting } from '#rules/catalog/printings.ts'
import { listSetCodes, listSetNames } from '#rules/catalog/set-codes.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import type { NameReading } from '#rules/matching/parse-list-line.ts'
import { TOP_CARDS_MAX } from '#store/catalog/name-prices.ts'
import type { CardFacts, NameHit } from '#store/catalog/names.ts'
import type { CardMatch, NameIndex, NameItem } from './name-index.ts'

/** Search steps, closest match first. */
export const STEPS = [
  'exact',
  'printed',
  'starting with',
  'containing',
  'one typo',
  'two typos',
] as const

/** `sharing a word` requires a matching set and number. */
export type Step = (typeof STEPS)[number] | 'sharing a word'

export type NormalizedReading = NameReading & {
  /** Normalized name. */
  bare: string
  isCodeOptional?: boolean
}

/** @returns undefined if no card matches the rest of the item */
export type Matcher = (
  index: NameIndex,
  step: Step,
  reading: NormalizedReading,
  item: Pick<NameItem, 'number' | 'printing'>,
) => Generator<undefined, CardMatch | undefined>

/** Shorter names only match a card's full name or its start. */
export const SEARCH_LENGTH_MIN = 2

/** Shorter names are allowed one typo. */
const TWO_TYPOS_LENGTH_MIN = 8

export function createMatcher({ names }: Pick<Deps['catalog'], 'names'>): Matcher {
  const filterCards = createCardFilter(names.getFacts)

  return function* match(
    index: NameIndex,
    step: Step,
    { name, suffixes, bare, isCodeOptional = false }: NormalizedReading,
    { number, printing }: Pick<NameItem, 'number' | 'printing'>,
  ): Generator<undefined, CardMatch | undefined> {
    const isFiltered = suffixes.length > 0 || number !== undefined || printing !== undefined
    const filter = { hints: suffixes, isCodeOptional, number, printing }
    const limit = isFiltered ? FILTERED_NAMES_MAX : TOP_CARDS_MAX
    const hits = findHits(index, step, { bare, name, limit })
    yield
    if (hits.length === 0) return undefined
    const [card_id, ...others] = isFiltered ? yield* filterCards(hits, filter) : pickCards(hits)
    if (card_id === undefined) return undefined
    const similar =
      others.length < ALTERNATIVES_MAX || step !== 'exact'
        ? findAlternatives(index, step, bare)
        : []
    yield
    const alike = isFiltered ? yield* filterCards(similar, filter) : pickCards(similar)
    const alternatives =
      step === 'exact'
        ? listOthers(card_id, others, alike)
        : listOthers(card_id, alike.slice(0, SIMILAR_ALTERNATIVES), others)
    const match = { card_id, alternatives }
    switch (step) {
      case 'exact':
        return { ...match, confidence: 'exact' }
      case 'starting with':
        return { ...match, confidence: 'high' }
      case 'containing':
        return { ...match, confidence: 'medium' }
      case 'printed': {
        const isPrefix = normalizeName(names.getFacts([card_id])[0]?.name ?? '').startsWith(bare)
        return { ...match, confidence: isPrefix ? 'high' : 'medium' }
      }
      default: {
        const corrected_name = hits.find((hit) => hit.listAll().includes(card_id))?.spelling ?? name
        return { ...match, confidence: 'medium', corrected_name }
      }
    }
  }
}

/** Maximum number of names whose cards are filtered. */
const FILTERED_NAMES_MAX = 200
/** Maximum number of similarly spelled alternatives, for a name that is a part of others. */
const SIMILAR_ALTERNATIVES = 2

function findHits(
  index: NameIndex,
  step: Step,
  { bare, name, limit }: { bare: string; name: string; limit: number },
): NameHit[] {
  if (bare === '') return []
  switch (step) {
    case 'exact':
      // Some names differ only in symbols: `Nidoran ♂`.
      return index
        .exact(bare)
        .toSorted(
          (a, b) => spellingSimilarity(b.spelling, name) - spellingSimilarity(a.spelling, name),
        )
    case 'printed':
      return index.printed(bare)
    case 'starting with':
      return index.startingWith(bare, limit)
    case 'containing':
      return bare.length < SEARCH_LENGTH_MIN ? [] : index.containing(bare, limit)
    case 'one typo':
      return bare.length < SEARCH_LENGTH_MIN ? [] : index.similar(bare, 1)
    case 'two typos':
      return bare.length < TWO_TYPOS_LENGTH_MIN ? [] : index.similar(bare, 2)
    case 'sharing a word':
      return index.sharingWord(name)
  }
}

/**
 * Finds alternatives: for a card's name, cards to whose titles the marketplace has added something; for a part of a
 * name, similarly spelled names.
 */
function findAlternatives(index: NameIndex, step: Step, bare: string): NameHit[] {
  if (step === 'exact') return index.printed(bare)
  const isPart = step === 'starting with' || step === 'containing'
  return isPart && bare.length >= SEARCH_LENGTH_MIN ? index.similar(bare, 1) : []
}

/** Returns the alternatives to a card, each once. */
function listOthers(card_id: number, first: readonly number[], last: readonly number[]): number[] {
  const ids: number[] = []
  for (const id of [...first, ...last]) {
    if (ids.length < ALTERNATIVES_MAX && id !== card_id && !ids.includes(id)) ids.push(id)
  }
  return ids
}

/** Returns the most expensive card of each name, then the others. */
function pickCards(hits: readonly NameHit[]): readonly number[] {
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

/** Properties that a card must have besides its name. */
type CandidateFilter = {
  /** Text that follows the name: a set, a number, a word of the title or a printing. */
  hints: readonly string[]
  /** True if numbers among the hints may lack the code that precedes them in the catalog. */
  isCodeOptional?: boolean
  number?: string | undefined
  printing?: string | undefined
}

/**
 * Filters the cards with some names. Caches cards for the other items of a request, because a thousand of them may be
 * the same basic land.
 */
function createCardFilter(factsOf: (ids: readonly number[]) => CardFacts[]) {
  const cards = new LRUCache<number, KnownCard>({
    maxSize: CACHED_CARDS_MAX,
    sizeCalculation: () => 1,
  })
  const labelsBySet = new Map<number, readonly string[]>()

  function getLabels(card: CardFacts): readonly string[] {
    const { set_id, set_code: abbreviation, set_slug, set_name: name, game_slug } = card
    const cached = labelsBySet.get(set_id)
    if (cached !== undefined) return cached
    const codes = listSetCodes({ game_slug, name, abbreviation })
    const labels = [normalizeName(set_slug), ...codes, ...listSetNames(name)]
    labelsBySet.set(set_id, labels)
    return labels
  }

  function getCards(ids: readonly number[]): KnownCard[] {
    // Cards that are found count as used, so that the batch does not evict them.
    const unknown = ids.filter((id) => cards.get(id) === undefined)
    for (const card of unknown.length === 0 ? [] : factsOf(unknown)) {
      const title = normalizeName(`${card.name} ${card.set_name}`)
      cards.set(card.id, { ...card, title, labels: getLabels(card) })
    }
    return ids.flatMap((id) => cards.get(id) ?? [])
  }

  /** Cards are in the order of their names, and within a name sorted by price, highest first. */
  return function* filterCards(
    hits: readonly NameHit[],
    filter: CandidateFilter,
  ): Generator<undefined, number[]> {
    const ids = new Set<number>()
    const parsed = { ...filter, hints: filter.hints.map(parseHint) }
    for (const hit of hits) {
      const fitting: KnownCard[] = []
      const all = hit.listAll()
      for (let at = 0; at < all.length; at += BATCH) {
        const some = getCards(all.slice(at, at + BATCH))
        fitting.push(...some.filter((card) => matchesFilter(card, parsed)))
        yield
      }
      for (const { id } of fitting.sort(byPrice)) ids.add(id)
      if (ids.size >= TOP_CARDS_MAX) break
    }
    return [...ids].slice(0, TOP_CARDS_MAX)
  }
}

type KnownCard = CardFacts & { title: string; labels: readonly string[] }

/** A card takes some hundred bytes. */
const CACHED_CARDS_MAX = 50_000

/** A batch takes a millisecond or two; a basic land has thousands of cards. */
const BATCH = 200

type ParsedFilter = Omit<CandidateFilter, 'hints'> & { hints: readonly Hint[] }

/** The forms in which a hint is compared. */
type Hint = { written: string; bare: string; number: string | undefined; isWord: boolean }

function parseHint(written: string): Hint {
  const number = /\d/.test(written) ? written.replace(/^#/, '') : undefined
  return { written, bare: normalizeName(written), number, isWord: /\p{L}{3}/u.test(written) }
}

function matchesFilter(
  card: KnownCard,
  { hints, isCodeOptional = false, number, printing }: ParsedFilter,
): boolean {
  const matchesNumber = (hint: Hint) =>
    isCodeOptional && isNumberWithoutCode(hint.number ?? '', card.number ?? '')
  return (
    hints.every((hint) => matchesHint(card, hint) || matchesNumber(hint)) &&
    (number === undefined || isSameNumber(number, card.number ?? '')) &&
    (printing === undefined || card.printings.some((label) => matchesPrinting(printing, label)))
  )
}

function matchesHint(card: KnownCard, { written, bare, number, isWord }: Hint): boolean {
  return (
    card.labels.includes(bare) ||
    (isWord && card.title.includes(bare)) ||
    (number !== undefined && isSameNumber(number, card.number ?? '')) ||
    (isWord && card.printings.some((printing) => matchesPrinting(written, printing)))
  )
}

function byPrice(a: CardFacts, b: CardFacts): number {
  return (b.price ?? -1) - (a.price ?? -1) || a.id - b.id
}
