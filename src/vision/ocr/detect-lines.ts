// Where lines of print run on a straight picture: what `boxes` of scripts/training/train_lines.py does.
import { LINE_KINDS, type LineKind } from '#rules/photos/text-line.ts'
import { type ImagePyramid, type Quad, rectify } from '../image/rectify.ts'
import { toGrey } from '../retrieval/perceptual-hash.ts'
import { type Network, readNameSetting, sigmoid, toInput } from '../runtime/model.ts'

/** Luma, a byte a pixel, row by row. */
export type GreyImage = { width: number; height: number; data: Uint8Array }

export type DetectedLine = {
  /**
   * From the top of tall letters to the bottom of hanging ones, whether it has any or not, in pixels
   * of the straight picture.
   */
  quad: Quad
  /** Mean over its columns, 0 to 1. */
  score: number
  kind: LineKind
}

/** What the network says of one picture, in the JSON file's terms. */
export type LineMaps = {
  /** Pixels of the picture to a cell, and to one unit of an offset or a height. */
  stride: number
  unit: number
  kinds: readonly LineKind[]
  columns: number
  rows: number
  /** Logits, one a cell: whether the middle of a line passes. */
  text: Float32Array
  /** Two a cell: how far below it that middle is, and the logarithm of the line's height. */
  shape: Float32Array
  /** Logits, one a kind in each cell. */
  kind: Float32Array
}

const SURE_MIN = 0.5
/** A grade or a single digit is one column wide; so is a speck, which is less sure. */
const LONE_SCORE = 0.7
/** How far the ends of a line lie beyond what the network was taught to mark, in heights. */
const INSET = 0.25
/** A gap of most of a height still is one between words; more parts a name from what stands beside it. */
const GAP = 0.8
/** Middles closer than this, in heights, are one line's. */
const APART = 0.35
/** Natural logarithm of how much higher one part of a line may be than the next. */
const GROWTH = 0.4
/** The steepest line; a card that lies more askew was not straightened. */
const SLOPE_MAX = 0.2

/** @param picture of the network's own size */
export function detectLines(lines: Network, picture: GreyImage): DetectedLine[] {
  const { text, shape, kind } = lines.run(toInput(picture.data))
  if (text === undefined || shape === undefined || kind === undefined) {
    throw new Error('A finder of lines gives text, shape and kind.')
  }
  const stride = Number(lines.setting('stride'))
  return decodeLines({
    stride,
    unit: Number(lines.setting('unit')),
    kinds: readNameSetting(lines, 'kinds', LINE_KINDS),
    columns: picture.width / stride,
    rows: picture.height / stride,
    text,
    shape,
    kind,
  })
}

/** What the quad bounds, straight and grey. */
export function rectifyGrey(
  imagePyramid: ImagePyramid,
  quad: Quad,
  width: number,
  height: number,
): GreyImage {
  const grey = toGrey(rectify(imagePyramid, quad, { width, height, margin: 0 }))
  // Clamped arrays round; the others cut off.
  return { width, height, data: new Uint8Array(new Uint8ClampedArray(grey).buffer) }
}

/** What one column says of one line. */
type Bead = { column: number; y: number; height: number; score: number; kinds: readonly number[] }
type Chain = { beads: Bead[]; last: Bead }

/**
 * The maps of one picture to lines. Cells are strung by the middle that each of them tells, not by
 * touching: two close lines of small print touch, and still say different middles.
 */
export function decodeLines(maps: LineMaps): DetectedLine[] {
  const chains: Chain[] = []
  let open: Chain[] = []
  for (let column = 0; column < maps.columns; column++) {
    open = open.filter(({ last }) => {
      return column - last.column <= Math.max(2, (GAP * last.height) / maps.stride)
    })
    for (const bead of beadsOf(maps, column)) {
      const chain = nearestOf(open, bead)
      if (chain === undefined) {
        const started = { beads: [bead], last: bead }
        chains.push(started)
        open.push(started)
      } else {
        chain.beads.push(bead)
        chain.last = bead
      }
    }
  }
  return chains.flatMap((chain) => lineOf(chain, maps) ?? [])
}

/** Of the chains that a bead goes on with, the one whose middle is closest. */
function nearestOf(open: readonly Chain[], bead: Bead): Chain | undefined {
  let nearest: Chain | undefined
  let least = APART * bead.height
  for (const chain of open) {
    const away = Math.abs(middleOf(chain) - bead.y)
    const growth = Math.abs(Math.log(chain.last.height / bead.height))
    // A chain that already has a bead of this column is another line.
    if (chain.last.column === bead.column || away >= least || growth >= GROWTH) continue
    nearest = chain
    least = away
  }
  return nearest
}

