// Fills the part of a card that other cards cover.
import {
  asQuad,
  type Frame,
  frameToPhoto,
  type ImagePyramid,
  invert,
  project,
  projectQuad,
  type Quad,
  rectify,
  type Size,
} from './rectify.ts'

/**
 * Returns the rectified card. Its covered part is filled with the mirror image of the opposite part: cards are nearly
 * symmetric, and the embedder recognizes more of them than with a cover or a plain color. Where the opposite part is
 * covered as well, the mean of the rest is used.
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
  return maskOf(
    covers.map((cover) => projectQuad(toFrame, cover)),
    frame,
  )
}

/**
 * Returns 1 for each pixel whose center lies in a convex quad. Works row by row, because a page has millions of
 * pixels.
 */
function maskOf(quads: readonly Quad[], { width, height }: Size): Uint8Array {
  const mask = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    for (const quad of quads) {
      const { from, to } = columnsWithin(quad, row + 0.5)
      const [first, end] = [Math.max(0, Math.ceil(from - 0.5)), Math.min(width, to + 0.5)]
      if (first < end) mask.fill(1, row * width + first, row * width + Math.floor(end))
    }
  }
  return mask
}

/**
 * Returns where a horizontal line enters and leaves a convex quad; `from` is greater than `to` if it does not cross
 * the quad.
 */
function columnsWithin(quad: Quad, y: number): { from: number; to: number } {
  const span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  for (const [index, start] of quad.entries()) {
    const end = quad[(index + 1) % 4] ?? start
    const [across, down] = [end.x - start.x, end.y - start.y]
    // The corners run clockwise, so the inside is to the right of each side.
    if (down === 0 && across * (y - start.y) < 0) span.to = Number.NEGATIVE_INFINITY
    const x = start.x + (across * (y - start.y)) / down
    if (down > 0) span.to = Math.min(span.to, x)
    if (down < 0) span.from = Math.max(span.from, x)
  }
  return span
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
  const mask = maskOf(covers, { width, height })
  for (let at = mask.indexOf(1); at !== -1; at = mask.indexOf(1, at + 1)) {
    const point = { x: (at % width) + 0.5, y: Math.floor(at / width) + 0.5 }
    const { x, y } = project(toFrame, point)
    if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) continue
    sampleInto(data, at * 3, filled, frame, x - 0.5, y - 0.5)
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
