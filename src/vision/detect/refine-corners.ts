import {
  asQuad,
  type Frame,
  frameToPhoto,
  type ImagePyramid,
  isConvex,
  type Point,
  project,
  type Quad,
  rectify,
  type Size,
  sideLengths,
  signedArea,
} from '../image/rectify.ts'
import { type Network, toInput } from '../runtime/model.ts'

export type RefinedQuad = {
  quad: Quad
  /** Mean of the shares of the corner maps at their peaks, 0 to 1; reduced for shapes that are not a card. */
  confidence: number
}

export type RefinedCorners = RefinedQuad & {
  /**
   * For each corner the share of its map at the peak, times the probability that no other card covers the corner, if
   * the network estimates it.
   */
  corners: readonly number[]
}

/** In the second pass the card is nearly rectified, unless the first correction was large. */
const PASSES_MIN = 2
const PASSES_MAX = 4
/** Corners have converged if a pass moves them by less than this share of the card's size. */
const CONVERGED = 0.015
/** Minimum confidence of the second best corner after two passes: a place below it shows no card. */
const CORNER_MIN = 0.3
/**
 * Maximum movement from a place that shows a card, as a share of its size. With earlier weights, places of cards in
 * rendered pages moved by up to 0.41, and places without a card often by 0.8, to the next card.
 */
const MOVE_MAX = 0.6
/** Radius of the window whose centroid is the position of a peak, in cells. */
const REACH = 2

/**
 * Refines coarse corners to a fraction of a percent of the card's height.
 *
 * @param hopeless minimum confidence of the second best corner after the first pass, and {@link CORNER_MIN} after
 * later ones: a place with less has a confidence of 0; if this is 0, places are kept whatever is seen
 */
export function refineCorners(
  refiner: Network,
  pyramid: ImagePyramid,
  coarse: Quad,
  hopeless = 0,
): RefinedCorners {
  const [height, width] = refiner.input
  const frame: Frame = { width, height, margin: Number(refiner.setting('margin')) }
  let refined: RefinedCorners = { ...NO_CORNERS, quad: coarse }
  for (let pass = 1; pass <= PASSES_MAX; pass++) {
    const { corners, visible } = refiner.run(toInput(rectify(pyramid, refined.quad, frame)))
    if (corners === undefined) throw new Error('The refiner must have the output "corners".')
    const found = decodeCorners(corners, frame, visible)
    const toPhoto = frameToPhoto(refined.quad, frame)
    const quad = asQuad(found.map((corner) => project(toPhoto, corner)))
    // The new corners are invalid: returns the previous ones.
    if (!isConvex(quad)) return { ...refined, ...NO_CORNERS }
    if (hopeless > 0 && largestMove(coarse, quad) > MOVE_MAX) return { ...NO_CORNERS, quad }
    const masses = found.map(({ mass }) => mass)
    const confidence = plausibility(quad) * masses.reduce((sum, mass) => sum + mass / 4, 0)
    const move = largestMove(quad, refined.quad)
    refined = { quad, confidence, corners: masses }
    const isHopeless = hopeless > 0 && secondBest(masses) < (pass === 1 ? hopeless : CORNER_MIN)
    if (isHopeless) return { ...NO_CORNERS, quad }
    if (pass >= PASSES_MIN && move < CONVERGED) break
  }
  return refined
}

const NO_CORNERS = { confidence: 0, corners: [0, 0, 0, 0] }

/** Returns the second best confidence, because only two corners of a covered card may be visible. */
function secondBest(masses: readonly number[]): number {
  return masses.toSorted((one, other) => other - one)[1] ?? 0
}

/** Ratio of opposite sides of a card that is tilted by 45 degrees. */
const SIDE_RATIO_MIN = 0.7

/** Returns 1 for the shape of a card, less if opposite sides differ too much. */
function plausibility(quad: Quad): number {
  const ratio = (one: number, other: number) => Math.min(one, other) / Math.max(one, other)
  const { top, right, bottom, left } = sideLengths(quad)
  return Math.min(1, ratio(top, bottom) / SIDE_RATIO_MIN, ratio(left, right) / SIDE_RATIO_MIN)
}

/** Returns the largest movement of a corner, as a share of the card's size. */
function largestMove(from: Quad, to: Quad): number {
  const moves = from.map(({ x, y }, index) => {
    const corner = to[index] ?? { x, y }
    return Math.hypot(corner.x - x, corner.y - y)
  })
  return Math.max(...moves) / Math.sqrt(Math.abs(signedArea(from)))
}

/**
 * Decodes four maps, one value per corner in each cell, to positions in the frame.
 *
 * @param visible maps of the same shape: logits of a corner being visible in a cell
 */
export function decodeCorners(
  maps: Float32Array,
  frame: Size,
  visible?: Float32Array,
): (Point & { mass: number })[] {
  const cell = Math.sqrt((frame.width * frame.height * 4) / maps.length)
  const columns = frame.width / cell
  const rows = frame.height / cell
  return [0, 1, 2, 3].map((corner) => {
    const { at, mass, ...point } = findPeak(maps, corner, columns, rows, cell)
    return { ...point, mass: visible === undefined ? mass : mass * sigmoid(visible[at] ?? 0) }
  })
}

const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit))

function findPeak(maps: Float32Array, corner: number, columns: number, rows: number, cell: number) {
  const logit = (column: number, row: number) => maps[(row * columns + column) * 4 + corner] ?? 0
  const peak = { column: 0, row: 0, logit: Number.NEGATIVE_INFINITY }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (logit(column, row) > peak.logit)
        Object.assign(peak, { column, row, logit: logit(column, row) })
    }
  }
  let all = 0
  const near = { mass: 0, x: 0, y: 0 }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const mass = Math.exp(logit(column, row) - peak.logit)
      all += mass
      if (Math.abs(column - peak.column) > REACH || Math.abs(row - peak.row) > REACH) continue
      near.mass += mass
      near.x += mass * (column + 0.5)
      near.y += mass * (row + 0.5)
    }
  }
  return {
    x: (near.x / near.mass) * cell,
    y: (near.y / near.mass) * cell,
    mass: near.mass / all,
    at: (peak.row * columns + peak.column) * 4 + corner,
  }
}
