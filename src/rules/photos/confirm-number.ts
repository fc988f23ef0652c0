// Confirms a number that was read with less certainty by the catalog: a misread number is hardly ever the number of
// another card with the name that was read.
import type { CandidateCard } from './candidate-card.ts'
import type { PhotoReading, PrintReading } from './photo-reading.ts'
import { isNameRead } from './score-candidates.ts'
import { createTextFitter } from './text-fit.ts'
import { matchText } from './text-match.ts'

/**
 * Returns the fields of a photo, with its likely number if a card has exactly this number and its name was read.
 *
 * @param likely the fields at the lower confidence `numberLikelyMin`
 */
export function confirmNumber(
  { print, lines }: PhotoReading,
  likely: PrintReading,
  cards: readonly CandidateCard[],
): PrintReading {
  if (print.readable.number || !likely.readable.number) return print
  const fitCard = createTextFitter(lines)
  const isConfirmed = cards.some((card) => {
    const match = matchText(likely, card)
    return match?.number === 'exact' && isNameRead({ match, fit: fitCard(card) })
  })
  if (!isConfirmed) return print
  return { ...print, number: likely.number, readable: { ...print.readable, number: true } }
}
