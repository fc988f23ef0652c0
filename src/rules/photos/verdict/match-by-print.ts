// Decides whether the print of a card alone identifies it: its name and number, or a code that only it has.
import { cardTitle } from '../../catalog/names.ts'
import { withoutMarks } from '../../catalog/number-forms.ts'
import type { PhotoReading, PrintReading } from '../photo-reading.ts'
import type { ScoredCandidate } from '../score-candidates.ts'
import { LEGIBLE_MIN, type PrintedLine } from '../text-line.ts'
import { THRESHOLDS } from '../thresholds.ts'

/**
 * Returns true if the name and the number that were read, or a code beside which no name was read, are those of one
 * card only. A stamp or a pattern that cannot be seen leaves two cards.
 */
export function isMatchedByPrint(
  best: ScoredCandidate,
  others: readonly ScoredCandidate[],
  reading: PhotoReading,
): boolean {
  const { print } = reading
  const rivals = others.filter((other) => other.isConsistent || mayShowOtherCode(other))
  if (!print.readable.number || contradictsPicture(best, reading)) return false
  if (print.readable.name) return isIdentified(best, print) && !rivals.some(isTwin)
  return (
    best.match.number === 'exact' &&
    isCode(best.card.number) &&
    isNameOpen(best, reading) &&
    rivals.every(({ match }) => match.number === 'unknown')
  )
}

/** Sets of promos and reprints, whose cards show the code of the set that they were first in. */
const WITHOUT_OWN_CODE =
  /promo|pre-?release|prize|league|championship|judge|staff|event|play!|the list|mystery booster/i

/** Returns true if a card of this edition may show the code of another set. */
function mayShowOtherCode({ card, match }: ScoredCandidate): boolean {
  return match.edition && WITHOUT_OWN_CODE.test(card.set.name)
}

/**
 * Returns true if a card has the name and the number that were read. A number without its total, or one whose total
 * the catalog lacks, may be cut off: it needs the set or the other total.
 */
function isIdentified({ match }: ScoredCandidate, { number }: PrintReading): boolean {
  const { wordsMin } = THRESHOLDS.matched
  const isWhole = match.number === 'exact' || (match.number === 'partial' && number.includes('/'))
  return (
    match.name >= wordsMin && (isWhole || (match.number === 'partial' && match.set >= wordsMin))
  )
}

/**
 * Returns true if a card may have the name and the number that were read: with another total or without one, because
 * catalogs omit totals, or as a variant of a numbered card that is listed without its number, such as a stamped one.
 */
function isTwin({ card, match }: ScoredCandidate): boolean {
  if (match.name < THRESHOLDS.matched.wordsMin) return false
  return match.number !== 'unknown' || (card.number === null && cardTitle(card.name) !== card.name)
}

/** Returns true if the number contains the code of its set, and not only a total that many sets have. */
function isCode(number: string | null): boolean {
  return /^[A-Z]+[0-9]*-[A-Z]*[0-9]{2,}/.test(withoutMarks(number ?? ''))
}

/** Returns true if the lines are in Latin letters, and none of them is certainly another name. */
function isNameOpen({ fit }: ScoredCandidate, { lines }: PhotoReading): boolean {
  const legible = lines.filter(({ legibility }) => legibility >= LEGIBLE_MIN)
  if (!legible.every(({ script }) => script === 'latin')) return false
  const written = legible.filter(({ text }) => /\p{L}{3}/u.test(text))
  const tallest = Math.max(...written.map(({ heightPx }) => heightPx))
  const isTitle = ({ text, confidence, heightPx }: PrintedLine) =>
    confidence >= TITLE_SURE && heightPx >= TITLE_TALL * tallest && /^\p{Lu}.*[^.,:]$/u.test(text)
  return (fit.name ?? 0) >= THRESHOLDS.named.nameHintMin || !written.some(isTitle)
}

/** Minimum confidence and height, as a share of the tallest line, of a line that may be the name of another card. */
const TITLE_SURE = 0.9
const TITLE_TALL = 0.9

/** Returns true if the picture of a card is indexed, and the photo looks like another one. */
function contradictsPicture(
  { card, similarity }: ScoredCandidate,
  { neighbors }: PhotoReading,
): boolean {
  const isUnlike = card.art_group !== null && similarity === undefined
  return (
    isUnlike &&
    neighbors.some(
      ({ cosine, isLearned }) => isLearned !== true && cosine >= THRESHOLDS.plausible.cosineMin,
    )
  )
}
