import type { Deps } from '#deps.ts'
import type { NameReading } from '#rules/matching/parse-list-name.ts'

/** A reading of a line in which one part names a set of the catalog. */
export type SetReading = NameReading & {
  /** Code or name, as written. */
  set: string
}

/**
 * Returns a function that lists the readings with a set: in brackets, or as the last words before the number
 * (`Absol ROS 40`, `Umbreon Evolving Skies`). The fewest words behind the name come first.
 */
export function createSetReader({ games, sets }: Pick<Deps['catalog'], 'games' | 'sets'>) {
  return (readings: readonly NameReading[], game: string | undefined): SetReading[] => {
    const gameId = game === undefined ? undefined : games.getBySlugOrId(game)?.id
    const isSet = (label: string) => sets.findIds(label, gameId).length > 0
    return readings.flatMap((reading) => {
      const split = splitCodes(reading)
      return [...readBracketed(split, isSet), ...readWords(split, isSet)]
    })
  }
}

/** Splits `CMR:472` and `CMR#472` into a set and a number. */
function splitCodes({ name, suffixes }: NameReading): NameReading {
  return { name, suffixes: suffixes.flatMap((suffix) => suffix.split(/\s*[:#]\s*/)) }
}

function readBracketed(
  { name, suffixes }: NameReading,
  isSet: (label: string) => boolean,
): SetReading[] {
  return suffixes
    .filter((suffix) => /\p{L}/u.test(suffix) || suffix.length > 2)
    .filter(isSet)
    .map((set) => ({ name, set, suffixes: suffixes.filter((suffix) => suffix !== set) }))
}

/** The longest name of a set comes first. The card's name keeps a word. */
function readWords(
  { name, suffixes }: NameReading,
  isSet: (label: string) => boolean,
): SetReading[] {
  const words = name.split(' ')
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
    const isBare = rest !== '' && !/[[\](){}<>]/.test(set)
    return isBare && isSet(set) ? [{ name: rest, set, suffixes }] : []
  })
}

/** The longest names of sets have more words, but no list writes them. */
const SET_WORDS_MAX = 6
