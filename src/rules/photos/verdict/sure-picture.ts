// Decides when the picture of a card is certain, and outranks what else was seen.
import type { CandidateCard } from '../candidate-card.ts'
import type { PhotoReading } from '../photo-reading.ts'
import { type ScoredCandidate, scoreCandidates } from '../score-candidates.ts'
import { THRESHOLDS } from '../thresholds.ts'
import { isOwnPictureWithin } from '../visual-similarity.ts'

/** Returns the reading with the kind `raw` if a back is certainly the picture of a card: dark art looks like one. */
export function settleKind(reading: PhotoReading, cards: readonly CandidateCard[]): PhotoReading {
  if (reading.kind !== 'back') return reading
  const raw: PhotoReading = { ...reading, kind: 'raw' }
  const [best] = scoreCandidates(raw, cards)
  return isSureByArt(best) ? raw : reading
}

/** Returns true if the picture alone identifies the art of the card. */
export function isSureByArt(best: ScoredCandidate | undefined): boolean {
  return isOwnPictureWithin(best?.similarity, THRESHOLDS.matched.byArt)
}
