// Decides when the picture of a card is certain, and outranks what else was seen.
import type { CandidateCard } from '../candidate-card.ts'
import type { PhotoReading } from '../photo-reading.ts'
import { type ScoredCandidate, scoreCandidates } from '../score-candidates.ts'
import { isOnLabel, LEGIBLE_MIN } from '../text-line.ts'
import { THRESHOLDS } from '../thresholds.ts'
import { isOwnPictureWithin } from '../visual-similarity.ts'

/**
 * Returns the reading with the kind `raw` if the picture is certainly a card's: dark art looks like a back, and a price
 * sticker like the label of a slab.
 */
export function settleKind(reading: PhotoReading, cards: readonly CandidateCard[]): PhotoReading {
  const { kind } = reading
  if (kind !== 'back' && !(kind === 'graded slab' && hasSticker(reading))) return reading
  const raw: PhotoReading = { ...reading, kind: 'raw' }
  const [best] = scoreCandidates(raw, cards)
  return isSureByArt(best) ? raw : reading
}

/** Returns true if something legible is above the card, but neither a word nor a grade. */
function hasSticker({ lines, print }: PhotoReading): boolean {
  const above = lines.filter((line) => isOnLabel(line) && line.legibility >= LEGIBLE_MIN)
  return above.length > 0 && print.grade === '' && !above.some(({ text }) => /\p{L}{3}/u.test(text))
}

/** Returns true if the picture alone identifies the art of the card. */
export function isSureByArt(best: ScoredCandidate | undefined): boolean {
  return isOwnPictureWithin(best?.similarity, THRESHOLDS.matched.byArt)
}
