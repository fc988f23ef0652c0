import { createHash } from 'node:crypto'

/** Sizes of the images of cards, sets and games on the pages. */
export const PICTURE_SIZES = ['small', 'large'] as const

export type PictureSize = (typeof PICTURE_SIZES)[number]

/** Width in pixels, unless the original is smaller. Lists show the small size. */
export const PICTURE_WIDTHS: Record<PictureSize, number> = { small: 160, large: 480 }

/** Returns the cache key of an image. Another URL is another image. */
export function pictureKey(address: string, size: PictureSize): string {
  return createHash('sha256').update(`${PICTURE_WIDTHS[size]} ${address}`).digest('hex')
}
