// What the look of a card's surface says for sure. Foil that is not lit does not shine and a finger covers
// a stamp, so that nothing is told of most photos.
import { retakeAdvice } from './photo-quality.ts'
import type { PhotoReading, PrintReading } from './photo-reading.ts'
import { THRESHOLDS } from './thresholds.ts'

const LIMITS = THRESHOLDS.finish

/** The finish that the photo shows; never that there is none. */
export function detectFinish({ finish }: Pick<PhotoReading, 'finish'>): PrintReading['finish'] {
  return finish !== undefined && finish.foilProbability >= LIMITS.foilMin ? 'Foil' : ''
}

/** Whether a photo that is good enough clearly shows a card without any stamp. */
export function isUnstamped({
  finish,
  quality,
}: Pick<PhotoReading, 'finish' | 'quality'>): boolean {
  if (finish === undefined || quality === undefined) return false
  return finish.stampProbability <= LIMITS.stampMax && retakeAdvice(quality).length === 0
}
