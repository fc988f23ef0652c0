// Detects lines of text in a rectified picture, as train/line_decoding.py of scripts/training does.
import { LINE_KINDS, type LineKind } from '#rules/photos/text-line.ts'
import type { GrayImage } from '../image/gray.ts'
import type { Quad } from '../image/rectify.ts'
import { type Network, readNameSetting, sigmoid, toInput } from '../runtime/model.ts'

export type DetectedLine = {
  /** Box from the ascenders to the descenders, even if the text has neither; in pixels of the rectified picture. */
  quad: Quad
  /** Mean over the columns, 0 to 1. */
  score: number
  kind: LineKind
}

/** Output of the network for one input picture. */
export type LineMaps = {
  /** Pixels of the picture per cell, and per unit of an offset or a height. */
  stride: number
  unit: number
  kinds: readonly LineKind[]
  columns: number
  rows: number
  /** Logits, one per cell: the core of a line. */
  text: Float32Array
  /** Two per cell: vertical offset of the middle of the line, and logarithm of its height. */
  shape: Float32Array
  /** Logits, one per kind in each cell. */
  kind: Float32Array
}

const SCORE_MIN = 0.5
/** Minimum score beyond the ends of a line: the network is less sure of its first and last characters. */
const END_SCORE_MIN = 0.1
/** Maximum distance of a weak column from the column before it. */
const END_STEP_MAX = 2
/** Minimum score of a line of one column: a single digit, or noise. */
const LONE_SCORE_MIN = 0.7
/** Distance of the core from the ends of a line, in heights. */
const INSET = 0.25
/** Maximum gap between words, in heights; a larger one separates two lines. */
const GAP_MAX = 0.8
/** Maximum distance of middles in one line, in heights. */
const OFFSET_MAX = 0.35
/** Maximum ratio of consecutive heights, as natural logarithm. */
const GROWTH_MAX = 0.4
/** Maximum slope; a rectified card has no steeper lines. */
const SLOPE_MAX = 0.2

