import sharp, { type Metadata, type Sharp } from 'sharp'
import {
  adviceForFormat,
  DamagedPhoto,
  detectPhotoFormat,
  type PhotoFormat,
} from '#rules/photos/photo-quality.ts'
import type { PhotoSize } from '#rules/photos/photo-reading.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { appendEnd, readMarkers } from './jpeg-markers.ts'
import { withoutText } from './png-text.ts'

/** Upright sRGB pixels, three bytes each, row by row. */
export type RgbImage = { width: number; height: number; data: Uint8Array }

/** A decoded picture, and its size before the reduction. */
export type DecodedImage = RgbImage & { original: PhotoSize }

/** Size to which a picture is reduced: its maximum side, or its maximum number of pixels. */
export type DecodeLimit = { side: number } | { pixels: number }

/** Maximum side of a photo of one card: numbers stay legible, memory stays small. */
const SIDE_MAX = 2000
/** Maximum pixels of a photo of several cards, each of which needs as many pixels as in a photo of one card. */
export const PAGE_PIXELS_MAX = 24e6
/** Photos with a shorter side cannot show a card. */
const SIDE_MIN = 32
/** Maximum pixels of a baseline JPEG, which the decoder shrinks while it reads. */
const SHRINKABLE_PIXELS_MAX = 64e6
/** Maximum pixels of three bytes that are decoded in full. They cost as much time as recognizing the card. */
const FULL_PIXELS_MAX = 24e6
/** A progressive JPEG with more scans costs proportionally more time. Encoders write about ten. */
const SCANS = 10
/** Converting a pixel from CMYK takes as long as decoding six. */
const CMYK_COST = 6
/** Decoding is canceled after this time. */
export const DECODE_TIMEOUT_SECONDS = 5

// Allows only three loaders of libvips, for all threads of the process. The others (SVG, GIF, TIFF and more)
// have a history of vulnerabilities.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
// Each upload is decoded only once, so a cache is useless. Each reader thread has one core.
sharp.cache(false)
sharp.concurrency(1)

/** Options for every picture from outside. */
export const DECODE_OPTIONS = {
  limitInputPixels: SHRINKABLE_PIXELS_MAX,
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
 * Decodes a JPEG, PNG or WebP: reduces it, applies the orientation, removes metadata, uses the first frame of an
 * animation and a white background. Writes nothing to disk.
 *
 * @throws ServiceError INVALID_IMAGE: a DamagedPhoto if its pixels cannot be decoded
 */
export async function decode(
  image: Uint8Array,
  limit: DecodeLimit = { side: SIDE_MAX },
): Promise<DecodedImage> {
  if (image.length === 0) throw invalid('The image is empty. Send a JPEG, PNG or WebP.')
  const format = detectPhotoFormat(image)
  if (format === undefined) throw invalid(adviceForFormat(image))
  const picture = openPicture(image, format)
  const header = await picture.metadata().catch((cause: unknown) => {
    throw invalid(errorMessage(cause))
  })
  assertSize(header)
  assertCost(header, image)
  return await decodePixels(picture, header, limit).catch((cause: unknown) => {
    throw new DamagedPhoto(errorMessage(cause))
  })
}

function openPicture(image: Uint8Array, format: PhotoFormat): Sharp {
  const completed = format === 'jpeg' ? appendEnd(image) : undefined
  // After an appended end, the decoder only warns if more than the end is missing.
  if (completed !== undefined) return sharp(completed, { ...DECODE_OPTIONS, failOn: 'warning' })
  return sharp(format === 'png' ? withoutText(image) : image, DECODE_OPTIONS)
}

/** Rejects a photo that is too small, or would be after its reduction to the maximum side. */
function assertSize({ width, height }: Metadata): void {
  if (Math.min(width, height) < SIDE_MIN) {
    throw invalid(`The image has only ${width} x ${height} pixels. Send a larger one.`)
  }
  const scale = Math.min(1, SIDE_MAX / Math.max(width, height))
  if (Math.min(width, height) * scale < SIDE_MIN) {
    throw invalid('The image is a narrow strip. Send one that shows the whole card.')
  }
}

/** Rejects a photo by its header if decoding it would take longer than recognizing a card. */
function assertCost(header: Metadata, image: Uint8Array): void {
  const { width, height, format, isProgressive, channels, depth, space } = header
  const isShrinkable = format === 'jpeg' && !isProgressive && space !== 'cmyk'
  if (isShrinkable) return
  const cost = [
    Math.max(1, channels / 3),
    depth === 'ushort' ? 2 : 1,
    space === 'cmyk' ? CMYK_COST : 1,
    format === 'jpeg' && isProgressive ? Math.max(1, readMarkers(image).scans / SCANS) : 1,
  ].reduce((product, factor) => product * factor)
  if (width * height * cost <= FULL_PIXELS_MAX) return
  const megapixels = Math.floor(FULL_PIXELS_MAX / cost / 1e5) / 10
  const baseline = space === 'cmyk' ? 'an RGB one as baseline JPEG' : 'a baseline JPEG'
  throw invalid(
    `The image has too many pixels for its format: at most ${megapixels} megapixels. Send a smaller one, or ${baseline} of at most ${SHRINKABLE_PIXELS_MAX / 1e6} megapixels.`,
  )
}

async function decodePixels(
  picture: Sharp,
  { width, height, orientation, hasAlpha, space }: Metadata,
  limit: DecodeLimit,
): Promise<DecodedImage> {
  const { angle, isMirrored } = ORIENTATIONS[orientation ?? 1] ?? UPRIGHT
  const steps = picture.timeout({ seconds: DECODE_TIMEOUT_SECONDS }).resize({
    ...reducedSize({ width, height }, limit),
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
  const original = angle % 180 === 0 ? { width, height } : { width: height, height: width }
  return { width: info.width, height: info.height, data, original }
}

/** Returns the size of the box into which a picture is fitted. */
function reducedSize({ width, height }: PhotoSize, limit: DecodeLimit): PhotoSize {
  if ('side' in limit) return { width: limit.side, height: limit.side }
  const scale = Math.min(1, Math.sqrt(limit.pixels / (width * height)))
  return {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  }
}

function errorMessage(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  if (/pixel limit/i.test(message)) {
    return `The image has more than ${SHRINKABLE_PIXELS_MAX / 1e6} megapixels. Send a smaller one.`
  }
  if (/timeout/i.test(message)) return 'Decoding the image takes too long. Send a baseline JPEG.'
  return 'The image is damaged or incomplete. Send it again as JPEG, PNG or WebP.'
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_IMAGE', message)
}
