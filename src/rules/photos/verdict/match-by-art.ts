// Decides whether the picture of a card identifies it.
import { withoutMarks } from '../../catalog/number-forms.ts'
import type { PhotoReading } from '../photo-reading.ts'
import { isNameRead, type ScoredCandidate } from '../score-candidates.ts'
import { THRESHOLDS } from '../thresholds.ts'
import { isWithinLimits } from '../visual-similarity.ts'

/**
 * Returns true if only this card looks like the photo. Cards with the same art must differ in the letters of the
 * number.
 */
export function isMatchedByArt(
  best: ScoredCandidate,
  others: readonly ScoredCandidate[],
  { print }: PhotoReading,
): boolean {
  const { similarity } = best
  // A card without a picture is matched by its print, never by the picture of another card of its name.
  if (similarity === undefined || similarity.isInherited) return false
  // People err, so a photo that they have named needs the printed name or number.
  if (similarity.isLearned && !isNameRead(best) && best.match.number !== 'exact') return false
  const siblings = others.filter(
    (other) => other.isConsistent && other.similarity?.art === similarity.art,
  )
  const isExcluded = (sibling: ScoredCandidate) =>
    sibling.similarity?.isInherited === true
      ? isOtherPrinting(best, sibling)
      : isDistinguishable(best, sibling, THRESHOLDS.matched.byLetters.oddsMin)
  if (!siblings.every(isExcluded)) return false
  const { match, score } = best
  const { byArt, byArtAndHash, byArtAndNumber } = THRESHOLDS.matched
  const isNumberRead = print.readable.number && match.number === 'exact'
  const sufficient = [isNumberRead ? byArtAndNumber : byArt, byArtAndHash]
  return sufficient.some((limits) => score >= limits.scoreMin && isWithinLimits(similarity, limits))
}

/**
 * Returns true if the number excludes a card of the same name without a picture. Few such cards share the art, so
 * less is needed than between cards that do. A card without a number is excluded by a certain number.
 */
function isOtherPrinting(best: ScoredCandidate, namesake: ScoredCandidate): boolean {
  const { oddsMin, fitMin } = THRESHOLDS.matched.namesake
  if (namesake.card.number !== null) return isDistinguishable(best, namesake, oddsMin)
  return best.match.number === 'exact' || (best.fit.number ?? 0) >= fitMin
}

/** Compares the fits of the numbers. Returns false if a card has no number. */
function isDistinguishable(
  { card, fit: { number: own } }: ScoredCandidate,
  { fit: { number: other } }: ScoredCandidate,
  oddsMin: number,
) {
  const { fitMin } = THRESHOLDS.matched.byLetters
  if (own === undefined || other === undefined || own < fitMin) return false
  // A fit is the mean factor per letter.
  return (own / other) ** withoutMarks(card.number ?? '').length >= oddsMin
}
