import type { RgbImage } from './decode.ts'

/** In pixels of a picture, with fractions: pixel 0 covers 0 to 1. */
export type Point = { x: number; y: number }
/** Top left, top right, bottom right and bottom left corner of the card itself, at any rotation. */
export type Quad = readonly [Point, Point, Point, Point]
type Row = [number, number, number]
/** Nine numbers, row by row. */
export type Homography = readonly [...Row, ...Row, ...Row]

/** Returns the picture scaled by 1/2 for each level. Levels are created on demand. */
export type ImagePyramid = (level: number) => RgbImage

/** In pixels. */
export type Size = { width: number; height: number }

/** A region of a photo, in pixels. */
export type Region = Size & { left: number; top: number }

/** Size of a rectified card; `margin` is the border around it, as a share of the card's side. */
export type Frame = Size & { margin: number }

/** Gray level outside a picture, as in training. */
export const OUTSIDE = 128

export function buildPyramid(picture: RgbImage): ImagePyramid {
  const levels = [picture]
  const at = (level: number): RgbImage => {
    const known = levels[level]
    if (known !== undefined) return known
    const made = halve(at(level - 1))
    levels[level] = made
    return made
  }
  return (level) => at(Math.min(level, levelMax(picture)))
}

/**
 * Returns the quad as an upright RGB rectangle. Samples the pyramid level whose pixels are about as large
 * as those of the frame, to avoid aliasing.
 */
export function rectify(pyramid: ImagePyramid, quad: Quad, frame: Frame): Uint8Array {
  const inFrame = 1 + 2 * frame.margin
  const cardPixels = (frame.width / inFrame) * (frame.height / inFrame)
  const level = Math.max(0, Math.round(Math.log2(Math.abs(signedArea(quad)) / cardPixels) / 2))
  const source = pyramid(level)
  const whole = pyramid(0)
  // Sizes of levels are rounded down, so the scale follows from the actual width.
  const halvings = Math.round(Math.log2(whole.width / source.width))
  const shrunk = quad.map(({ x, y }) => ({ x: x / 2 ** halvings, y: y / 2 ** halvings }))
  return warp(source, frameToPhoto(asQuad(shrunk), frame), frame)
}

/** Returns the homography from pixels of the frame to pixels of the picture. */
export function frameToPhoto(quad: Quad, { width, height, margin }: Frame): Homography {
  const inFrame = 1 + 2 * margin
  const [a, b, c, d, e, f, g, h, i] = unitSquareTo(quad)
  const across = inFrame / width
  const down = inFrame / height
  return [
    a * across,
    b * down,
    c - margin * (a + b),
    d * across,
    e * down,
    f - margin * (d + e),
    g * across,
    h * down,
    i - margin * (g + h),
  ]
}

/** Returns the homography from the unit square to a quad, in closed form (Heckbert 1989, page 20). */
export function unitSquareTo([p, q, r, s]: Quad): Homography {
  const sum = { x: p.x - q.x + r.x - s.x, y: p.y - q.y + r.y - s.y }
  const across = { x: q.x - r.x, y: q.y - r.y }
  const down = { x: s.x - r.x, y: s.y - r.y }
  const determinant = across.x * down.y - down.x * across.y
  const g = (sum.x * down.y - down.x * sum.y) / determinant
  const h = (across.x * sum.y - sum.x * across.y) / determinant
  return [
    q.x - p.x + g * q.x,
    s.x - p.x + h * s.x,
    p.x,
    q.y - p.y + g * q.y,
    s.y - p.y + h * s.y,
    p.y,
    g,
    h,
    1,
  ]
}

export function project([a, b, c, d, e, f, g, h, i]: Homography, { x, y }: Point): Point {
  const depth = g * x + h * y + i
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth }
}

/** Returns the homography in the other direction, up to a factor. */
export function invert([a, b, c, d, e, f, g, h, i]: Homography): Homography {
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ]
}

export function projectQuad(homography: Homography, quad: Quad): Quad {
  return asQuad(quad.map((point) => project(homography, point)))
}

/** Returns the area in square pixels; negative if the corners run counterclockwise, as in a mirror. */
export function signedArea(polygon: readonly Point[]): number {
  let twice = 0
  for (const [index, { x, y }] of polygon.entries()) {
    const next = polygon[(index + 1) % polygon.length]
    if (next !== undefined) twice += x * next.y - next.x * y
  }
  return twice / 2
}

/** Returns true if the quad is convex, clockwise and larger than a sliver. */
export function isConvex(quad: Quad): boolean {
  return quad.every((corner, index) => {
    const next = quad[(index + 1) % 4] ?? corner
    const after = quad[(index + 2) % 4] ?? corner
    return signedArea([corner, next, after]) > 1
  })
}

/** Returns true if a point lies in a convex quad. */
export function isWithin(quad: Quad, { x, y }: Point): boolean {
  return quad.every((from, index) => {
    const to = quad[(index + 1) % 4] ?? from
    return (to.x - from.x) * (y - from.y) >= (to.y - from.y) * (x - from.x)
  })
}

