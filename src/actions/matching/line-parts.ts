import type { Deps } from '#deps.ts'
import { cardTitle } from '#rules/catalog/names.ts'
import { isSameNumber } from '#rules/catalog/number-forms.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import type { Certainty } from '#rules/matching/certainty.ts'
import { type ListLine, type NameReading, parseListName } from '#rules/matching/parse-list-line.ts'
import type { Preference } from '#rules/matching/preference.ts'
import type { CardFacts } from '#store/catalog/card-facts.ts'
import { orderNamesakes } from './choose-cards.ts'
import { hasNumber } from './line-match.ts'
import type { NameItem, NameMatch } from './name-index.ts'

/** A reading of a line in which one part is the name of a set. */
export type SetReading = NameReading & {
  /** Code or name, as written. */
  set: string
  /** Sets that it may mean. */
  set_ids: readonly number[]
  /** True for a short code that may be a word of the name: `ex` is Expedition, and a kind of Pokémon. */
  isDoubtful: boolean
}

/**
 * Returns a function that lists the readings of a line with a set, in brackets or as the last words before the number
 * (`Absol ROS 40`, `Umbreon Evolving Skies`). Readings with the fewest words after the name come first.
 */
export function createSetReader({ games, sets }: Pick<Deps['catalog'], 'games' | 'sets'>) {
  return (readings: readonly NameReading[], game: string | undefined): SetReading[] => {
    const gameId = game === undefined ? undefined : games.getBySlugOrId(game)?.id
    const known = new Map<string, readonly number[]>()
    const findSets: FindSets = (label) => {
      const ids = known.get(label) ?? sets.findIds(label, gameId)
      known.set(label, ids)
      return ids
    }
    return readings
      .flatMap((reading) => {
        const split = splitCodes(reading)
        return [...readBracketed(split, findSets), ...readWords(split, findSets)]
      })
      .slice(0, SET_READINGS_MAX)
  }
}

/** Returns the sets that a text may mean; none if it means none. */
type FindSets = (label: string) => readonly number[]

/** Real lines name one or two sets. */
const SET_READINGS_MAX = 8

/** Splits `CMR:472` and `CMR#472` into a set and a number. */
function splitCodes(reading: NameReading): NameReading {
  const suffixes = reading.suffixes.flatMap((suffix) => suffix.split(/\s*[:#]\s*/))
  return suffixes.length > SUFFIXES_MAX ? reading : { ...reading, suffixes }
}

/** Real lines have fewer texts after the name. */
const SUFFIXES_MAX = 8

function readBracketed(reading: NameReading, findSets: FindSets): SetReading[] {
  const { suffixes } = reading
  return suffixes
    .filter((suffix) => /\p{L}/u.test(suffix) || suffix.length > 2)
    .flatMap((set) => {
      const set_ids = findSets(set)
      if (set_ids.length === 0) return []
      const others = suffixes.filter((suffix) => suffix !== set)
      return [{ ...reading, set, set_ids, suffixes: others, isDoubtful: false }]
    })
}

/** The longest set name comes first. At least one word remains for the card's name. */
function readWords(reading: NameReading, findSets: FindSets): SetReading[] {
  const words = reading.name.split(' ')
  const counts = Array.from(
    { length: Math.min(SET_WORDS_MAX, words.length - 1) },
    (_, at) => at + 1,
  )
  return counts.reverse().flatMap((count) => {
    const set = words.slice(-count).join(' ')
    const rest = words
      .slice(0, -count)
      .join(' ')
      .replace(/[\s\-–—,:]+$/u, '')
    // Digits alone are a number or a quantity.
    const isBare = rest !== '' && !/[[\](){}<>]/.test(set) && /\p{L}/u.test(set)
    const set_ids = isBare ? findSets(set) : []
    if (set_ids.length === 0) return []
    // An addition may stand before the set: `Eevee (Master Ball) PRE 74`.
    return parseListName(rest).map(({ name, suffixes }) => ({
      ...reading,
      name,
      suffixes: [...reading.suffixes, ...suffixes],
      set,
      set_ids,
      isDoubtful: DOUBTFUL.test(set) && !reading.suffixes.some(hasNumber),
    }))
  })
}

const DOUBTFUL = /^(?:.{1,2}|(?=.*\p{Ll}).{3,4})$/u

/** Some set names have more words, but no list writes them in full. */
const SET_WORDS_MAX = 6

/**
 * Returns a function that finds the card of a line with a collector number but no name: `4xOP01-016`. A number that
 * contains a set means the card of that set, and of its versions the preferred one.
 */
export function createNumberMatcher(
  { candidates, games, names, sets }: Deps['catalog'],
  prefer: Preference,
) {
  return (
    { item, line, readings }: LineSearch,
    inSets: readonly SetReading[],
  ): NameMatch | undefined => {
    const { name: number = '', suffixes: additions = [] } =
      readings.find(({ name }) => CODED_NUMBER.test(name)) ?? {}
    if (inSets.length > 0 || number === '') return undefined
    const gameId = item.game === undefined ? undefined : games.getBySlugOrId(item.game)?.id
    const ids = candidates.findByNumbers([number], { gameId, limit: NAMESAKES_MAX })
    const ofSet = sets.findIds(number.replace(/-.*$/, ''), gameId)
    const facts = names.getFacts(ids).filter((card) => isSameNumber(number, card.number ?? ''))
    const isElsewhere = ({ set_id }: CardFacts) => Number(!ofSet.includes(set_id))
    const order = orderNamesakes(prefer, line.printing)
    const sorted = facts.toSorted((a, b) => isElsewhere(a) - isElsewhere(b) || order(a, b))
    const [first, ...others] = sorted
    if (first === undefined) return undefined
    return {
      card_id: first.id,
      confidence: 'medium',
      certainty: rateNumber(first, others, isElsewhere),
      corrected_name: first.name,
      alternatives: others.slice(0, ALTERNATIVES_MAX).map(({ id }) => id),
      line: {
        quantity: line.quantity,
        name: first.name,
        set: undefined,
        setCount: 0,
        number,
        printing: line.printing,
        facts: undefined,
        additions,
        ignored: [],
      },
    }
  }
}

/** Rates a card by its number: that of a set which it names is an id. */
function rateNumber(
  card: CardFacts,
  others: readonly CardFacts[],
  isElsewhere: (card: CardFacts) => number,
): Certainty {
  const rivals = others.filter((one) => isElsewhere(one) === isElsewhere(card))
  if (rivals.length === 0) return 'certain'
  const title = cardTitle(card.name).trim()
  const areVersions = rivals.every(({ name }) => cardTitle(name).trim() === title)
  return isElsewhere(card) === 0 && areVersions ? 'assumed' : 'guessed'
}

type LineSearch = { item: NameItem; line: ListLine; readings: readonly NameReading[] }

/** `OP01-016`, `ST10-001`, `P-001`, `WTR169`: letters, then digits. */
const CODED_NUMBER = /^[A-Z]{1,5}\d{0,3}-?\d{2,4}(?:_\w+)?$/i

const NAMESAKES_MAX = 20
