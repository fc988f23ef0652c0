import { cleanName, printedNames } from '#rules/catalog/names.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { CardName } from '#store/catalog/card-facts.ts'

export type NamedEntry = { id: number; name: string; spelling: string }

/** The names of a set. Those that few searches need are computed on demand. */
type SetNames = {
  whole: readonly NamedEntry[]
  printed(): readonly NamedEntry[]
  /** Returns the distinguishing words of the whole names. */
  words(): readonly (readonly string[])[]
}

/** Returns the names of cards in the forms in which they are compared, once for each list of the store. */
export function compareSetNames(cards: readonly CardName[]): SetNames {
  const known = comparedNames.get(cards)
  if (known !== undefined) return known
  const named = (id: number, spelling: string) => ({ id, name: normalizeName(spelling), spelling })
  const whole = cards.map(({ id, name }) => named(id, name))
  let printed: NamedEntry[] | undefined
  let words: string[][] | undefined
  const compared: SetNames = {
    whole,
    printed() {
      printed ??= whole.flatMap((entry) =>
        printedNames(entry.spelling).map((spelling) =>
          spelling === entry.spelling ? entry : named(entry.id, spelling),
        ),
      )
      return printed
    },
    words() {
      words ??= cards.map(({ name }) => listWords(name))
      return words
    },
  }
  comparedNames.set(cards, compared)
  return compared
}

/** The forms of names, for as long as the store caches their list. */
const comparedNames = new WeakMap<readonly CardName[], SetNames>()

/** Lists the distinguishing words of a name, of three letters or more. */
export function listWords(name: string): string[] {
  const words = cleanName(name).toLowerCase().split(' ')
  return words.filter((word) => word.length > 2)
}
