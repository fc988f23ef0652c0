// Lines of print cut out of a photo, as scripts/training/lines.py cuts those of the training (`normal`).
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
import { type GreyImage, rectifyGrey } from './detect-lines.ts'

/** How a recogniser wants a line. */
export type LineFormat = {
  /** In pixels. */
  height: number
  widthMax: number
  /** Columns to a step. */
  stride: number
  /** What is seen above and below a line, in its heights. */
  margin: number
  /** More contrast than this would make print of noise. */
  gainMax: number
}

/** What is seen left and right of a line, in its heights: in training 0.05 to 1. */
const SIDE = 0.4
/** A smaller cut has nothing to enlarge. */
const CUT_MIN = 4

export function lineFormat(recogniser: Network): LineFormat {
  const [height, widthMax] = recogniser.input
  return {
    height,
    widthMax,
    stride: Number(recogniser.setting('stride')),
    margin: Number(recogniser.setting('margin')),
    gainMax: Number(recogniser.setting('gainMax')),
  }
}

/**
 * One line at the photo's own resolution.
 *
 * @param quad of the line in a straight picture, which `toPhoto` leads out of
 */
export function cropLine(
  imagePyramid: ImagePyramid,
  toPhoto: Homography,
  quad: Quad,
  { margin }: Pick<LineFormat, 'margin'>,
): GreyImage {
  const cut = projectQuad(toPhoto, widened(quad, margin))
  const { top, right, bottom, left } = sideLengths(cut)
  const pixels = (length: number) => Math.max(CUT_MIN, Math.round(length))
  return rectifyGrey(imagePyramid, cut, pixels((top + bottom) / 2), pixels((left + right) / 2))
}

/** A line's box and what is seen round it. */
function widened(quad: Quad, margin: number): Quad {
  const [p, q, r, s] = quad
  const { top: length, left: height } = sideLengths(quad)
  const along = { x: ((q.x - p.x) / length) * height, y: ((q.y - p.y) / length) * height }
  const down = { x: s.x - p.x, y: s.y - p.y }
  const moved = ({ x, y }: Point, right: number, below: number): Point => ({
    x: x + right * along.x + below * down.x,
    y: y + right * along.y + below * down.y,
  })
  return asQuad([
    moved(p, -SIDE, -margin),
    moved(q, SIDE, -margin),
    moved(r, SIDE, margin),
    moved(s, -SIDE, margin),
  ])
}

/**
 * What the recogniser is given of a cut: its own height, at the same shape unless it were longer than
 * the longest, and of one contrast, so that dim photos are no other task than bright ones.
 */
export function normaliseLine(
  cut: GreyImage,
  { height, widthMax, stride, gainMax }: Omit<LineFormat, 'margin'>,
): GreyImage {
  const wanted = rounded((cut.width * height) / cut.height)
  const width = Math.min(Math.max(wanted, 2 * stride), widthMax)
  const scaled = cut.height > height ? shrunk(cut, width, height) : stretched(cut, width, height)
  return { width, height, data: ofOneContrast(scaled, gainMax) }
}

/** A half to the even neighbour, as Python rounds. */
function rounded(value: number): number {
  return value % 1 === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)
}

/** Share of a line's pixels that may be darker than black, and brighter than white. */
const CLIPPED = 0.01

function ofOneContrast(pixels: Uint8Array, gainMax: number): Uint8Array {
  const counts = new Uint32Array(256)
  for (const grey of pixels) counts[grey] = (counts[grey] ?? 0) + 1
  const low = greyAbove(counts, CLIPPED * pixels.length)
  const high = greyAbove(counts, (1 - CLIPPED) * pixels.length)
  const gain = Math.min(gainMax, 255 / Math.max(high - low, 1))
  const even = counts.map((_, grey) => {
    const level = Math.floor((grey - (low + high) / 2) * gain + 128)
    return Math.min(Math.max(level, 0), 255)
  })
  return pixels.map((grey) => even[grey] ?? 0)
}

/** The first grey at which this many pixels are as dark. */
function greyAbove(counts: Uint32Array, pixels: number): number {
  let below = 0
  return counts.findIndex((count) => {
    below += count
    return below >= pixels
  })
}

/** Each pixel the mean of what it covers. */
function shrunk({ width, height, data }: GreyImage, wide: number, tall: number): Uint8Array {
  const columns = resampleWeights(0, width, wide, width)
  const rows = resampleWeights(0, height, tall, height)
  const narrow = new Float32Array(wide * height)
  // `as number` in both loops: the shares were laid out for them, see `warp`.
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

/** The steps of a share in OpenCV's linear resize. */
const SHARES = 2048

/**
 * Each pixel between its neighbours. In OpenCV's whole numbers, which fall a little short: contrast
 * makes six of one step of grey, and the recogniser has seen nothing else.
 */
function stretched({ width, height, data }: GreyImage, wide: number, tall: number): Uint8Array {
  const columns = between(width, wide)
  const rows = between(height, tall)
  const long = new Int32Array(wide * height)
  // `as number` in both loops: every pixel of `between` is one of the source's, see `warp`.
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

/** The two source pixels that each target pixel lies between, and how much it has of either. */
function between(sources: number, targets: number) {
  const last = sources - 1
  const before = new Int32Array(targets)
  const after = new Int32Array(targets)
  const nearness = new Int32Array(targets)
  const farness = new Int32Array(targets)
  for (let target = 0; target < targets; target++) {
    const place = ((target + 0.5) * sources) / targets - 0.5
    const floor = Math.floor(place)
    before[target] = Math.max(floor, 0)
    after[target] = Math.min(floor + 1, last)
    nearness[target] = rounded((floor + 1 - place) * SHARES)
    farness[target] = rounded((place - floor) * SHARES)
  }
  return { before, after, nearness, farness }
}
