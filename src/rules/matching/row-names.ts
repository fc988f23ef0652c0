import { normalizeName } from '../catalog/trigrams.ts'
import { LINE_LENGTH_MAX, parseListName } from './parse-list-line.ts'

/** A name that the cell of a table may mean. */
export type RowName = {
  written: string
  /** Normalized. */
  bare: string
  /** Additions of a marketplace that were removed: `Borderless` of `Sol Ring (Borderless)`. */
  dropped: readonly string[]
  /** True for one of two faces: the card has only this one. */
  isFace: boolean
}

/** Lists the names that a cell may mean: as written, its front and its back face, then without its additions. */
export function listRowNames(cell: string): RowName[] {
  const readings =
    cell.length > LINE_LENGTH_MAX ? [{ name: cell, suffixes: [] }] : parseListName(cell)
  const names = readings.flatMap(({ name, suffixes }) =>
    [name, ...listFaces(name)].map((written) => ({
      written,
      bare: normalizeName(written),
      dropped: suffixes,
      isFace: written !== name,
    })),
  )
  const byBare = new Map<string, RowName>()
  for (const name of names) if (!byBare.has(name.bare)) byBare.set(name.bare, name)
  byBare.delete('')
  return [...byBare.values()]
}

/** Lists the front and the back face. */
function listFaces(name: string): string[] {
  const faces = name.split(' // ')
  return [faces[0] ?? '', faces.at(-1) ?? ''].map((face) => face.trim())
}

/** Returns the numbers among the additions of a name, which its card must have: `4/102` of `Charizard - 4/102`. */
export function listDroppedNumbers({ dropped }: Pick<RowName, 'dropped'>): string[] {
  return dropped.filter((text) => isNumberText(text) && !VERSION.test(text))
}

/** Returns the additions of a name that are words: `Master Ball` of `Eevee (Master Ball)`. */
export function listDroppedWords({ dropped }: Pick<RowName, 'dropped'>): string[] {
  return dropped.filter((text) => !isNumberText(text) && !VERSION.test(text))
}

/** Returns true for a collector number. */
export function isNumberText(text: string): boolean {
  return NUMBER.test(text)
}

/** `4/102`, `#5`, `SVP 044`, `A/28`, but not `1st Edition`, `Prize Pack Series 1`, `PokeTour 1999` and `Set of 4`. */
const NUMBER =
  /^(?!set of )#?(?:\p{L}{1,5}[\s-])?(?:\p{L}{1,5}[\s-]?)?(?!\d+(?:st|nd|rd|th)$|(?:19|20)\d\d$)\d[\p{L}\d/_★†*-]*$|^\S\/\d+$/iu

/** Some shops count the cards of a name in a set: `(V.3)`. */
const VERSION = /^v(?:ersion)?[. ]{0,2}\d+$/i

/** Returns how many slips a spelling may have: one for every six letters, at most two. */
export function slipsMax(bare: string): 0 | 1 | 2 {
  return bare.length < LETTERS_A_SLIP ? 0 : bare.length < 2 * LETTERS_A_SLIP ? 1 : 2
}

const LETTERS_A_SLIP = 6

/** Returns true if a spelling may mean a name. Digits have no slips: `Battle Academy 2022` is another product. */
export function hasSameDigits(bare: string, other: string): boolean {
  return bare.replace(/\D+/g, ' ') === other.replace(/\D+/g, ' ')
}
