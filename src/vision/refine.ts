import { type Network, toInput } from './network.ts'
import {
  asQuad,
  type Frame,
  frameToPhoto,
  isConvex,
  type Levels,
  project,
  type Quad,
  straighten,
} from './straighten.ts'

export type Refined = {
  quad: Quad
  /** Mean over the corners of how much of each map lies at its peak, 0 to 1. */
  confidence: number
}

/** The second pass sees the card nearly straight; a third one no longer gains. */
const PASSES = 2
/** Half the side of the window round a peak that its place is the mean of. */
const REACH = 2

/** Corners of a card to a fraction of a percent of its height, from coarse ones. */
export function refine(refiner: Network, levels: Levels, coarse: Quad): Refined {
  const [height, width] = refiner.input
  const frame: Frame = { width, height, margin: Number(refiner.setting('margin')) }
  let refined: Refined = { quad: coarse, confidence: 0 }
  for (let pass = 0; pass < PASSES; pass++) {
    const { corners } = refiner.run(toInput(straighten(levels, refined.quad, frame)))
    if (corners === undefined) throw new Error('A refiner gives corners.')
    const found = decodeCorners(corners, frame)
    const toPhoto = frameToPhoto(refined.quad, frame)
    const quad = asQuad(found.map((corner) => project(toPhoto, corner)))
    // Corners that bound no card: what was known is better than this.
    if (!isConvex(quad)) return { ...refined, confidence: 0 }
    const confidence = found.reduce((sum, { mass }) => sum + mass / 4, 0)
    refined = { quad, confidence }
  }
  return refined
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
