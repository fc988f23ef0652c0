import { ServiceError } from '../primitives/errors.ts'
import type { PhotoQuality, PhotoReading, PhotoSize } from './photo-reading.ts'
import { THRESHOLDS } from './thresholds.ts'

const LIMITS = THRESHOLDS.quality

const CARD = { widthMm: 63, heightMm: 88 }

type Defect = {
  advice: string | ((reading: Pick<PhotoReading, 'photo' | 'print'>) => string)
  /** 1 means at the limit. */
  severity: (quality: PhotoQuality) => number
}

/** Advice for each defect. */
const DEFECTS: readonly Defect[] = [
  {
    advice: 'Get the whole card into the frame.',
    severity: ({ is_cut_off }) => (is_cut_off ? Number.POSITIVE_INFINITY : 0),
  },
  {
    advice: ({ photo, print }) =>
      adviceForSmallFile(photo) ??
      `Move closer: the ${print.readable.name ? 'number' : 'card'} is too small in the photo.`,
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

/**
 * Returns advice for a better photo, the worst defect first; empty if the photo is good enough, or if its name and its
 * number were read, because another photo shows no more.
 */
export function retakeAdvice(reading: Pick<PhotoReading, 'photo' | 'print' | 'quality'>): string[] {
  const { quality, print } = reading
  if (quality === undefined || (print.readable.name && print.readable.number)) return []
  return defectsOf(quality).map(({ advice }) =>
    typeof advice === 'string' ? advice : advice(reading),
  )
}

/** Returns true if a photo is too dark to tell a face from a back. */
export function isDark({ brightness }: PhotoQuality): boolean {
  return brightness < LIMITS.brightnessMin
}

/** Returns true if every value is within its limit. */
export function isGoodPhoto(quality: PhotoQuality): boolean {
  return defectsOf(quality).length === 0
}

/** Returns the defects beyond their limits, the worst first. */
function defectsOf(quality: PhotoQuality): Defect[] {
  return DEFECTS.map((defect) => ({ defect, severity: defect.severity(quality) }))
    .filter(({ severity }) => severity > 1)
    .toSorted((one, other) => other.severity - one.severity)
    .map(({ defect }) => defect)
}

/**
 * Returns advice for a file that is too small to show a number at any camera distance: a thumbnail, or a picture that
 * a messenger has shrunk. Undefined if a card that fills the photo would be legible.
 */
export function adviceForSmallFile({ width, height }: PhotoSize): string | undefined {
  const fit = (across: number, down: number) =>
    Math.min(across / CARD.widthMm, down / CARD.heightMm)
  const pxPerMmMax = Math.max(fit(width, height), fit(height, width))
  if (pxPerMmMax * LIMITS.cardShare >= LIMITS.pxPerMmMin) return undefined
  return `The photo is only ${width} x ${height} pixels. Send the original.`
}

export type PhotoFormat = 'jpeg' | 'png' | 'webp'

/** Returns the format by the first bytes, ignoring any declared type; undefined if unsupported. */
export function detectPhotoFormat(bytes: Uint8Array): PhotoFormat | undefined {
  const head = headOf(bytes)
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  return /^RIFF.{4}WEBP/s.test(head) ? 'webp' : undefined
}

/**
 * Returns what to do with a file of no supported format, by its first bytes. Phones store photos as HEIC; the brands of
 * both containers: ISO/IEC 23008-12, annexes B and F, and the AVIF specification, section 8.
 */
export function adviceForFormat(bytes: Uint8Array): string {
  const brand = /^.{4}ftyp(.{4})/s.exec(headOf(bytes))?.[1] ?? ''
  if (/^avi[fs]$/.test(brand)) return 'This is an AVIF image. Send it as JPEG, PNG or WebP.'
  if (/^(he[iv][cmsx]|m[is]f1)$/.test(brand)) {
    return 'This is a HEIC photo. Send a JPEG: on an iPhone, choose Settings, Camera, Formats, Most Compatible.'
  }
  return 'The image could not be decoded. Send a JPEG, PNG or WebP.'
}

/** Returns the first bytes as one character each. */
function headOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 12))
}

/** A photo with a valid header but damaged pixels, on which the reader spent time before it could reject it. */
export class DamagedPhoto extends ServiceError {
  constructor(message: string) {
    super('INVALID_IMAGE', message)
  }
}
