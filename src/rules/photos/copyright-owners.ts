// Finds the game of a card by the owner in its copyright line.
import type { PrintedLine } from './text-line.ts'

/** Words of copyright lines, and slugs of the games that print them. */
const OWNERS: readonly [words: RegExp, games: readonly string[]][] = [
  // Wizards also printed the first sets of Pokemon.
  [/wizards of the coast/i, ['magic', 'pokemon']],
  [/nintendo|creatures inc|game ?freak/i, ['pokemon', 'pokemon-japan']],
  [/konami|kazuki takahashi|studio dice/i, ['yugioh']],
  [/eiichiro oda/i, ['one-piece']],
  [/legend story studios/i, ['flesh-and-blood']],
  [/disney/i, ['lorcana']],
]

const CONFIDENCE_MIN = 0.8

/** Returns the games of the owner; undefined if no known owner is printed, or several are. */
export function gamesByCopyright(lines: readonly PrintedLine[]): readonly string[] | undefined {
  const named = OWNERS.filter(([words]) =>
    lines.some(({ text, confidence }) => confidence >= CONFIDENCE_MIN && words.test(text)),
  )
  const [owner, ...others] = named
  return others.length === 0 ? owner?.[1] : undefined
}
