import {
  asQuad,
  type Frame,
  frameToPhoto,
  type ImagePyramid,
  isConvex,
  project,
  type Quad,
  rectify,
  sideLengths,
  signedArea,
} from '../image/rectify.ts'
import { type Network, toInput } from '../runtime/model.ts'

export type RefinedQuad = {
  quad: Quad
  /** Mean over the corners of how much of each map lies at its peak, 0 to 1; less for no card's shape. */
  confidence: number
}

/** The second pass sees the card nearly straight, unless the first had a long way to go. */
const PASSES_LEAST = 2
const PASSES_MOST = 4
/** Corners that a pass moved by less than this share of the card's size are where they belong. */
const AT_REST = 0.015
/** Half the side of the window round a peak that its place is the mean of. */
const REACH = 2

/** Corners of a card to a fraction of a percent of its height, from coarse ones. */
export function refineCorners(
  refiner: Network,
  imagePyramid: ImagePyramid,
  coarse: Quad,
): RefinedQuad {
  const [height, width] = refiner.input
  const frame: Frame = { width, height, margin: Number(refiner.setting('margin')) }
  let refinedQuad: RefinedQuad = { quad: coarse, confidence: 0 }
  for (let pass = 1; pass <= PASSES_MOST; pass++) {
    const { corners } = refiner.run(toInput(rectify(imagePyramid, refinedQuad.quad, frame)))
    if (corners === undefined) throw new Error('A refiner gives corners.')
    const found = decodeCorners(corners, frame)
    const toPhoto = frameToPhoto(refinedQuad.quad, frame)
    const quad = asQuad(found.map((corner) => project(toPhoto, corner)))
    // Corners that bound no card: what was known is better than this.
    if (!isConvex(quad)) return { ...refinedQuad, confidence: 0 }
    const confidence = evennessOf(quad) * found.reduce((sum, { mass }) => sum + mass / 4, 0)
    const move = moveOf(quad, refinedQuad.quad)
    refinedQuad = { quad, confidence }
    if (pass >= PASSES_LEAST && move < AT_REST) break
  }
  return refinedQuad
}

/** The shorter of two opposite sides over the longer one, where a card is tilted by 45 degrees. */
const EVEN_MIN = 0.7

/** 1 for what a card can look like, less where one corner is another thing's. */
function evennessOf(quad: Quad): number {
  const ratio = (one: number, other: number) => Math.min(one, other) / Math.max(one, other)
  const { top, right, bottom, left } = sideLengths(quad)
  return Math.min(1, ratio(top, bottom) / EVEN_MIN, ratio(left, right) / EVEN_MIN)
}

/** How far the corner that moved most did, as a share of the card's size. */
function moveOf(from: Quad, to: Quad): number {
  const moves = from.map(({ x, y }, index) => {
    const corner = to[index] ?? { x, y }
    return Math.hypot(corner.x - x, corner.y - y)
  })
  return Math.max(...moves) / Math.sqrt(Math.abs(signedArea(from)))
}

/** Four maps, one number a corner in each cell, to places in the frame. */
export function decodeCorners(
  maps: Float32Array,
  frame: { width: number; height: number },
): { x: number; y: number; mass: number }[] {
  const cell = Math.sqrt((frame.width * frame.height * 4) / maps.length)
  const columns = frame.width / cell
  const rows = frame.height / cell
  return [0, 1, 2, 3].map((corner) => peakOf(maps, corner, columns, rows, cell))
}

function peakOf(maps: Float32Array, corner: number, columns: number, rows: number, cell: number) {
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
  }
}
