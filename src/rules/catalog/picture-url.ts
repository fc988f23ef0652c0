import { createHash } from 'node:crypto'

/** Converts a stored image URL to an absolute one. */
export type PictureUrl = (stored: string | null) => string | null

/**
 * Creates the function that makes image URLs absolute. Those of a marketplace are already absolute. Those of the
 * bundled sample are relative (`pictures/900001.webp`) and served by this process.
 *
 * @param publicUrl base URL of this service, without a trailing slash
 */
export function createPictureUrl(publicUrl: string): PictureUrl {
  return (stored) =>
    stored === null || /^[a-z][a-z0-9+.-]*:/i.test(stored) ? stored : `${publicUrl}/${stored}`
}

/** Returns the row with an absolute image URL. */
export function withPictureUrl<Row extends { image_url: string | null }>(
  row: Row,
  pictureUrl: PictureUrl,
): Row {
  return { ...row, image_url: pictureUrl(row.image_url) }
}

/** Sizes of the images of cards, sets and games on the pages. */
export const PICTURE_SIZES = ['small', 'large'] as const

export type PictureSize = (typeof PICTURE_SIZES)[number]

/** Width in pixels, unless the original is smaller. Lists show the small size. */
export const PICTURE_WIDTHS: Record<PictureSize, number> = { small: 160, large: 480 }

/** Returns the cache key of an image. A different URL is a different image. */
export function pictureKey(address: string, size: PictureSize): string {
  return createHash('sha256').update(`${PICTURE_WIDTHS[size]} ${address}`).digest('hex')
}
