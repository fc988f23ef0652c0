import sharp from 'sharp'
import { detectPhotoFormat } from '#rules/photos/photo-format.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Upright sRGB pixels, three bytes each, row by row. */
export type RgbImage = { width: number; height: number; data: Uint8Array }

/** Maximum side of a decoded photo: numbers stay legible, memory stays small. */
const SIDE_MAX = 2000
/** Photos with a shorter side cannot show a card. */
const SIDE_MIN = 32
const PIXELS_MAX = 64e6
/** Decoding is cancelled after this time. */
export const DECODE_TIMEOUT_SECONDS = 5

// Allows only three loaders of libvips, for all threads of the process. The others (SVG, GIF, TIFF and more)
// have a history of vulnerabilities.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
// Uploads do not repeat, and each reader thread has one core.
sharp.cache(false)
sharp.concurrency(1)

/** Options for every picture from outside. */
export const DECODE_OPTIONS = {
  limitInputPixels: PIXELS_MAX,
  failOn: 'error',
  sequentialRead: true,
  pages: 1,
} as const

/** EXIF orientations 1 to 8: first mirror horizontally, then rotate. */
const UPRIGHT = { angle: 0, isMirrored: false }
const ORIENTATIONS: Record<number, typeof UPRIGHT> = {
  2: { angle: 0, isMirrored: true },
  3: { angle: 180, isMirrored: false },
  4: { angle: 180, isMirrored: true },
  5: { angle: 270, isMirrored: true },
  6: { angle: 90, isMirrored: false },
  7: { angle: 90, isMirrored: true },
  8: { angle: 270, isMirrored: false },
}

/**
 * Decodes a JPEG, PNG or WebP: applies the orientation, removes metadata, uses the first frame of an
 * animation and a white background. Writes nothing to disk.
 *
 * @throws ServiceError INVALID_IMAGE
 */
export async function decode(image: Uint8Array): Promise<RgbImage> {
  if (image.length === 0) throw invalid('The image is empty. Send a JPEG, PNG or WebP.')
  if (detectPhotoFormat(image) === undefined)
    throw invalid('The image could not be decoded. Send a JPEG, PNG or WebP.')
  try {
    return await decodePixels(image)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw invalid(errorMessage(cause))
  }
}

async function decodePixels(image: Uint8Array): Promise<RgbImage> {
  const source = sharp(image, DECODE_OPTIONS)
  const { width, height, orientation, hasAlpha, space } = await source.metadata()
  if (Math.min(width, height) < SIDE_MIN) {
    throw invalid(`The image has only ${width} x ${height} pixels. Send a larger one.`)
  }
  const { angle, isMirrored } = ORIENTATIONS[orientation ?? 1] ?? UPRIGHT
  const steps = sharp(image, DECODE_OPTIONS).timeout({ seconds: DECODE_TIMEOUT_SECONDS }).resize({
    width: SIDE_MAX,
    height: SIDE_MAX,
    fit: 'inside',
    withoutEnlargement: true,
    // At 12 megapixels, Lanczos takes 20 ms longer without a visible difference.
    kernel: 'linear',
  })
  // Rotates after the resize: `autoOrient` runs before it and takes three times as long. Skips steps that
  // change nothing, because they cost time, too.
  if (isMirrored) steps.flop()
  if (angle !== 0) steps.rotate(angle)
  if (hasAlpha) steps.flatten({ background: '#fff' })
  if (space !== 'srgb') steps.toColourspace('srgb')
  const { data, info } = await steps.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  if (Math.min(info.width, info.height) < SIDE_MIN) {
    throw invalid('The image is a narrow strip. Send one that shows the whole card.')
  }
  return { width: info.width, height: info.height, data }
}

function errorMessage(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  if (/pixel limit/i.test(message)) {
    return `The image has more than ${PIXELS_MAX / 1e6} megapixels. Send a smaller one.`
  }
  if (/timeout/i.test(message)) return 'Decoding the image takes too long. Send a baseline JPEG.'
  return 'The image is damaged or incomplete. Send it again as JPEG, PNG or WebP.'
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_IMAGE', message)
}
