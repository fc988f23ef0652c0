// Decides on foil and stamps by the look of a card. Most photos decide neither: unlit foil does not shine, and
// a finger may cover a stamp.
import { isGoodPhoto } from './photo-quality.ts'
import type { PhotoReading, PrintReading } from './photo-reading.ts'
import { THRESHOLDS } from './thresholds.ts'

const LIMITS = THRESHOLDS.finish

/** Returns `Foil` or an empty string. A photo without a shine does not prove that the card lacks foil. */
export function detectFinish({ finish }: Pick<PhotoReading, 'finish'>): PrintReading['finish'] {
  return finish !== undefined && finish.foilProbability >= LIMITS.foilMin ? 'Foil' : ''
}

/** Returns whether a good photo clearly shows a card without a stamp. */
export function isUnstamped({
  finish,
  quality,
}: Pick<PhotoReading, 'finish' | 'quality'>): boolean {
  if (finish === undefined || quality === undefined) return false
  return finish.stampProbability <= LIMITS.stampMax && isGoodPhoto(quality)
}
