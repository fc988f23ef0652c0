import type { Deps } from '#deps.ts'
import { isNamed, normalizeName } from '#rules/catalog/trigrams.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import type { NameReading } from '#rules/matching/parse-list-line.ts'
import { TOP_CARDS_MAX } from '#store/catalog/name-prices.ts'
import type { NameHit } from '#store/catalog/names.ts'
import { createCardFilters } from './card-filter.ts'
import { createEffort } from './line-effort.ts'
import { createLookups } from './line-lookups.ts'
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

/**
 * Searches an index for a reading of one item. Readings of an item share lookups and effort.
 *
 * @returns undefined if no card matches the rest of the item
 */
export type Matcher = (
  index: NameIndex,
  step: Step,
  reading: NormalizedReading,
) => Generator<undefined, CardMatch | undefined>

/** Shorter names only match a card's full name or its start. */
export const SEARCH_LENGTH_MIN = 2

/** Shorter names are allowed one typo. */
const TWO_TYPOS_LENGTH_MIN = 8

/** Returns a function that creates the matcher of an item. */
export function createMatchers({ names }: Pick<Deps['catalog'], 'names'>) {
  const createFilter = createCardFilters(names.getFacts)

  return (item: Pick<NameItem, 'number' | 'printing'>): Matcher => {
    const effort = createEffort()
    const filterCards = createFilter({ item, effort })
    const lookUp = createLookups(effort)

    return function* match(found, step, { name, suffixes, bare, isCodeOptional = false }) {
      const index = lookUp(found)
      const isFiltered =
        suffixes.length > 0 || item.number !== undefined || item.printing !== undefined
      const isWhole = step === 'exact' || step === 'printed'
      const hints = { suffixes, isCodeOptional, isWhole }
      const limit = isFiltered ? FILTERED_NAMES_MAX : TOP_CARDS_MAX
      const hits = findHits(index, step, { bare, name, limit })
      yield
      if (hits.length === 0) return undefined
      const [card_id, ...others] = isFiltered ? yield* filterCards(hits, hints) : pickCards(hits)
      if (card_id === undefined) return undefined
      const similar =
        others.length < ALTERNATIVES_MAX || step !== 'exact'
          ? findAlternatives(index, step, bare)
          : []
      yield
      const alike = isFiltered ? yield* filterCards(similar, hints) : pickCards(similar)
      const alternatives =
        step === 'exact'
          ? listOthers(card_id, others, alike)
          : listOthers(card_id, alike.slice(0, SIMILAR_ALTERNATIVES), others)
      // A reading that names a set or a number makes an assumed match certain (resolve-names.ts).
      const match = { card_id, alternatives, certainty: 'guessed' as const }
      switch (step) {
        case 'exact':
          return { ...match, confidence: 'exact', certainty: 'assumed' }
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
            certainty: isNamed(whole, bare) ? 'assumed' : 'guessed',
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
