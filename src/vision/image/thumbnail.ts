import sharp from 'sharp'
import { detectPhotoFormat } from '#rules/photos/photo-format.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { DECODE_OPTIONS, DECODE_TIMEOUT_SECONDS } from './decode.ts'

/**
 * Makes a catalog's picture smaller, once for each width, as WebP: upright, in sRGB, without metadata. One
 * that is narrower stays as it is. Works beside the event loop.
 *
 * @param widths in pixels
 * @throws ServiceError INVALID_IMAGE
 */
export async function createThumbnails(
  image: Uint8Array,
  widths: readonly number[],
): Promise<Uint8Array<ArrayBuffer>[]> {
  if (detectPhotoFormat(image) === undefined) throw unreadable()
  const made: Uint8Array<ArrayBuffer>[] = []
  for (const width of widths) made.push(await shrinkTo(image, width))
  return made
}

async function shrinkTo(image: Uint8Array, width: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const webp = await sharp(image, { ...DECODE_OPTIONS, limitInputPixels: PIXELS_MAX })
      .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ width, height: width * TALL, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer()
    return new Uint8Array(webp)
  } catch {
    throw unreadable()
  }
}

/** Several are decoded at once, and the cards of marketplaces have a tenth of this. */
const PIXELS_MAX = 16e6

/** Times as high as it is wide: beyond it, it is no card, and would be too high for WebP. */
const TALL = 4

const QUALITY = 80

function unreadable(): ServiceError {
  return new ServiceError('INVALID_IMAGE', 'This is no picture that can be read.')
}