/** Returns the corners of an upright rectangle. */
export function rectangleQuad({ left, top, width, height }: Region): Quad {
  const [right, bottom] = [left + width, top + height]
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ]
}

/** Returns the lengths of the four sides, in pixels. */
export function sideLengths([topLeft, topRight, bottomRight, bottomLeft]: Quad) {
  const length = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y)
  return {
    top: length(topLeft, topRight),
    right: length(topRight, bottomRight),
    bottom: length(bottomLeft, bottomRight),
    left: length(topLeft, bottomLeft),
  }
}

/** Rotates the order of the corners by quarter turns. */
export function rotateQuad(quad: Quad, quarters: 0 | 1 | 2 | 3): Quad {
  return asQuad([...quad.slice(quarters), ...quad.slice(0, quarters)])
}

/** Scales a quad around the mean of its corners. */
export function scaleQuad(quad: Quad, scale: number): Quad {
  const x = quad.reduce((sum, corner) => sum + corner.x / 4, 0)
  const y = quad.reduce((sum, corner) => sum + corner.y / 4, 0)
  return asQuad(
    quad.map((corner) => ({ x: x + scale * (corner.x - x), y: y + scale * (corner.y - y) })),
  )
}

/** Ratio of width to height above which a card lies on its side. */
const LANDSCAPE_MIN = 1.15

/** Rotates a landscape quad, so that its short sides are at the top and the bottom, as in every crop. */
export function toPortrait(quad: Quad): Quad {
  const { top, right, bottom, left } = sideLengths(quad)
  return top + bottom > LANDSCAPE_MIN * (left + right) ? rotateQuad(quad, 1) : quad
}

/** Swaps left and right, so that the rectified card is mirrored. The corners then run counterclockwise. */
export function mirrorQuad([topLeft, topRight, bottomRight, bottomLeft]: Quad): Quad {
  return [topRight, topLeft, bottomLeft, bottomRight]
}

export function asQuad(points: readonly Point[]): Quad {
  const [p, q, r, s] = points
  if (p === undefined || q === undefined || r === undefined || s === undefined) {
    throw new Error('A quad must have four corners.')
  }
  return [p, q, r, s]
}

/**
 * Samples bilinearly. Most of the time of a crop is spent here: plain numbers and no calls. `as number`,
 * because every index is clamped to the picture and a check (`?? 0`) would double the time.
 */
function warp(source: RgbImage, homography: Homography, { width, height }: Frame): Uint8Array {
  const [a, b, c, d, e, f, g, h, i] = homography
  const { data } = source
  const stride = source.width * 3
  const right = source.width - 1
  const bottom = source.height - 1
  const out = new Uint8Array(width * height * 3).fill(OUTSIDE)
  let to = 0
  for (let row = 0; row < height; row++) {
    const y = row + 0.5
    for (let column = 0; column < width; column++, to += 3) {
      const x = column + 0.5
      const scale = 1 / (g * x + h * y + i)
      // Subtracts half a pixel, because samples are at the centers of pixels.
      let u = (a * x + b * y + c) * scale - 0.5
      let v = (d * x + e * y + f) * scale - 0.5
      if (!(u >= -0.5 && v >= -0.5 && u <= right + 0.5 && v <= bottom + 0.5)) continue
      u = Math.min(Math.max(u, 0), right)
      v = Math.min(Math.max(v, 0), bottom)
      const left = u | 0
      const top = v | 0
      const p = top * stride + left * 3
      const q = left < right ? p + 3 : p
      const down = top < bottom ? stride : 0
      const fu = u - left
      const fv = v - top
      const w11 = fu * fv
      const w10 = fv - w11
      const w01 = fu - w11
      const w00 = 1 - fu - w10
      for (let k = 0; k < 3; k++) {
        out[to + k] =
          w00 * (data[p + k] as number) +
          w01 * (data[q + k] as number) +
          w10 * (data[p + down + k] as number) +
          w11 * (data[q + down + k] as number) +
          0.5
      }
    }
  }
  return out
}

/** Averages each two by two pixels. Drops an odd last row or column. */
function halve({ width, height, data }: RgbImage): RgbImage {
  const half = { width: width >> 1, height: height >> 1 }
  const out = new Uint8Array(half.width * half.height * 3)
  const stride = width * 3
  let to = 0
  for (let row = 0; row < half.height; row++) {
    let from = 2 * row * stride
    for (let column = 0; column < half.width; column++, from += 6, to += 3) {
      out[to] = averageOfFour(data, from, stride)
      out[to + 1] = averageOfFour(data, from + 1, stride)
      out[to + 2] = averageOfFour(data, from + 2, stride)
    }
  }
  return { ...half, data: out }
}

/** `as number`, because the four pixels lie within the picture; see `warp`. */
function averageOfFour(data: Uint8Array, at: number, stride: number): number {
  const upper = (data[at] as number) + (data[at + 3] as number)
  const lower = (data[at + stride] as number) + (data[at + stride + 3] as number)
  return (upper + lower + 2) >> 2
}

/** Returns the last level, which is a few pixels wide. */
function levelMax({ width, height }: RgbImage): number {
  return Math.max(0, Math.floor(Math.log2(Math.min(width, height) / 8)))
}
