// What the look of a card's surface says for sure. Foil that is not lit does not shine and a finger covers
// a stamp, so that nothing is told of most photos.
import { adviceFor } from './photo-quality.ts'
import type { PhotoReading, PrintReading } from './photo-reading.ts'
import { THRESHOLDS } from './thresholds.ts'

const LIMITS = THRESHOLDS.surface

/** The finish that the photo shows; never that there is none. */
export function finishOf({ surface }: Pick<PhotoReading, 'surface'>): PrintReading['finish'] {
  return surface !== undefined && surface.foil >= LIMITS.foilMin ? 'Foil' : ''
}

/** Whether a photo that is good enough clearly shows a card without any stamp. */
export function isPlain({ surface, quality }: Pick<PhotoReading, 'surface' | 'quality'>): boolean {
  if (surface === undefined || quality === undefined) return false
  return surface.stamped <= LIMITS.plainMax && adviceFor(quality).length === 0
}
