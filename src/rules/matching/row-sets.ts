// Compares the set that a row names with the one of a card, whose code is the same.
import { listSetCodes } from '../catalog/set-codes.ts'
import { parseSetForm } from '../catalog/set-forms.ts'
import { normalizeName } from '../catalog/trigrams.ts'

/** The set of a card. */
export type NamedSet = { game_slug: string; set_name: string; set_code: string | null }

/** Returns true if a text is a code of a card's set, and not only a word of its name: `IRA` for "Armory Deck - Ira". */
export function hasCode({ game_slug, set_name, set_code }: NamedSet, written: string): boolean {
  const codes = listSetCodes({ game_slug, name: set_name, abbreviation: set_code })
  return codes.includes(normalizeName(written))
}

/**
 * Returns true for the name of a part of a set, such as `Generations: Radiant Collection`, of the whole of one, or of its
 * series.
 */
export function hasOtherWords(setName: string, { set_name, set_code }: NamedSet): boolean {
  const [given, known] = [listFormWords(setName), listFormWords(set_name)]
  const [more, fewer] = given.length > known.length ? [given, known] : [known, given]
  const extra = more.filter((word) => !fewer.includes(word) && word !== set_code?.toLowerCase())
  return extra.length > 0 && fewer.every((word) => more.includes(word))
}

/** Lists the words that distinguish a set from others. The first set of a series has only those of the series. */
function listFormWords(name: string): string[] {
  const { own, series } = parseSetForm(name)
  return [...own.split(' '), ...series].filter((word) => word !== 'base')
}
