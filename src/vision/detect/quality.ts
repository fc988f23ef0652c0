// Measures the quality of a photo. photo-quality.ts compares the values with limits.
import type { PhotoQuality } from '#rules/photos/photo-reading.ts'
import type { RgbImage } from '../image/decode.ts'
import {
  frameToPhoto,
  type Homography,
  type ImagePyramid,
  type Quad,
  rectify,
  type Size,
  signedArea,
} from '../image/rectify.ts'
import type { RefinedQuad } from './refine-corners.ts'

const CARD = { widthMm: 63, heightMm: 88 }
/** Small, because measuring glare and brightness needs no details. */
const SMALL_FRAME = { width: 112, height: 160, margin: 0 }
/** Tolerance for corners outside the photo, as a share of the card's height. Allows for errors of the refiner. */
const OUTSIDE_MAX = 0.015

export function measureQuality(
  pyramid: ImagePyramid,
  { quad, confidence }: RefinedQuad,
): PhotoQuality {
  const photo = pyramid(0)
  const small = rectify(pyramid, quad, SMALL_FRAME)
  const pxPerMm = pixelsPerMm(quad)
  return {
    px_per_mm: pxPerMm,
    blur_mm: measureBlurPx(photo, quad) / pxPerMm,
    glare: measureGlare(small),
    brightness: measureBrightness(small),
    is_cut_off: isCutOff(quad, photo),
    cornerConfidence: confidence,
  }
}

export function pixelsPerMm(quad: Quad): number {
  return Math.sqrt(Math.abs(signedArea(quad)) / (CARD.widthMm * CARD.heightMm))
}

export function isCutOff(quad: Quad, { width, height }: Size): boolean {
  const slack = OUTSIDE_MAX * CARD.heightMm * pixelsPerMm(quad)
  return quad.some(
    ({ x, y }) => x < -slack || y < -slack || x > width + slack || y > height + slack,
  )
}

/** Returns the share of overexposed pixels: very bright and colorless. */
export function measureGlare(pixels: Uint8Array): number {
  let blown = 0
  for (let at = 0; at < pixels.length; at += 3) {
    const red = pixels[at] ?? 0
    const green = pixels[at + 1] ?? 0
    const blue = pixels[at + 2] ?? 0
    if (Math.max(red, green, blue) >= 250 && Math.min(red, green, blue) >= 235) blown++
  }
  return (blown * 3) / pixels.length
}

/** Returns the mean luma (Rec. 601). */
export function measureBrightness(pixels: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < pixels.length; at += 3) {
    sum += lumaAt(pixels, at)
  }
  return (sum * 3) / pixels.length
}

/** Number of horizontal and of vertical scan lines. */
const LINES = 12
/** Standard deviations of two smoothings, in pixels. The ratio of the slopes gives the width of an edge. */
const NARROW = 1
const WIDE = 2
/** Variance that pixels (1/12) and interpolation (1/6) add to every edge, in square pixels. */
const OWN_VARIANCE = 0.25
/** Minimum slope of an edge after the narrow smoothing, in luma per pixel; above noise. */
const STEEP = 2.5
const EDGES_MIN = 12

/**
 * Returns the standard deviation of the blur, in pixels: the lower quartile over the edges of a card, because
 * many printed edges are soft. Returns the maximum if there are no edges.
 */
export function measureBlurPx(photo: RgbImage, quad: Quad): number {
  const toPhoto = frameToPhoto(quad, { width: 1, height: 1, margin: 0 })
  const pxPerMm = pixelsPerMm(quad)
  const edges: Edge[] = []
  for (let line = 0; line < LINES; line++) {
    const at = 0.03 + (0.94 * (line + 0.5)) / LINES
    const across = Math.round(CARD.widthMm * 0.94 * pxPerMm)
    const down = Math.round(CARD.heightMm * 0.94 * pxPerMm)
    edges.push(...findEdges(sampleLine(photo, toPhoto, across, (t) => [t, at])))
    edges.push(...findEdges(sampleLine(photo, toPhoto, down, (t) => [at, t])))
  }
  return blurWidth(edges)
}

type Edge = { steepness: number; variance: number }

const WIDTH_MAX = 12

