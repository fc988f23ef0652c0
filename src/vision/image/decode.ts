import sharp from 'sharp'
import { detectPhotoFormat } from '#rules/photos/photo-format.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Upright sRGB pixels: three bytes each, row by row. */
export type RgbImage = { width: number; height: number; data: Uint8Array }

/** Longest side of what is worked on: a number printed on a card stays legible, memory stays small. */
const SIDE_MAX = 2000
/** A smaller side shows no card. */
const SIDE_MIN = 32
const PIXELS_MAX = 64e6
/** For one picture; what takes longer is made to. */
export const DECODE_TIMEOUT_SECONDS = 5

// For the whole process, all threads: of libvips' many loaders only these three ever see an upload.
// It could read SVG, GIF, TIFF and more, each with its own history of faults.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
// Uploads do not repeat, and a reader has one core.
sharp.cache(false)
sharp.concurrency(1)

/** How every picture of somebody else is opened. */
export const DECODE_OPTIONS = {
  limitInputPixels: PIXELS_MAX,
  failOn: 'error',
  sequentialRead: true,
  pages: 1,
} as const

/** What the EXIF orientations 1 to 8 ask for: first mirrored from left to right, then turned. */
const UPRIGHT = { angle: 0, isMirrored: false }
const TURNS: Record<number, typeof UPRIGHT> = {
  2: { angle: 0, isMirrored: true },
  3: { angle: 180, isMirrored: false },
  4: { angle: 180, isMirrored: true },
  5: { angle: 270, isMirrored: true },
  6: { angle: 90, isMirrored: false },
  7: { angle: 90, isMirrored: true },
  8: { angle: 270, isMirrored: false },
}

/**
 * Reads a JPEG, PNG or WebP: orientation applied, metadata left behind, the first picture of an
 * animation, transparency on white. Nothing is written to disk.
 * @throws ServiceError INVALID_IMAGE
 */
export async function decode(image: Uint8Array): Promise<RgbImage> {
  if (image.length === 0) throw invalid('The picture is empty. Send a JPEG, PNG or WebP picture.')
  if (detectPhotoFormat(image) === undefined)
    throw invalid('This is no picture we can read. Send a JPEG, PNG or WebP.')
  try {
    return await pixelsOf(image)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw invalid(reasonOf(cause))
  }
}

async function pixelsOf(image: Uint8Array): Promise<RgbImage> {
  const { width, height, orientation, hasAlpha, space } = await sharp(
    image,
    DECODE_OPTIONS,
  ).metadata()
  if (Math.min(width, height) < SIDE_MIN) {
    throw invalid(`The picture is ${width} x ${height} pixels. Send a larger one.`)
  }
  const { angle, isMirrored } = TURNS[orientation ?? 1] ?? UPRIGHT
  const steps = sharp(image, DECODE_OPTIONS).timeout({ seconds: DECODE_TIMEOUT_SECONDS }).resize({
    width: SIDE_MAX,
    height: SIDE_MAX,
    fit: 'inside',
    withoutEnlargement: true,
    // At 12 megapixels, Lanczos takes 20 ms more and shows nothing more.
    kernel: 'linear',
  })
  // Turned after the resize: `autoOrient` comes before it and takes three times as long. Each of
  // the other steps costs time even where it changes nothing.
  if (isMirrored) steps.flop()
  if (angle !== 0) steps.rotate(angle)
  if (hasAlpha) steps.flatten({ background: '#fff' })
  if (space !== 'srgb') steps.toColourspace('srgb')
  const { data, info } = await steps.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  if (Math.min(info.width, info.height) < SIDE_MIN) {
    throw invalid('The picture is a narrow strip. Send one that shows the whole card.')
  }
  return { width: info.width, height: info.height, data }
}

function reasonOf(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : ''
  if (/pixel limit/i.test(words)) {
    return `The picture has more than ${PIXELS_MAX / 1e6} megapixels. Send a smaller one.`
  }
  if (/timeout/i.test(words)) return 'The picture takes too long to read. Send a plain JPEG.'
  return 'The picture is damaged or incomplete. Send it again as JPEG, PNG or WebP.'
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_IMAGE', message)
}
