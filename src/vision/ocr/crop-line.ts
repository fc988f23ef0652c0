// Crops lines of text from a photo, as render/text_lines.py of scripts/training does.
import { type GrayImage, rectifyGray } from '../image/gray.ts'
import { resampleWeights } from '../image/letterbox.ts'
import {
  asQuad,
  type Homography,
  type ImagePyramid,
  type Point,
  projectQuad,
  type Quad,
  sideLengths,
} from '../image/rectify.ts'
import type { Network } from '../runtime/model.ts'

/** Input format of the recognizer. */
export type LineFormat = {
  /** In pixels. */
  height: number
  widthMax: number
  /** Columns per step. */
  stride: number
  /** Margin above and below a line, in heights. */
  margin: number
}

/**
 * Margin left and right of a line, in heights; 0.05 to 1 in training. A margin of one height does no harm, but most
 * lines whose box ends 0.3 heights early are misread.
 */
const SIDE_MARGIN = 0.5
/** Minimum side of a crop, in pixels. */
const CROP_MIN = 4

export function lineFormat(recognizer: Network): LineFormat {
  const [height, widthMax] = recognizer.input
  return {
    height,
    widthMax,
    stride: Number(recognizer.setting('stride')),
    margin: Number(recognizer.setting('margin')),
  }
}

/**
 * Crops a line at the resolution of the photo.
 *
 * @param quad of the line in a rectified picture
 * @param toPhoto homography from the rectified picture to the photo
 */
export function cropLine(
  pyramid: ImagePyramid,
  toPhoto: Homography,
  quad: Quad,
  { margin }: Pick<LineFormat, 'margin'>,
): GrayImage {
  const crop = projectQuad(toPhoto, addMargins(quad, margin))
  const { top, right, bottom, left } = sideLengths(crop)
  const pixels = (length: number) => Math.max(CROP_MIN, Math.round(length))
  return rectifyGray(pyramid, crop, pixels((top + bottom) / 2), pixels((left + right) / 2))
}

/** Adds the margins to a line. */
function addMargins(quad: Quad, margin: number): Quad {
  const [p, q, r, s] = quad
  const { top: length, left: height } = sideLengths(quad)
  const along = { x: ((q.x - p.x) / length) * height, y: ((q.y - p.y) / length) * height }
  const down = { x: s.x - p.x, y: s.y - p.y }
  const moved = ({ x, y }: Point, right: number, below: number): Point => ({
    x: x + right * along.x + below * down.x,
    y: y + right * along.y + below * down.y,
  })
  return asQuad([
    moved(p, -SIDE_MARGIN, -margin),
    moved(q, SIDE_MARGIN, -margin),
    moved(r, SIDE_MARGIN, margin),
    moved(s, -SIDE_MARGIN, margin),
  ])
}

/** Scales a crop to the input height of the recognizer. Keeps the aspect ratio up to the maximum width. */
export function normalizeLine(
  crop: GrayImage,
  { height, widthMax, stride }: Omit<LineFormat, 'margin'>,
): GrayImage {
  const wanted = roundHalfEven((crop.width * height) / crop.height)
  const width = Math.min(Math.max(wanted, 2 * stride), widthMax)
  const scale = crop.height > height ? scaleDown : scaleUp
  return { width, height, data: scale(crop, width, height) }
}

/** Rounds halves to even, as Python does. */
function roundHalfEven(value: number): number {
  return value % 1 === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)
}

/** Scales down by area averaging. */
function scaleDown({ width, height, data }: GrayImage, wide: number, tall: number): Uint8Array {
  const columns = resampleWeights(0, width, wide, width)
  const rows = resampleWeights(0, height, tall, height)
  const narrow = new Float32Array(wide * height)
  // `as number` in both loops: the weights have exactly these sizes, see `warp`.
  for (let row = 0, to = 0; row < height; row++) {
    for (let column = 0; column < wide; column++, to++) {
      const from = row * width + (columns.first[column] as number)
      let sum = 0
      for (let k = 0; k < columns.count; k++) {
        sum += (columns.share[column * columns.count + k] as number) * (data[from + k] ?? 0)
      }
      narrow[to] = sum
    }
  }
  const out = new Uint8Array(wide * tall)
  for (let row = 0, to = 0; row < tall; row++) {
    for (let column = 0; column < wide; column++, to++) {
      let from = (rows.first[row] as number) * wide + column
      let sum = 0.5
      for (let k = 0; k < rows.count; k++, from += wide) {
        sum += (rows.share[row * rows.count + k] as number) * (narrow[from] ?? 0)
      }
      out[to] = sum
    }
  }
  return out
}

/** Fixed-point scale of the weights in OpenCV's linear resize. */
const WEIGHT_SCALE = 2048

/** Scales up linearly, in the fixed-point arithmetic of OpenCV, with which the recognizer was trained. */
function scaleUp({ width, height, data }: GrayImage, wide: number, tall: number): Uint8Array {
  const columns = interpolationWeights(width, wide)
  const rows = interpolationWeights(height, tall)
  const long = new Int32Array(wide * height)
  // `as number` in both loops: all indices lie within the source, see `warp`.
  for (let row = 0, to = 0; row < height; row++) {
    for (let column = 0; column < wide; column++, to++) {
      const before = data[row * width + (columns.before[column] as number)] as number
      const after = data[row * width + (columns.after[column] as number)] as number
      const { nearness, farness } = columns
      long[to] = ((nearness[column] as number) * before + (farness[column] as number) * after) >> 4
    }
  }
  const out = new Uint8Array(wide * tall)
  for (let row = 0, to = 0; row < tall; row++) {
    const before = (rows.before[row] as number) * wide
    const after = (rows.after[row] as number) * wide
    const nearness = rows.nearness[row] as number
    const farness = rows.farness[row] as number
    for (let column = 0; column < wide; column++, to++) {
      const upper = (nearness * (long[before + column] as number)) >> 16
      const lower = (farness * (long[after + column] as number)) >> 16
      out[to] = (upper + lower + 2) >> 2
    }
  }
  return out
}

/** Returns the two source pixels around each target pixel, with their weights. */
function interpolationWeights(sources: number, targets: number) {
  const last = sources - 1
  const before = new Int32Array(targets)
  const after = new Int32Array(targets)
  const nearness = new Int32Array(targets)
  const farness = new Int32Array(targets)
  for (let target = 0; target < targets; target++) {
    const position = ((target + 0.5) * sources) / targets - 0.5
    const floor = Math.floor(position)
    before[target] = Math.max(floor, 0)
    after[target] = Math.min(floor + 1, last)
    nearness[target] = roundHalfEven((floor + 1 - position) * WEIGHT_SCALE)
    farness[target] = roundHalfEven((position - floor) * WEIGHT_SCALE)
  }
  return { before, after, nearness, farness }
}