/** @param picture of the input size of the network */
export function detectLines(lines: Network, picture: GrayImage): DetectedLine[] {
  const { text, shape, kind } = lines.run(toInput(picture.data))
  if (text === undefined || shape === undefined || kind === undefined) {
    throw new Error('The line detector must have the outputs "text", "shape" and "kind".')
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

type Cell = { y: number; height: number; score: number; kinds: readonly number[] }
/** The part of a line in one column. */
type LinePart = Cell & { column: number }
type Chain = { parts: LinePart[]; last: LinePart }

/**
 * Decodes the maps of one picture to lines. Cells are joined if they predict the same middle, not if they
 * touch: cells of two close lines touch, but predict different middles.
 */
export function decodeLines(maps: LineMaps): DetectedLine[] {
  const chains: Chain[] = []
  let open: Chain[] = []
  for (let column = 0; column < maps.columns; column++) {
    open = open.filter(({ last }) => {
      return column - last.column <= Math.max(2, (GAP_MAX * last.height) / maps.stride)
    })
    for (const part of partsIn(maps, column)) {
      const chain = nearestChain(open, part)
      if (chain === undefined) {
        const started = { parts: [part], last: part }
        chains.push(started)
        open.push(started)
      } else {
        chain.parts.push(part)
        chain.last = part
      }
    }
  }
  return chains.flatMap((chain) => fitLine(chain, maps) ?? [])
}

/** Returns the chain that a part continues: the one with the closest middle. */
function nearestChain(open: readonly Chain[], part: LinePart): Chain | undefined {
  let nearest: Chain | undefined
  let least = OFFSET_MAX * part.height
  for (const chain of open) {
    const away = Math.abs(chainMiddle(chain) - part.y)
    const growth = Math.abs(Math.log(chain.last.height / part.height))
    // A chain that already has a part in this column is another line.
    if (chain.last.column === part.column || away >= least || growth >= GROWTH_MAX) continue
    nearest = chain
    least = away
  }
  return nearest
}

function chainMiddle({ parts }: Pick<Chain, 'parts'>): number {
  return mean(parts.slice(-3).map(({ y }) => y))
}

/** Returns the line parts in one column. Merges cells above each other with the same middle. */
function partsIn(maps: LineMaps, column: number): LinePart[] {
  const groups: Cell[][] = []
  for (let row = 0; row < maps.rows; row++) {
    const score = scoreAt(maps, column, row)
    // Skips empty cells, which are the vast majority.
    if (score < SCORE_MIN) continue
    const cell = cellAt(maps, column, row, score)
    const group = groups.at(-1)
    const above = group?.at(-1)
    if (group && above && Math.abs(above.y - cell.y) < OFFSET_MAX * cell.height) group.push(cell)
    else groups.push([cell])
  }
  return groups.map((cells) => mergeCells(cells, column, maps.kinds.length))
}

function scoreAt(maps: LineMaps, column: number, row: number): number {
  return sigmoid(maps.text[row * maps.columns + column] ?? 0)
}

function cellAt(maps: LineMaps, column: number, row: number, score: number): Cell {
  const at = row * maps.columns + column
  const [away = 0, size = 0] = maps.shape.subarray(2 * at, 2 * at + 2)
  const kinds = maps.kinds.length
  return {
    y: (row + 0.5) * maps.stride + away * maps.unit,
    height: Math.exp(Math.min(Math.max(size, -2), 2.5)) * maps.unit,
    score,
    kinds: Array.from(maps.kind.subarray(kinds * at, kinds * (at + 1))),
  }
}

function mergeCells(cells: readonly Cell[], column: number, kinds: number): LinePart {
  const weight = cells.reduce((sum, { score }) => sum + score, 0)
  return {
    column,
    y: cells.reduce((sum, { y, score }) => sum + y * score, 0) / weight,
    height: cells.reduce((sum, { height, score }) => sum + height * score, 0) / weight,
    score: Math.max(...cells.map(({ score }) => score)),
    kinds: sumKinds(cells, kinds),
  }
}

/** Returns the weak parts beyond one end of a line, outwards. Stops at a gap. */
function weakPartsBeyond(end: LinePart, inner: readonly LinePart[], step: 1 | -1, maps: LineMaps) {
  const beyond: LinePart[] = []
  let last = end
  for (
    let column = end.column + step;
    column >= 0 && column < maps.columns && Math.abs(column - last.column) <= END_STEP_MAX;
    column += step
  ) {
    const middle = chainMiddle({ parts: [...inner, ...beyond] })
    const part = weakPart(maps, column, middle, last.height)
    if (part === undefined) continue
    beyond.push(part)
    last = part
  }
  return beyond
}

/** Returns the part of a column that continues a line with this middle and height, even if the part is weak. */
function weakPart(maps: LineMaps, column: number, middle: number, height: number) {
  const reach = OFFSET_MAX * height + maps.stride
  const top = Math.max(0, Math.floor((middle - reach) / maps.stride))
  const bottom = Math.min(maps.rows, Math.ceil((middle + reach) / maps.stride))
  const cells: Cell[] = []
  for (let row = top; row < bottom; row++) {
    const score = scoreAt(maps, column, row)
    if (score < END_SCORE_MIN) continue
    const cell = cellAt(maps, column, row, score)
    const away = Math.abs(cell.y - middle)
    const growth = Math.abs(Math.log(cell.height / height))
    if (away < OFFSET_MAX * cell.height && growth < GROWTH_MAX) cells.push(cell)
  }
  return cells.length === 0 ? undefined : mergeCells(cells, column, maps.kinds.length)
}

/** Fits a straight box to a chain of parts, including the weak parts beyond its ends. */
function fitLine(chain: Chain, maps: LineMaps): DetectedLine | undefined {
  const { stride, kinds } = maps
  const score = mean(chain.parts.map((part) => part.score))
  const [start] = chain.parts
  if (start === undefined || (chain.parts.length < 2 && score < LONE_SCORE_MIN)) return undefined
  const before = weakPartsBeyond(start, chain.parts.slice(0, 3).toReversed(), -1, maps)
  const after = weakPartsBeyond(chain.last, chain.parts.slice(-3), 1, maps)
  const parts = [...before.toReversed(), ...chain.parts, ...after]
  const [first, last] = [before.at(-1) ?? start, after.at(-1) ?? chain.last]
  const height = median(parts.map((part) => part.height))
  const xOf = ({ column }: LinePart) => (column + 0.5) * stride
  const isLong = xOf(last) - xOf(first) > 2 * height
  const slope = isLong ? leastSquaresSlope(parts.map((part) => [xOf(part), part.y])) : 0
  const middle = mean(parts.map((part) => part.y - slope * xOf(part)))
  // The core is shorter than the line; half a cell at either end is uncertain.
  const beyond = stride / 2 + INSET * height - 1
  const [left, right] = [xOf(first) - beyond, xOf(last) + beyond]
  const length = Math.hypot(1, slope)
  const half = { x: (-slope / length) * (height / 2), y: height / (2 * length) }
  const corner = (x: number, side: 1 | -1) => ({
    x: x + side * half.x,
    y: middle + slope * x + side * half.y,
  })
  const kind = kinds[indexOfMost(sumKinds(chain.parts, kinds.length))]
  if (kind === undefined) throw new Error('The line detector must have at least one kind.')
  const quad: Quad = [corner(left, -1), corner(right, -1), corner(right, 1), corner(left, 1)]
  return { quad, score, kind }
}

/** Returns the slope of the least-squares line through the points. */
function leastSquaresSlope(points: readonly (readonly [x: number, y: number])[]): number {
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

function sumKinds(parts: readonly { kinds: readonly number[] }[], length: number): number[] {
  return Array.from({ length }, (_, index) =>
    parts.reduce((sum, { kinds }) => sum + (kinds[index] ?? 0), 0),
  )
}

/** Returns the index of the maximum; the first of equal values. */
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
