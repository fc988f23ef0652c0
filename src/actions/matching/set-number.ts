import type { Deps } from '#deps.ts'
import {
  matchesNumber,
  matchesNumberWithoutCode,
  parseNumber,
} from '#rules/catalog/number-forms.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import type { ListLine, NameReading } from '#rules/matching/parse-list-line.ts'
import type { NumberedCard } from '#store/catalog/candidates.ts'
import { finish, guess } from './line-match.ts'
import type { SetReading } from './line-parts.ts'
import type { Matcher, Step } from './match-name.ts'
import type { CardMatch, NameIndex, NameItem, NameMatch } from './name-index.ts'

/** A set as written, and a collector number of it. */
type SetNumber = { set: string; number: string }

/** A reading of a line as a set and a number. */
type NumberReading = NameReading & SetNumber

type FoundNumber = CardMatch & { name: string }

/** Returns a function that finds a card by its set and number, as `createNumberFinder`. */
export function createSetNumberFinder({
  candidates,
  games,
  sets,
}: Pick<Deps['catalog'], 'candidates' | 'games' | 'sets'>) {
  const find = createNumberFinder(candidates)
  return ({ set, number }: SetNumber, game: string | undefined): FoundNumber | undefined => {
    const gameId = game === undefined ? undefined : games.getBySlugOrId(game)?.id
    return find(sets.findTiers(set, gameId), number)
  }
}

/**
 * Returns a function that finds a card by its number, which may lack its code, in tiers of sets, most specific first.
 * Of several cards, one without additions to its name comes first. It is a guess if others have the number, also those
 * of a later tier: `SM10` is the Japanese set of that name, and a code of an English one.
 */
export function createNumberFinder(candidates: Deps['catalog']['candidates']) {
  function findInSets(ids: readonly number[], number: string): FoundNumber | undefined {
    const written = parseNumber(number)
    const [key] = written.own
    if (key === undefined || ids.length === 0) return undefined
    const listed = candidates.listInSets(ids, key)
    const whole = listed.filter((card) => matchesNumber(written, parseNumber(card.number)))
    const coded = listed.filter((card) => {
      return matchesNumberWithoutCode(written, parseNumber(card.number))
    })
    const length = ({ name, number: own }: NumberedCard) => name.length + own.length
    const found = (whole.length > 0 ? whole : coded).toSorted((a, b) => length(a) - length(b))
    const [first, ...others] = found
    return (
      first && {
        card_id: first.id,
        name: first.name,
        confidence: 'medium',
        certainty: others.length === 0 ? 'certain' : 'guessed',
        alternatives: others.slice(0, ALTERNATIVES_MAX).map(({ id }) => id),
      }
    )
  }

  return (tiers: readonly (readonly number[])[], number: string): FoundNumber | undefined => {
    const [first, ...later] = tiers.flatMap((ids) => findInSets(ids, number) ?? [])
    const others = later.map(({ card_id }) => card_id).filter((id) => id !== first?.card_id)
    if (first === undefined || others.length === 0) return first
    const alternatives = [...new Set([...first.alternatives, ...others])].slice(0, ALTERNATIVES_MAX)
    return { ...first, certainty: 'guessed', alternatives }
  }
}

type LineSearch = {
  item: NameItem
  line: ListLine
  readings: readonly NameReading[]
  match: Matcher
  index: NameIndex
}

/** Creates the searches for lines whose set and number decide, because they have no name that the catalog knows. */
export function createSetNumberMatchers(catalog: Deps['catalog']) {
  const find = createSetNumberFinder(catalog)
  return {
    /** Finds the card of a line that has no name. */
    findBare({ item, line, readings, index }: LineSearch): NameMatch | undefined {
      for (const reading of listBareSetNumbers(readings)) {
        if (index.exact(normalizeName(reading.set)).length > 0) continue
        const found = find(reading, item.game)
        if (found !== undefined) return finish(found, line, { ...reading, name: found.name }, [])
      }
      return undefined
    },

    /** Finds a card by its set and number if no card has the line's name, which may be in another language. */
    *findForeign(
      search: LineSearch,
      sets: readonly SetReading[],
    ): Generator<undefined, NameMatch | undefined> {
      for (const reading of listSetNumbers(sets).slice(0, FOREIGN_READINGS_MAX)) {
        const found = find(reading, search.item.game)
        if (found === undefined || !(yield* isForeignName(reading.name, search))) continue
        return guess(found, search.line, { ...reading, name: found.name }, [])
      }
      return undefined
    },
  }
}

/** A line names one set, which may have two readings. */
const FOREIGN_READINGS_MAX = 2

/** Lists the sets and numbers of a line that has nothing else: `OBF 125`, `[OBF] 125`, `sv3-125`. */
function listBareSetNumbers(readings: readonly NameReading[]): NumberReading[] {
  return readings.flatMap((reading) => {
    const { name, suffixes } = reading
    const [suffix, ...others] = suffixes
    const split = (set: string, number: string) => [{ ...reading, set, number, suffixes: [number] }]
    if (suffix === undefined) {
      const [, set, number] = CODED.exec(name) ?? []
      return set === undefined || number === undefined ? [] : split(set, number)
    }
    if (others.length > 0) return []
    if (NUMBER.test(name)) return split(suffix, name)
    return /\d/.test(suffix) ? split(name, suffix) : []
  })
}

const CODED = /^([\w.]{2,12})[-:#](\w{0,4}\d\w{0,3})$/
const NUMBER = /^#?\d+\w?(?:\/\d+)?$/

/** Lists the sets and numbers of a line that also has a name. */
function listSetNumbers(readings: readonly SetReading[]): NumberReading[] {
  return readings.flatMap((reading) => {
    const number = reading.suffixes.find((suffix) => /\d/.test(suffix))
    return number === undefined ? [] : [{ ...reading, number }]
  })
}

/** Returns true if no card has the name, nor a name with one slip for every six letters. */
function* isForeignName(
  name: string,
  { match, index }: { match: Matcher; index: NameIndex },
): Generator<undefined, boolean> {
  const bare = normalizeName(name)
  const slips = Math.floor(bare.length / SLIP_LETTERS)
  const steps: Step[] = ['exact', 'printed']
  if (slips > 0) steps.push('one typo')
  if (slips > 1) steps.push('two typos')
  for (const step of steps) {
    if ((yield* match(index, step, { name, bare, suffixes: [] })) !== undefined) return false
  }
  return true
}

const SLIP_LETTERS = 6
