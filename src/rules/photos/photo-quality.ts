import type { PhotoQuality } from './photo-reading.ts'
import { THRESHOLDS } from './thresholds.ts'

const LIMITS = THRESHOLDS.quality

/** Advice for each defect, and its severity: 1 is at the limit. */
const DEFECTS: readonly { advice: string; severity: (quality: PhotoQuality) => number }[] = [
  {
    advice: 'Get the whole card into the frame.',
    severity: ({ is_cut_off }) => (is_cut_off ? Number.POSITIVE_INFINITY : 0),
  },
  {
    advice: 'Move closer: the card is too small in the photo.',
    severity: ({ px_per_mm }) => LIMITS.pxPerMmMin / px_per_mm,
  },
  {
    advice: 'Hold still and let the camera focus: the photo is blurred.',
    severity: ({ blur_mm }) => blur_mm / LIMITS.blurMmMax,
  },
  {
    advice: 'Tilt the card or move the lamp: the card reflects light.',
    severity: ({ glare }) => glare / LIMITS.glareMax,
  },
  {
    advice: 'Take the photo in more light.',
    severity: ({ brightness }) => LIMITS.brightnessMin / brightness,
  },
  {
    advice: 'Lay the card flat on a plain background, with all four corners in view.',
    severity: ({ cornerConfidence }) => LIMITS.cornerConfidenceMin / cornerConfidence,
  },
]

/** Returns advice for a better photo, the worst defect first; empty if the photo is good enough. */
export function retakeAdvice(quality: PhotoQuality): string[] {
  return DEFECTS.map(({ advice, severity }) => ({ advice, severity: severity(quality) }))
    .filter(({ severity }) => severity > 1)
    .toSorted((one, other) => other.severity - one.severity)
    .map(({ advice }) => advice)
}
