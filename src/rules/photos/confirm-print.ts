// Uses the catalog to confirm a name or a number that was read with less certainty. A misread text is hardly ever the
// name of another card, or the number of another card with this name.
import { cleanName, printedNames } from '../catalog/names.ts'
import type { CandidateCard } from './candidate-card.ts'
import type { PhotoReading, PrintReading } from './photo-reading.ts'
import type { ReadingLimits } from './read-fields.ts'
import { isNameRead } from './score-candidates.ts'
import { createTextFitter } from './text-fit.ts'
import { matchText } from './text-match.ts'
import { THRESHOLDS } from './thresholds.ts'

const { nameLikelyMin: nameMin, numberLikelyMin: numberMin } = THRESHOLDS.reading

/** Limits of the fields that the catalog may confirm. */
export const LIKELY_LIMITS: ReadingLimits = { ...THRESHOLDS.reading, nameMin, numberMin }

/**
 * Returns the fields of a photo, including its likely name if a card has exactly this name, and its likely number if
 * a card has exactly this number and the name that was read.
 *
 * @param likely the fields at LIKELY_LIMITS
 */
export function confirmPrint(
  { print, lines }: Pick<PhotoReading, 'print' | 'lines'>,
  likely: PrintReading,
  cards: readonly CandidateCard[],
): PrintReading {
  const named = confirmName(print, likely, cards)
  return confirmNumber({ print: named, lines }, likely, cards)
}

function confirmName(
  print: PrintReading,
  likely: PrintReading,
  cards: readonly CandidateCard[],
): PrintReading {
  if (print.readable.name || !likely.readable.name) return print
  const lettersOf = (name: string) => cleanName(name).toLowerCase()
  const letters = lettersOf(likely.name)
  const isListed = cards.some(({ name }) =>
    printedNames(name).some((printed) => lettersOf(printed) === letters),
  )
  if (!isListed) return print
  return { ...print, name: likely.name, readable: { ...print.readable, name: true } }
}

function confirmNumber(
  { print, lines }: Pick<PhotoReading, 'print' | 'lines'>,
  likely: PrintReading,
  cards: readonly CandidateCard[],
): PrintReading {
  if (print.readable.number || !likely.readable.number) return print
  const withNumber = {
    ...print,
    number: likely.number,
    readable: { ...print.readable, number: true },
  }
  const fitCard = createTextFitter(lines)
  const isConfirmed = cards.some((card) => {
    const match = matchText(withNumber, card)
    return match?.number === 'exact' && isNameRead({ match, fit: fitCard(card) })
  })
  return isConfirmed ? withNumber : print
}
