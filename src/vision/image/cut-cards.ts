// Cuts a photo of several cards into photos of one card each.
import sharp, { type Sharp } from 'sharp'
import type { CutCard, Outline, PageCut } from '#rules/photos/page-cut.ts'
import type { PhotoSize } from '#rules/photos/photo-reading.ts'
import type { DetectedCard } from '../detect/find-cards.ts'
import { isCovered } from '../detect/overlap.ts'
import { pixelsPerMm } from '../detect/quality.ts'
import type { DecodedImage, RgbImage } from './decode.ts'
import { paintCovered, rectifyCovered } from './fill-covered.ts'
import { asQuad, buildPyramid, type ImagePyramid, type Quad, type Region } from './rectify.ts'

/** Room around a card, as a share of its height: for the corners of a tilted card. */
const MARGIN = 0.06
/** Room around the card of a slab, whose label is above it. */
const SLAB_MARGIN = 0.45
const CARD_HEIGHT_MM = 88
/** Maximum resolution of the cut photos. A higher one shows no more detail. */
const PX_PER_MM_MAX = 11
const JPEG_QUALITY = 92

/** Cuts the cards out one after another, to keep few pixels in memory. */
export async function cutCards(
  picture: DecodedImage,
  found: readonly DetectedCard[],
  pyramid: ImagePyramid = buildPyramid(picture),
): Promise<PageCut> {
  const cards: CutCard[] = []
  for (const card of found) cards.push(await cutCard(picture, card, pyramid))
  return { size: picture.original, cards }
}

async function cutCard(
  picture: DecodedImage,
  card: DetectedCard,
  pyramid: ImagePyramid,
): Promise<CutCard> {
  const { kind, quad, confidence, covers } = card
  const region = regionAround(card, picture)
  const scale = Math.min(1, PX_PER_MM_MAX / pixelsPerMm(quad))
  const size = {
    width: Math.max(1, Math.round(region.width * scale)),
    height: Math.max(1, Math.round(region.height * scale)),
  }
  const [across, down] = [size.width / region.width, size.height / region.height]
  const place = (one: Quad) =>
    asQuad(one.map(({ x, y }) => ({ x: (x - region.left) * across, y: (y - region.top) * down })))
  const outline = place(quad)
  const part = extract(picture, region, size)
  const jpeg =
    covers.length === 0
      ? await encode(part)
      : await encodeFilled(await part.raw().toBuffer(), {
          ...size,
          quad: outline,
          covers: covers.map(place),
          filled: rectifyCovered(pyramid, quad, covers, COARSE),
        })
  const toPage = picture.original.width / picture.width
  return {
    jpeg,
    placement: { kind, outline, confidence, isCovered: isCovered(quad, covers) },
    outline: roundOutline(quad.map(({ x, y }) => ({ x: x * toPage, y: y * toPage }))),
  }
}

/** Resolution of the filled part: that of the embedder, in which text is not legible. */
const COARSE = { width: 112, height: 160, margin: 0 }

function roundOutline(points: { x: number; y: number }[]): Outline {
  return asQuad(points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) })))
}

/** Returns the part of the photo with a card and some room around it. */
function regionAround({ quad, kind }: DetectedCard, { width, height }: RgbImage): Region {
  const share = kind === 'graded slab' ? SLAB_MARGIN : MARGIN
  const margin = share * CARD_HEIGHT_MM * pixelsPerMm(quad)
  const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max)
  const xs = quad.map(({ x }) => x)
  const ys = quad.map(({ y }) => y)
  const left = clamp(Math.floor(Math.min(...xs) - margin), width - 1)
  const top = clamp(Math.floor(Math.min(...ys) - margin), height - 1)
  const right = clamp(Math.ceil(Math.max(...xs) + margin), width)
  const bottom = clamp(Math.ceil(Math.max(...ys) + margin), height)
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}

/** Scales a part of a picture, without a copy of its pixels. */
function extract({ width, height, data }: RgbImage, region: Region, size: PhotoSize): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .extract(region)
    .resize({ ...size, fit: 'fill', kernel: 'linear' })
}

type FilledPart = PhotoSize & { quad: Quad; covers: readonly Quad[]; filled: Uint8Array }

/** Paints over what covers a card. Otherwise the other card could be read instead. */
async function encodeFilled(
  data: Uint8Array,
  { width, height, quad, covers, filled }: FilledPart,
): Promise<Uint8Array> {
  paintCovered({ width, height, data, quad, covers }, filled, COARSE)
  return encode(sharp(data, { raw: { width, height, channels: 3 } }))
}

async function encode(part: Sharp): Promise<Uint8Array> {
  const bytes = await part
    // Optimized tables would save 3 % of the bytes and double the time. Text is read from luma, and pictures are compared
    // at a fifth of this size, so that color at half the resolution loses nothing and saves a third of the time.
    .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:2:0', optimiseCoding: false })
    .toBuffer()
  // A copy of the bytes, not a view of a shared buffer.
  return new Uint8Array(bytes)
}
