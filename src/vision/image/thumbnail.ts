import sharp from 'sharp'
import { detectPhotoFormat } from '#rules/photos/photo-quality.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { DECODE_OPTIONS, DECODE_TIMEOUT_SECONDS } from './decode.ts'
import { withoutText } from './png-text.ts'

/**
 * Creates WebP thumbnails of a catalog picture, one for each width: upright, in sRGB, without metadata.
 * Never enlarges. Does not block the event loop.
 *
 * @param widths in pixels
 * @throws ServiceError INVALID_IMAGE
 */
export async function createThumbnails(
  image: Uint8Array,
  widths: readonly number[],
): Promise<Uint8Array<ArrayBuffer>[]> {
  const format = detectPhotoFormat(image)
  if (format === undefined) throw unreadable()
  const safe = format === 'png' ? withoutText(image) : image
  const made: Uint8Array<ArrayBuffer>[] = []
  for (const width of widths) made.push(await createThumbnail(safe, width))
  return made
}

async function createThumbnail(image: Uint8Array, width: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const webp = await sharp(image, { ...DECODE_OPTIONS, limitInputPixels: PIXELS_MAX })
      .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ width, height: width * ASPECT_MAX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer()
    return new Uint8Array(webp)
  } catch {
    throw unreadable()
  }
}

/** Several pictures are decoded concurrently. Marketplace pictures have a tenth of this size. */
const PIXELS_MAX = 16e6

/** Maximum height, in widths. A taller picture does not show a card and may exceed the limit of WebP. */
const ASPECT_MAX = 4

const QUALITY = 80

function unreadable(): ServiceError {
  return new ServiceError('INVALID_IMAGE', 'The image could not be decoded.')
}
