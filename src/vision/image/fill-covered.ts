// Fills the part of a card that other cards cover.
import {
  asQuad,
  type Frame,
  frameToPhoto,
  type ImagePyramid,
  invert,
  isWithin,
  project,
  projectQuad,
  type Quad,
  rectify,
  type Size,
} from './rectify.ts'

/**
 * Returns the rectified card, whose covered part is its mirror image: cards are nearly symmetric, and the embedder
 * recognizes more of them than with a cover or a plain color. If that is covered, too, it is the mean of the rest.
 */
export function rectifyCovered(
  pyramid: ImagePyramid,
  quad: Quad,
  covers: readonly Quad[],
  frame: Frame,
): Uint8Array {
  const crop = rectify(pyramid, quad, frame)
  if (covers.length === 0) return crop
  const mask = coveredMask(quad, covers, frame)
  const mean = meanOfVisible(crop, mask)
  for (let at = 0; at < mask.length; at++) {
    if (mask[at] === 0) continue
    const column = at % frame.width
    const mirrored = at - column + frame.width - 1 - column
    const isVisible = mask[mirrored] === 0
    for (let channel = 0; channel < 3; channel++) {
      crop[at * 3 + channel] = (isVisible ? crop[mirrored * 3 + channel] : mean[channel]) ?? 0
    }
  }
  return crop
}

/** Returns 1 for each pixel of the frame under a cover. */
function coveredMask(quad: Quad, covers: readonly Quad[], frame: Frame): Uint8Array {
  const toFrame = invert(frameToPhoto(quad, frame))
  const inFrame = covers.map((cover) => projectQuad(toFrame, cover))
  return Uint8Array.from({ length: frame.width * frame.height }, (_, at) => {
    const point = { x: (at % frame.width) + 0.5, y: Math.floor(at / frame.width) + 0.5 }
    return inFrame.some((cover) => isWithin(cover, point)) ? 1 : 0
  })
}

function meanOfVisible(crop: Uint8Array, mask: Uint8Array): number[] {
  const sums = [0, 0, 0]
  let count = 0
  for (let at = 0; at < mask.length; at++) {
    if (mask[at] === 1) continue
    count++
    for (let channel = 0; channel < 3; channel++) {
      sums[channel] = (sums[channel] ?? 0) + (crop[at * 3 + channel] ?? 0)
    }
  }
  return sums.map((sum) => sum / Math.max(1, count))
}

/** A part of a photo with a card, and the card's corners in it. */
type CardPhoto = Size & { data: Uint8Array; quad: Quad; covers: readonly Quad[] }

/**
 * Paints the filled card over its covered part in a photo. It is coarse, so that text of the mirror image cannot be read.
 *
 * @param filled the card as `rectifyCovered` returns it, without a margin
 */
export function paintCovered(
  { width, height, data, quad, covers }: CardPhoto,
  filled: Uint8Array,
  frame: Frame,
): void {
  const toFrame = invert(frameToPhoto(asQuad(quad), frame))
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const point = { x: column + 0.5, y: row + 0.5 }
      if (!covers.some((cover) => isWithin(cover, point))) continue
      const { x, y } = project(toFrame, point)
      if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) continue
      sampleInto(data, (row * width + column) * 3, filled, frame, x - 0.5, y - 0.5)
    }
  }
}

/** Samples bilinearly. */
function sampleInto(
  out: Uint8Array,
  to: number,
  source: Uint8Array,
  { width, height }: Size,
  x: number,
  y: number,
): void {
  const left = Math.min(Math.max(0, Math.floor(x)), width - 2)
  const top = Math.min(Math.max(0, Math.floor(y)), height - 2)
  const [right, down] = [Math.min(Math.max(0, x - left), 1), Math.min(Math.max(0, y - top), 1)]
  for (let channel = 0; channel < 3; channel++) {
    const at = (row: number, column: number) =>
      source[((top + row) * width + left + column) * 3 + channel] ?? 0
    const upper = at(0, 0) + (at(0, 1) - at(0, 0)) * right
    const lower = at(1, 0) + (at(1, 1) - at(1, 0)) * right
    out[to + channel] = upper + (lower - upper) * down
  }
}
