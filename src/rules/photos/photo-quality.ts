import type { PhotoQuality } from './photo-reading.ts'
import { THRESHOLDS } from './thresholds.ts'

const LIMITS = THRESHOLDS.quality

/** What to do about each fault, and how far beyond its limit it is: 1 is at the limit. */
const FAULTS: readonly { advice: string; badness: (quality: PhotoQuality) => number }[] = [
  {
    advice: 'Get the whole card into the frame.',
    badness: ({ is_cut_off }) => (is_cut_off ? Number.POSITIVE_INFINITY : 0),
  },
  {
    advice: 'Move closer: the card is too small in the photo.',
    badness: ({ px_per_mm }) => LIMITS.pxPerMmMin / px_per_mm,
  },
  {
    advice: 'Hold still and let the camera focus: the photo is blurred.',
    badness: ({ blur_mm }) => blur_mm / LIMITS.blurMmMax,
  },
  {
    advice: 'Tilt the card or move the lamp: light is reflected in it.',
    badness: ({ glare }) => glare / LIMITS.glareMax,
  },
  {
    advice: 'Take the photo in more light.',
    badness: ({ brightness }) => LIMITS.brightnessMin / brightness,
  },
  {
    advice: 'Lay the card flat on a plain background, with all four corners in view.',
    badness: ({ cornerConfidence }) => LIMITS.cornerConfidenceMin / cornerConfidence,
  },
]

/** What to do for a better photo, the worst fault first; empty where it is good enough. */
export function retakeAdvice(quality: PhotoQuality): string[] {
  return FAULTS.map(({ advice, badness }) => ({ advice, badness: badness(quality) }))
    .filter(({ badness }) => badness > 1)
    .toSorted((one, other) => other.badness - one.badness)
    .map(({ advice }) => advice)
}
