// Whose game a card is of, by the owner that its copyright line names.
import type { PrintedLine } from './text-line.ts'

/** Words of copyright lines, and the slugs of the games whose cards bear them. */
const OWNERS: readonly [words: RegExp, games: readonly string[]][] = [
  // Printed the first sets of Pokemon, too.
  [/wizards of the coast/i, ['magic', 'pokemon']],
  [/nintendo|creatures inc|game ?freak/i, ['pokemon', 'pokemon-japan']],
  [/konami|kazuki takahashi|studio dice/i, ['yugioh']],
  [/eiichiro oda/i, ['one-piece']],
  [/legend story studios/i, ['flesh-and-blood']],
  [/disney/i, ['lorcana']],
]

/** Less sure letters are no words. */
const SURE_MIN = 0.8

/**
 * The games of the owner that the print names; undefined where it names none that is known, or
 * several.
 */
export function gamesByCopyright(lines: readonly PrintedLine[]): readonly string[] | undefined {
  const named = OWNERS.filter(([words]) =>
    lines.some(({ text, confidence }) => confidence >= SURE_MIN && words.test(text)),
  )
  const [owner, ...others] = named
  return others.length === 0 ? owner?.[1] : undefined
}