function middleOf({ beads }: Chain): number {
  return mean(beads.slice(-3).map(({ y }) => y))
}

type Cell = { y: number; height: number; sure: number; kinds: readonly number[] }

/** The lines that pass through one column; cells above each other that mean one line are one bead. */
function beadsOf(maps: LineMaps, column: number): Bead[] {
  const groups: Cell[][] = []
  for (let row = 0; row < maps.rows; row++) {
    const logit = maps.text[row * maps.columns + column] ?? 0
    const sure = sigmoid(logit)
    // Almost all cells are empty.
    if (sure < SURE_MIN) continue
    const cell = cellAt(maps, column, row, sure)
    const group = groups.at(-1)
    const above = group?.at(-1)
    if (group && above && Math.abs(above.y - cell.y) < APART * cell.height) group.push(cell)
    else groups.push([cell])
  }
  return groups.map((cells) => beadOf(cells, column, maps.kinds.length))
}

function cellAt(maps: LineMaps, column: number, row: number, sure: number): Cell {
  const at = row * maps.columns + column
  const [away = 0, size = 0] = maps.shape.subarray(2 * at, 2 * at + 2)
  const kinds = maps.kinds.length
  return {
    y: (row + 0.5) * maps.stride + away * maps.unit,
    height: Math.exp(Math.min(Math.max(size, -2), 2.5)) * maps.unit,
    sure,
    kinds: Array.from(maps.kind.subarray(kinds * at, kinds * (at + 1))),
  }
}

function beadOf(cells: readonly Cell[], column: number, kinds: number): Bead {
  const weight = cells.reduce((sum, { sure }) => sum + sure, 0)
  return {
    column,
    y: cells.reduce((sum, { y, sure }) => sum + y * sure, 0) / weight,
    height: cells.reduce((sum, { height, sure }) => sum + height * sure, 0) / weight,
    score: Math.max(...cells.map(({ sure }) => sure)),
    kinds: sumOf(cells, kinds),
  }
}

/** A straight box through a string of beads. */
function lineOf({ beads, last }: Chain, { stride, kinds }: LineMaps): DetectedLine | undefined {
  const score = mean(beads.map((bead) => bead.score))
  const [first] = beads
  if (first === undefined || (beads.length < 2 && score < LONE_SCORE)) return undefined
  const height = median(beads.map((bead) => bead.height))
  const xOf = ({ column }: Bead) => (column + 0.5) * stride
  const isLong = xOf(last) - xOf(first) > 2 * height
  const slope = isLong ? slopeOf(beads.map((bead) => [xOf(bead), bead.y])) : 0
  const middle = mean(beads.map((bead) => bead.y - slope * xOf(bead)))
  // What was marked ends before the line does; half a cell at either end is not known.
  const beyond = stride / 2 + INSET * height - 1
  const [left, right] = [xOf(first) - beyond, xOf(last) + beyond]
  const length = Math.hypot(1, slope)
  const half = { x: (-slope / length) * (height / 2), y: height / (2 * length) }
  const corner = (x: number, side: 1 | -1) => ({
    x: x + side * half.x,
    y: middle + slope * x + side * half.y,
  })
  const kind = kinds[indexOfMost(sumOf(beads, kinds.length))]
  if (kind === undefined) throw new Error('A finder of lines knows at least one kind.')
  return {
    quad: [corner(left, -1), corner(right, -1), corner(right, 1), corner(left, 1)],
    score,
    kind,
  }
}

/** Of the line through the points with the least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const middle = mean(points.map(([x]) => x))
  const level = mean(points.map(([, y]) => y))
  let rise = 0
  let run = 0
  for (const [x, y] of points) {
    rise += (x - middle) * (y - level)
    run += (x - middle) ** 2
  }
  return Math.min(Math.max(rise / run, -SLOPE_MAX), SLOPE_MAX)
}

function sumOf(parts: readonly { kinds: readonly number[] }[], length: number): number[] {
  return Array.from({ length }, (_, index) =>
    parts.reduce((sum, { kinds }) => sum + (kinds[index] ?? 0), 0),
  )
}

/** The first of equals. */
function indexOfMost(values: readonly number[]): number {
  return values.indexOf(Math.max(...values))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}
