// Scales a region of a photo into the input frame of the detector, by area averaging.
import type { RgbImage } from './decode.ts'
import { type ImagePyramid, OUTSIDE, type Point, type Region, type Size } from './rectify.ts'

/** Returns the smallest frame with this longer side that fits the region; sides are multiples of `step`. */
export function fitFrame({ width, height }: Size, side: number, step: number): Size {
  const scale = side / Math.max(width, height)
  const rounded = (length: number) =>
    Math.max(1, Math.ceil(Math.round(length * scale) / step)) * step
  return { width: rounded(width), height: rounded(height) }
}

/** Scales the region to the top left of a frame. The rest is gray. */
export function letterbox(
  pyramid: ImagePyramid,
  { left, top, width, height }: Region,
  frame: Size,
): { pixels: Uint8Array; scaleX: number; scaleY: number } {
  const scale = Math.min(frame.width / width, frame.height / height)
  const wide = Math.max(1, Math.round(width * scale))
  const tall = Math.max(1, Math.round(height * scale))
  const level = Math.max(0, Math.floor(Math.log2(1 / scale)))
  const whole = pyramid(0)
  const source = pyramid(level)
  const halvings = 2 ** Math.round(Math.log2(whole.width / source.width))
  const columns = resampleWeights(left / halvings, width / halvings, wide, source.width)
  const rows = resampleWeights(top / halvings, height / halvings, tall, source.height)
  const pixels = new Uint8Array(frame.width * frame.height * 3).fill(OUTSIDE)
  averageInto(pixels, frame.width, source, columns, rows)
  return { pixels, scaleX: wide / width, scaleY: tall / height }
}

/** Rotates a square picture clockwise by quarter turns. */
export function rotateSquare(pixels: Uint8Array, side: number, turns: number): Uint8Array {
  if (turns === 0) return pixels
  const rotated = new Uint8Array(pixels.length)
  // Source pixel of the first one, and steps of the source for each column and row.
  const first = [0, side * (side - 1), side * side - 1, side - 1][turns] ?? 0
  const across = [1, -side, -1, side][turns] ?? 1
  const down = [side, 1, -side, -1][turns] ?? side
  let to = 0
  for (let row = 0; row < side; row++) {
    let from = (first + row * down) * 3
    for (let column = 0; column < side; column++, from += across * 3, to += 3) {
      // `as number`: every index is within the square, see `warp`.
      rotated[to] = pixels[from] as number
      rotated[to + 1] = pixels[from + 1] as number
      rotated[to + 2] = pixels[from + 2] as number
    }
  }
  return rotated
}

/** Returns the position of a point before the rotation of its square. */
export function unrotatePoint({ x, y }: Point, side: number, turns: number): Point {
  return turns === 0 ? { x, y } : unrotatePoint({ x: y, y: side - x }, side, turns - 1)
}

/** For each target pixel: the first source pixel, and the weights of it and the following ones. */
type ResampleWeights = { first: Int32Array; count: number; share: Float32Array }

export function resampleWeights(
  from: number,
  length: number,
  targets: number,
  sourceMax: number,
): ResampleWeights {
  const each = length / targets
  const count = Math.ceil(each) + 1
  const first = new Int32Array(targets)
  const share = new Float32Array(targets * count)
  for (let target = 0; target < targets; target++) {
    const start = from + target * each
    const end = Math.min(start + each, sourceMax)
    const at = Math.min(Math.floor(start), sourceMax - 1)
    first[target] = at
    let sum = 0
    for (let k = 0; k < count; k++) {
      const covered = Math.max(0, Math.min(end, at + k + 1) - Math.max(start, at + k))
      share[target * count + k] = covered
      sum += covered
    }
    // A target pixel beyond the source copies the last source pixel.
    if (sum === 0) share[target * count] = 1
    for (let k = 0; k < count && sum > 0; k++) {
      share[target * count + k] = (share[target * count + k] ?? 0) / sum
    }
  }
  return { first, count, share }
}

function averageInto(
  pixels: Uint8Array,
  pitch: number,
  { width, data }: RgbImage,
  columns: ResampleWeights,
  rows: ResampleWeights,
): void {
  const last = data.length - 3
  for (let row = 0; row < rows.first.length; row++) {
    for (let column = 0; column < columns.first.length; column++) {
      let red = 0.5
      let green = 0.5
      let blue = 0.5
      // `as number` below: the weights have exactly these sizes, see `warp`.
      for (let j = 0; j < rows.count; j++) {
        const tall = rows.share[row * rows.count + j] as number
        if (tall === 0) continue
        const line = ((rows.first[row] as number) + j) * width + (columns.first[column] as number)
        for (let i = 0; i < columns.count; i++) {
          const share = tall * (columns.share[column * columns.count + i] as number)
          const at = Math.min((line + i) * 3, last)
          red += share * (data[at] as number)
          green += share * (data[at + 1] as number)
          blue += share * (data[at + 2] as number)
        }
      }
      const to = (row * pitch + column) * 3
      pixels[to] = red
      pixels[to + 1] = green
      pixels[to + 2] = blue
    }
  }
}
