import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { NameReading } from '#rules/matching/parse-list-name.ts'
import { TOP_CARDS_MAX } from '#store/catalog/name-prices.ts'
import type { NameHit } from '#store/catalog/names.ts'
import { createCardFilter } from './filter-candidates.ts'
import type { NameIndex } from './name-lookup.ts'
import type { CardMatch, NameItem } from './name-match.ts'

/** Search steps, closest match first. */
export const STEPS = [
  'exact',
  'printed',
  'starting with',
  'containing',
  'one typo',
  'two typos',
] as const

/** `sharing a word` requires a set and a number that fit. */
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
    function* pick(hits: readonly NameHit[]): Generator<undefined, number[]> {
      return isFiltered
        ? yield* filterCards(
            hits,
            { hints: suffixes, isCodeOptional, number, printing },
            TOP_CARDS_MAX,
          )
        : pickCards(hits)
    }
    const limit = isFiltered ? FILTERED_NAMES_MAX : TOP_CARDS_MAX
    const hits = findHits(index, step, { bare, name, limit })
    yield
    const [card_id, ...others] = yield* pick(hits)
    if (card_id === undefined) return undefined
    const similar =
      others.length < TOP_CARDS_MAX - 1 || step !== 'exact'
        ? findAlternatives(index, step, bare)
        : []
    yield
    const all =
      step === 'exact'
        ? [...others, ...(yield* pick(similar))]
        : [...(yield* pick(similar)).slice(0, SIMILAR_ALTERNATIVES), ...others]
    const alternatives = [...new Set(all)]
      .filter((id) => id !== card_id)
      .slice(0, TOP_CARDS_MAX - 1)
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
/** Maximum number of alternatives with a similar spelling, for a name that is a part of others. */
const SIMILAR_ALTERNATIVES = 2

function findHits(
  index: NameIndex,
  step: Step,
  { bare, name, limit }: { bare: string; name: string; limit: number },
): NameHit[] {
  if (bare === '') return []
  switch (step) {
    case 'exact':
      // Symbols distinguish some names: `Nidoran ♂`.
      return index
        .exact(bare)
        .sort((a, b) => spellingLikeness(b.spelling, name) - spellingLikeness(a.spelling, name))
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
 * Finds alternatives: for a card's name, cards to whose titles the marketplace has added something; for a
 * part of a name, names with a similar spelling.
 */
function findAlternatives(index: NameIndex, step: Step, bare: string): NameHit[] {
  if (step === 'exact') return index.printed(bare)
  const isPart = step === 'starting with' || step === 'containing'
  return isPart && bare.length >= SEARCH_LENGTH_MIN ? index.similar(bare, 1) : []
}

/** Returns the most expensive card of each name, then the others. */
function pickCards(hits: readonly NameHit[]): number[] {
  const all = hits.flatMap(({ topPriced }) => topPriced)
  const firsts = hits.flatMap(({ topPriced }) => topPriced.slice(0, 1))
  return [...new Set([...firsts, ...all])].slice(0, TOP_CARDS_MAX)
}

/** Returns 2 for the same text, 1 if case or spaces differ, else 0. */
function spellingLikeness(spelling: string, written: string): number {
  if (spelling === written) return 2
  const [bare, other] = [spelling, written].map((text) => text.toLowerCase().replace(/\s/g, ''))
  return bare === other ? 1 : 0
}
