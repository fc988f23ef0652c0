// Decides whether the print of a card alone identifies it: its name and number, or a code that only it has.
import { cardTitle } from '../../catalog/names.ts'
import { withoutMarks } from '../../catalog/number-forms.ts'
import { LANGUAGE_OF_GAME } from '../candidate-card.ts'
import type { PhotoReading, PrintReading } from '../photo-reading.ts'
import type { ScoredCandidate } from '../score-candidates.ts'
import { LEGIBLE_MIN, type PrintedLine } from '../text-line.ts'
import { isNameBegun, isNameWhole } from '../text-match.ts'
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
  const rivals = others.filter((other) => isRival(other, best, print))
  if (!print.readable.number || contradictsPicture(best, reading)) return false
  if (print.readable.name) {
    const isWhole = isFullyNamed(best) && isNameWhole(print.name, best.card.name)
    const isNamed = isWhole || isNamedInPart(best, print)
    const isTwin = (rival: ScoredCandidate) =>
      mayHaveName(rival, isWhole, print) &&
      hasTwinNumber(rival) &&
      !isInOtherLetters(rival, reading)
    const isSure = isNamed && !isInOtherLetters(best, reading) && isIdentified(best, print)
    return isSure && !rivals.some(isTwin)
  }
  return (
    best.match.number === 'exact' &&
    isCode(best.card.number) &&
    isNameOpen(best, reading) &&
    rivals.every(({ match }) => match.number === 'unknown')
  )
}

/** Returns true if nothing excludes a card but that its name is longer than the one that was read, or its set a reprint. */
function isRival(other: ScoredCandidate, best: ScoredCandidate, print: PrintReading): boolean {
  const isInPart = isNamedInPart(other, print) && other.match.set >= best.match.set
  return other.isConsistent || (other.match.edition && isInPart) || mayShowOtherCode(other)
}

/** Sets of promos and reprints, whose cards show the code of the set that they were first in. */
const WITHOUT_OWN_CODE =
  /promo|pre-?release|prize|league|championship|judge|staff|event|play!|the list|mystery booster/i

/** Returns true if a card of this edition may show the code of another set. */
function mayShowOtherCode({ card, match }: ScoredCandidate): boolean {
  return match.edition && WITHOUT_OWN_CODE.test(card.set.name)
}

function isFullyNamed({ match }: ScoredCandidate): boolean {
  return match.name >= THRESHOLDS.matched.wordsMin
}

/** Returns true if the name without its logo was read, and exactly the number with its total. */
function isNamedInPart({ card, match }: ScoredCandidate, { name, number }: PrintReading): boolean {
  return match.number === 'exact' && number.includes('/') && isNameBegun(name, card.name)
}

/**
 * Returns true if the photo may show a card with this name. A logo that was not read makes "Charizard ex" a rival of
 * "Charizard" with exactly its number; of a part of a name, also with a number that the catalog lists incompletely.
 */
function mayHaveName(rival: ScoredCandidate, isWhole: boolean, print: PrintReading): boolean {
  if (isFullyNamed(rival) || isNamedInPart(rival, print)) return true
  return !isWhole && isNameBegun(print.name, rival.card.name)
}

/**
 * Returns true if a card has the number that was read. A number without its total, or one whose total the catalog lacks,
 * may be cut off: it needs the set or the other total.
 */
function isIdentified({ match }: ScoredCandidate, { number }: PrintReading): boolean {
  if (match.number === 'exact') return true
  const isWhole = number.includes('/') || match.set >= THRESHOLDS.matched.wordsMin
  return match.number === 'partial' && isWhole
}

/**
 * Returns true if a card of the name may have the number that was read: with another total or without one, because
 * catalogs omit totals, or as a variant of a numbered card that is listed without its number, such as a stamped one.
 */
function hasTwinNumber({ card, match }: ScoredCandidate): boolean {
  return match.number !== 'unknown' || (card.number === null && cardTitle(card.name) !== card.name)
}

/** Returns true if a card prints its name in other letters than the Latin ones that were read. Labels of slabs translate. */
function isInOtherLetters({ card }: ScoredCandidate, { kind, print }: PhotoReading): boolean {
  const language = LANGUAGE_OF_GAME.get(card.game.slug)
  return kind === 'raw' && language !== undefined && language !== print.language
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
