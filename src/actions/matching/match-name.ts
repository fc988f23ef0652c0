import type { Deps } from '#deps.ts'
import { isNamed, normalizeName } from '#rules/catalog/trigrams.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import { rateExact } from '#rules/matching/certainty.ts'
import type { NameReading } from '#rules/matching/parse-list-line.ts'
import type { Preference } from '#rules/matching/preference.ts'
import { isNumberText } from '#rules/matching/row-names.ts'
import { TOP_CARDS_MAX } from '#store/catalog/name-prices.ts'
import type { NameHit } from '#store/catalog/names.ts'
import { createCardFilters } from './card-filter.ts'
import {
  type CardChooser,
  findSpelled,
  listDearest,
  listSame,
  orderNamesakes,
} from './choose-cards.ts'
import { createEffort } from './line-effort.ts'
import { createLookups } from './line-lookups.ts'
import type { FoundName, NameIndex, NameItem } from './name-index.ts'

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

/**
 * Searches an index for a reading of one item. Readings of an item share lookups and effort.
 *
 * @returns undefined if no card matches the rest of the item
 */
export type Matcher = (
  index: NameIndex,
  step: Step,
  reading: NormalizedReading,
) => Generator<undefined, FoundName | undefined>

/** Shorter names only match a card's full name or its start. */
export const SEARCH_LENGTH_MIN = 2

/** Shorter names are allowed one typo. */
const TWO_TYPOS_LENGTH_MIN = 8

/** Returns a function that creates the matcher of an item, with the finish that its line marks. */
export function createMatchers(
  { names }: Pick<Deps['catalog'], 'names'>,
  chooser: CardChooser,
  prefer: Preference,
) {
  const createFilter = createCardFilters(names.getFacts)

  return (item: Pick<NameItem, 'number' | 'printing'>, finish: string | undefined): Matcher => {
    const effort = createEffort()
    const filterCards = createFilter({ item, effort })
    const lookUp = createLookups(effort)

    return function* match(
      found,
      step,
      { name, suffixes, bare, trailing, isCodeOptional = false },
    ) {
      const index = lookUp(found)
      const printing = finish ?? trailing?.printing
      const isFiltered =
        suffixes.length > 0 || item.number !== undefined || item.printing !== undefined
      const isWhole = step === 'exact' || step === 'printed'
      const limit = isFiltered ? FILTERED_NAMES_MAX : TOP_CARDS_MAX
      const hits = findHits(index, step, { bare, name, limit })
      yield
      if (hits.length === 0) return undefined
      const order = orderNamesakes(prefer, printing)
      const hints = { suffixes, isCodeOptional, isWhole, order }
      const { ids, isCut } = isFiltered
        ? yield* filterCards(hits, hints)
        : { ids: yield* chooser.choose(found, hits, { bare, name, printing }), isCut: false }
      const [card_id, ...others] = ids
      if (card_id === undefined) return undefined
      const similar =
        others.length < ALTERNATIVES_MAX || step !== 'exact'
          ? findAlternatives(index, step, bare)
          : []
      yield
      const alike = isFiltered ? (yield* filterCards(similar, hints)).ids : listDearest(similar)
      const alternatives =
        step === 'exact'
          ? listOthers(card_id, others, alike)
          : listOthers(card_id, alike.slice(0, SIMILAR_ALTERNATIVES), others)
      const { setCount } = found
      const isOnly = () => {
        const same = listSame(hits, { bare, name })
        const isSame = (id: number) => same.some((hit) => hit.listAll().includes(id))
        return isFiltered ? !isCut && !others.some(isSame) : countCards(same) === 1
      }
      const rateWhole = () => {
        const isNumbered = item.number !== undefined || suffixes.some(isNumberText)
        // Listing the cards of a name takes as long as finding it.
        const isOne = (setCount > 0 || isNumbered) && isOnly()
        return rateExact({ setCount, isNumbered, isOnly: isOne })
      }
      const match = { card_id, alternatives, setCount, certainty: 'guessed' as const }
      switch (step) {
        case 'exact':
          return { ...match, confidence: 'exact', certainty: rateWhole() }
        case 'starting with':
          return { ...match, confidence: 'high' }
        case 'containing':
          return { ...match, confidence: 'medium' }
        case 'printed': {
          const whole = names.getFacts([card_id])[0]?.name ?? ''
          const isPrefix = normalizeName(whole).startsWith(bare)
          return {
            ...match,
            confidence: isPrefix ? 'high' : 'medium',
            certainty: isNamed(whole, bare) ? rateWhole() : 'guessed',
          }
        }
        default: {
          const corrected_name =
            hits.find((hit) => hit.listAll().includes(card_id))?.spelling ?? name
          return { ...match, confidence: 'medium', corrected_name }
        }
      }
    }
  }
}

function countCards(hits: readonly NameHit[]): number {
  return new Set(hits.flatMap(({ topPriced }) => topPriced)).size
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
      return findSpelled(index, { bare, name })
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
