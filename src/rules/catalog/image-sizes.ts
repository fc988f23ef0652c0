import { createHash } from 'node:crypto'

/** Of a card, a set or a game, as the pages show it. */
export const PICTURE_SIZES = ['small', 'large'] as const

export type PictureSize = (typeof PICTURE_SIZES)[number]

/** How wide each is in pixels, unless the picture itself is smaller: lists show the small ones. */
export const PICTURE_WIDTHS: Record<PictureSize, number> = { small: 160, large: 480 }

/** What a picture is kept under: another address is another picture. */
export function pictureKey(address: string, size: PictureSize): string {
  return createHash('sha256').update(`${PICTURE_WIDTHS[size]} ${address}`).digest('hex')
}