function blurWidth(edges: Edge[]): number {
  if (edges.length < EDGES_MIN) return WIDTH_MAX
  const steepest = edges.toSorted((one, other) => other.steepness - one.steepness)
  const strong = steepest.slice(0, Math.max(EDGES_MIN, Math.ceil(edges.length / 2)))
  const variances = strong.map(({ variance }) => variance).toSorted((one, other) => one - other)
  const quartile = variances[Math.floor(variances.length / 4)] ?? 0
  return Math.min(WIDTH_MAX, Math.sqrt(Math.max(0, quartile - OWN_VARIANCE)))
}

/** Samples luma along a line of the card, one step per pixel. */
function sampleLine(
  { width, height, data }: RgbImage,
  [a, b, c, d, e, f, g, h, i]: Homography,
  steps: number,
  pointAt: (t: number) => [x: number, y: number],
): Float32Array {
  const line = new Float32Array(Math.max(0, steps))
  for (let step = 0; step < line.length; step++) {
    const [x, y] = pointAt(0.03 + (0.94 * (step + 0.5)) / steps)
    const depth = g * x + h * y + i
    const u = Math.min(Math.max((a * x + b * y + c) / depth - 0.5, 0), width - 1.001)
    const v = Math.min(Math.max((d * x + e * y + f) / depth - 0.5, 0), height - 1.001)
    const [left, top] = [Math.floor(u), Math.floor(v)]
    const [fu, fv] = [u - left, v - top]
    const at = (top * width + left) * 3
    const upper = lumaAt(data, at) * (1 - fu) + lumaAt(data, at + 3) * fu
    const below = at + width * 3
    const lower = lumaAt(data, below) * (1 - fu) + lumaAt(data, below + 3) * fu
    line[step] = upper * (1 - fv) + lower * fv
  }
  return line
}

function lumaAt(pixels: Uint8Array, at: number): number {
  return 0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0)
}

/**
 * Finds edges and their variance. The slopes of a step of variance s², smoothed with a and with b, have the
 * ratio of the roots of s² + b² and s² + a² (Zhuo and Sim 2011). Thin lines differ, so edges must be isolated.
 */
function findEdges(line: Float32Array): Edge[] {
  const narrow = slopesAlong(line, NARROW_KERNEL)
  const wide = slopesAlong(line, WIDE_KERNEL)
  const edges: Edge[] = []
  for (let at = REACH; at < line.length - REACH; at++) {
    const slope = narrow[at] ?? 0
    const steepness = Math.abs(slope)
    if (steepness < STEEP || !isIsolated(narrow, at, Math.sign(slope))) continue
    const ratio = (slope / (wide[at] ?? 0)) ** 2
    if (!(ratio > 1.02)) continue
    const variance = (WIDE ** 2 - ratio * NARROW ** 2) / (ratio - 1)
    edges.push({ steepness, variance })
  }
  return edges
}

/** Distance within which an edge must be isolated, in pixels. */
const REACH = 6

/** Returns true if an edge is the steepest nearby, without a slope in the other direction. */
function isIsolated(slopes: Float32Array, at: number, sign: number): boolean {
  const steepest = (slopes[at] ?? 0) * sign
  for (let near = at - REACH; near <= at + REACH; near++) {
    const slope = (slopes[near] ?? 0) * sign
    if (slope < -0.2 * steepest || slope > steepest) return false
  }
  return true
}

const NARROW_KERNEL = slopeKernel(NARROW)
const WIDE_KERNEL = slopeKernel(WIDE)

/** Returns the derivative of a Gaussian. */
function slopeKernel(sigma: number): Float32Array {
  const reach = Math.ceil(3 * sigma)
  const kernel = Float32Array.from({ length: 2 * reach + 1 }, (_, index) => {
    const x = index - reach
    return -x * Math.exp(-(x * x) / (2 * sigma * sigma))
  })
  const moment = kernel.reduce((sum, value, index) => sum - value * (index - reach), 0)
  return kernel.map((value) => value / moment)
}

function slopesAlong(line: Float32Array, kernel: Float32Array): Float32Array {
  const reach = (kernel.length - 1) / 2
  const slopes = new Float32Array(line.length)
  for (let at = reach; at < line.length - reach; at++) {
    let slope = 0
    for (let k = -reach; k <= reach; k++) slope -= (kernel[k + reach] ?? 0) * (line[at + k] ?? 0)
    slopes[at] = -slope
  }
  return slopes
}
