// Reads the set of a card on the label of its slab, with the sets of the cards that have its name.
import type { CandidateCard } from '../candidate-card.ts'
import type { PhotoReading, PrintReading } from '../photo-reading.ts'
import { isOnLabel, LEGIBLE_MIN, type PrintedLine } from '../text-line.ts'
import { matchText } from '../text-match.ts'
import { THRESHOLDS } from '../thresholds.ts'

/** Minimum confidence of a line that has the name of a set. */
const CONFIDENCE_MIN = 0.4
/** Shorter names of sets are words of other names. */
const LETTERS_MIN = 5

/**
 * Returns the fields with the set that a label names; unchanged without one, or with several. A year on the label
 * excludes sets of other years.
 */
export function readLabelSet(
  { kind, lines }: Pick<PhotoReading, 'kind' | 'lines'>,
  print: PrintReading,
  cards: readonly CandidateCard[],
): PrintReading {
  const { readable } = print
  if (kind !== 'graded slab' || !readable.name || readable.set) return print
  const texts = lines.filter(isLegible).map(({ text }) => ` ${lettersOf(text)} `)
  const years = texts.flatMap((text) => text.match(/\b(?:19|20)[0-9]{2}\b/g) ?? []).map(Number)
  const possible = cards
    .filter((card) => (matchText(print, card)?.name ?? 0) >= THRESHOLDS.matched.wordsMin)
    .filter((card) => isOfYear(card, years))
    .map(({ set }) => ({ name: set.name, letters: lettersOf(shortName(set.name)) }))
    .filter(({ letters }) => letters.length >= LETTERS_MIN)
  const named = possible.filter(({ letters }) =>
    texts.some((text) => text.includes(` ${letters} `)),
  )
  // "Base Set 2" contains "Base Set".
  const most = Math.max(...named.map(({ letters }) => letters.length))
  const sets = new Set(
    named.filter(({ letters }) => letters.length === most).map(({ name }) => name),
  )
  const [set = ''] = sets
  // "Shadowless" may stand on another line than "Base Set".
  const isQualified = possible.some(
    ({ letters }) =>
      letters.length > most &&
      named.some((one) => letters.includes(one.letters)) &&
      letters.split(' ').every((word) => texts.some((text) => text.includes(` ${word} `))),
  )
  return sets.size === 1 && !isQualified
    ? { ...print, set, readable: { ...readable, set: true } }
    : print
}

function isLegible(line: PrintedLine): boolean {
  return isOnLabel(line) && line.legibility >= LEGIBLE_MIN && line.confidence >= CONFIDENCE_MIN
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Returns the name of a set without its series: "Darkness Ablaze" of "SWSH03: Darkness Ablaze". */
function shortName(name: string): string {
  return name.split(/: | - /).at(-1) ?? name
}

/** Returns true unless the label has years, and the set is more than a year from each. */
function isOfYear({ release_date }: CandidateCard, years: readonly number[]): boolean {
  const released = Number(release_date?.slice(0, 4))
  return (
    !(released > 0) || years.length === 0 || years.some((year) => Math.abs(year - released) <= 1)
  )
}
