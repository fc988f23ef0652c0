// Uses the catalog to confirm a number that was read with less certainty. A misread text is hardly ever the number of
// another card with the name that was read.
import { withoutMarks } from '../catalog/number-forms.ts'
import type { CandidateCard } from './candidate-card.ts'
import type { PhotoReading, PrintReading } from './photo-reading.ts'
import type { ReadingLimits } from './read-fields.ts'
import { isNameRead } from './score-candidates.ts'
import { spanConfidence } from './span-confidence.ts'
import { createTextFitter, NUMBER_LENGTH_MIN, type TextFit } from './text-fit.ts'
import { matchText } from './text-match.ts'
import { THRESHOLDS } from './thresholds.ts'

/** Limits of the fields that the catalog may confirm. */
export const LIKELY_LIMITS: ReadingLimits = {
  ...THRESHOLDS.reading,
  numberMin: THRESHOLDS.reading.numberLikelyMin,
}

/**
 * Returns the fields of a photo, including its likely number if a card has exactly this number and the name that was
 * read, and its letters fit no other number of the name.
 *
 * @param likely the fields at LIKELY_LIMITS
 */
export function confirmPrint(
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
  // Cards with another number do not match, so the name is compared alone.
  const named = cards.flatMap((card) => {
    const fit = fitCard(card)
    const match = matchText(print, card)
    return match !== undefined && isNameRead({ match, fit }) ? [{ card, fit }] : []
  })
  const own = named.filter(({ card }) => {
    const match = matchText(withNumber, card)?.number
    return match === 'exact' || (match === 'partial' && likely.number.includes('/'))
  })
  const others = named.filter((one) => !own.includes(one))
  const [printed = ''] = likely.number.split('/')
  const isConfirmed =
    printed.length < NUMBER_LENGTH_MIN
      ? own.length > 0 && (others.length === 0 || isSure(lines, likely.number))
      : own.some((one) => others.every((other) => isLikelier(one, other)))
  return isConfirmed ? withNumber : print
}

/** Minimum confidence of a number of one or two digits, whose fit says nothing. */
const SHORT_NUMBER_MIN = 0.9

function isSure(lines: PhotoReading['lines'], number: string): boolean {
  return lines.some(({ ctc }) => spanConfidence(ctc, number) >= SHORT_NUMBER_MIN)
}

/** Minimum odds of a number against that of another card of the same name. */
const ODDS_MIN = 100

type Fitted = { card: CandidateCard; fit: TextFit }

/** Returns true if the letters fit the number of one card clearly better than that of another. */
function isLikelier({ card, fit: { number: own } }: Fitted, { fit: { number: other } }: Fitted) {
  // Neither a missing number nor one that resembles no line is a rival.
  if (other === undefined || other === 0) return true
  // A fit is the mean factor per letter.
  return own !== undefined && (own / other) ** withoutMarks(card.number ?? '').length >= ODDS_MIN
}
