import type { PhotoPoint, ScanSessionPhotoResult } from '#client/endpoints.ts'
import type { PictureRegion } from '../camera-preview.tsx'
import { showsMoreCards } from '../match-reasons.ts'
import { encodeJpeg, type PixelSize } from '../photo-file.ts'
import { cutKeyOf } from './queue-rules.ts'
import type { InboxPhoto, ReviewCrop } from './scan-inbox.ts'
import type { AnsweredPhoto } from './scan-queue.ts'

/** Maximum side of a crop, in pixels: enough for a card that fills the screen. */
const CROP_SIDE = 900

/** Maximum side of a card that is cut from a page and sent as a separate photo, in pixels. */
const CARD_SIDE = 2_000

/** Rim around a card, as a share of its size: the reader looks for its edges. */
const RIM = 0.06

/**
 * Cuts out the parts of an answered photo that are still needed: its doubtful cards, for a person to review, and the
 * cards that were not read, as separate photos.
 *
 * @param sent the photo as the server has seen it
 */
export async function cutAnsweredPhoto(
  photo: InboxPhoto,
  sent: Blob,
  { photo: { width }, items, unread }: ScanSessionPhotoResult,
): Promise<AnsweredPhoto> {
  const doubtful = items.filter(({ is_reviewed, copied_from }) => !is_reviewed && !copied_from)
  if (doubtful.length === 0 && unread.length === 0) return { crops: [], unread: [] }
  // The server reads some images that this browser does not.
  const picture = await createImageBitmap(sent).catch(() => undefined)
  if (picture === undefined) return { crops: [], unread: [] }
  const scale = picture.width / (width ?? picture.width)
  const cut = (outline: readonly PhotoPoint[] | null, side: number) =>
    encodeRegion(
      picture,
      outline === null ? wholeOf(picture) : regionAround(outline, scale, picture),
      side,
    )
  const { account, session, added_at, game } = photo
  const crops: ReviewCrop[] = []
  for (const { id: item, outline, status, read } of doubtful) {
    // All cards may still be read, for which the photo as it was added is best.
    const isWhole = outline === null && showsMoreCards({ status, read })
    const crop = isWhole ? photo.file : await cut(outline, CROP_SIDE)
    if (crop !== undefined) crops.push({ account, session, item, added_at, game, picture: crop })
  }
  const photos: InboxPhoto[] = []
  for (const [index, { outline }] of unread.entries()) {
    const file = await cut(outline, CARD_SIDE)
    const key = cutKeyOf(photo.key, index)
    if (file !== undefined)
      photos.push({ account, session, key, added_at, file, game, isPage: false })
  }
  picture.close()
  return { crops, unread: photos }
}

/** Returns the box around a card with a rim, within a picture that is `scale` times as large as the outline's. */
export function regionAround(
  outline: readonly PhotoPoint[],
  scale: number,
  size: PixelSize,
): PictureRegion {
  const [xs, ys] = [outline.map(({ x }) => x * scale), outline.map(({ y }) => y * scale)]
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  const rim = RIM * Math.max(right - left, bottom - top)
  const x = Math.max(0, left - rim)
  const y = Math.max(0, top - rim)
  const width = Math.min(size.width, right + rim) - x
  const height = Math.min(size.height, bottom + rim) - y
  return { x, y, width, height }
}

const wholeOf = ({ width, height }: PixelSize): PictureRegion => ({ x: 0, y: 0, width, height })

function encodeRegion(picture: ImageBitmap, region: PictureRegion, side: number) {
  const scale = Math.min(1, side / Math.max(region.width, region.height))
  return encodeJpeg(picture, region, { width: region.width * scale, height: region.height * scale })
}
