import type { GrayFrame } from './gray-frame.ts'

/** A card in a frame: its box in pixels, and its look, which is independent of position, size and light. */
export type FramedCard = { box: Box; look: Look }

type Box = { left: number; right: number; top: number; bottom: number }

/** Details of the brightness in a grid over a card, with a length of 1. */
type Look = Float64Array

/** Width of a card as a share of its height. */
const ASPECT = 63 / 88

/** Height of the outline on the screen, as a share of the frame. */
const GUIDE = 0.82

/**
 * Minimum and maximum distance of a side from the middle, as shares of the outline: cards may be smaller, larger or
 * off-center.
 */
const SIDE_RANGE = [0.36, 0.58] as const

/** Part of a side that is examined, as a share of the outline: corners are round. */
const SPAN = 0.6

/** Share of that part along which a straight edge must be visible. */
const SUPPORT = 0.75

/** Number of sides that must be visible. A thumb, or a table of the same color, may hide the fourth. */
const SIDES_MIN = 3

/** Minimum step of brightness across an edge, in shades. */
const STEP_MIN = 7

/** Maximum slant of a side over its span, in pixels: 5 degrees. */
const SLANT_MAX = 6

/** Maximum difference between the proportions of a card and of four edges. */
const ASPECT_TOLERANCE = 0.18

/** Finds a card that fills the outline in the middle; undefined without one. */
export function findFramedCard(frame: GrayFrame): FramedCard | undefined {
  const height = GUIDE * frame.height
  const across = findSides(frame, height * ASPECT, height)
  const down = findSides(transpose(frame), height, height * ASPECT)
  const seen = [across.low, across.high, down.low, down.high].filter((side) => side !== undefined)
  if (seen.length < SIDES_MIN) return undefined
  const [left, right] = completeSides(across, lengthOf(down) * ASPECT)
  const [top, bottom] = completeSides(down, lengthOf(across) / ASPECT)
  const aspect = (right - left) / (bottom - top)
  if (Math.abs(aspect / ASPECT - 1) > ASPECT_TOLERANCE) return undefined
  const box = { left, right, top, bottom }
  return { box, look: lookAt(sumFrame(frame), box) }
}

/** Positions of two opposite sides; undefined for a side that is not visible. */
type Sides = { low: number | undefined; high: number | undefined }

/** Finds the left and the right side of a card, the outermost ones: pictures on cards have straight edges, too. */
function findSides(frame: GrayFrame, size: number, length: number): Sides {
  const [near, far] = SIDE_RANGE.map((share) => share * size)
  const middle = frame.width / 2
  const rows = Math.round(length * SPAN)
  const at = (distance: number) => Math.round(middle + distance)
  const low = range(at(-(far ?? 0)), at(-(near ?? 0)))
  const high = range(at(near ?? 0), at(far ?? 0)).reverse()
  const isSide = (x: number) => edgeSupport(frame, x, rows) >= SUPPORT
  return { low: low.find(isSide), high: high.find(isSide) }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Returns the share of the middle rows with an edge on the best line through a column. Textures have steps up and down. */
function edgeSupport({ width, height, gray }: GrayFrame, x: number, rows: number): number {
  const first = Math.round((height - rows) / 2)
  let most = 0
  for (let slant = -SLANT_MAX; slant <= SLANT_MAX; slant++) {
    let [up, down] = [0, 0]
    for (let row = 0; row < rows; row++) {
      const column = Math.round(x + slant * (row / rows - 0.5))
      if (column < 1 || column > width - 2) continue
      const at = (first + row) * width + column
      const step = (gray[at + 1] ?? 0) - (gray[at - 1] ?? 0)
      if (step >= STEP_MIN) up++
      else if (step <= -STEP_MIN) down++
    }
    most = Math.max(most, up, down)
  }
  return most / rows
}

function transpose({ width, height, gray }: GrayFrame): GrayFrame {
  const turned = new Uint8Array(gray.length)
  for (let at = 0; at < gray.length; at++) {
    turned[(at % width) * height + Math.floor(at / width)] = gray[at] ?? 0
  }
  return { width: height, height: width, gray: turned }
}

/** Returns the distance of two sides; 0 unless both are visible. */
function lengthOf({ low, high }: Sides): number {
  return low === undefined || high === undefined ? 0 : high - low
}

/** Returns both sides. A side that was not visible is placed at the given distance from the other. */
function completeSides({ low, high }: Sides, distance: number): [low: number, high: number] {
  return [low ?? (high ?? 0) - distance, high ?? (low ?? 0) + distance]
}

/** Cells of a look. */
const [COLUMNS, ROWS] = [18, 25]

/**
 * Cells on each side whose mean a cell is compared with: cards of one game share a frame, but not the details inside
 * it.
 */
const AROUND = 3

function lookAt(sums: SummedFrame, box: Box): Look {
  const { left, right, top, bottom } = box
  const [wide, tall] = [(right - left) / COLUMNS, (bottom - top) / ROWS]
  const [dx, dy] = [wide * AROUND, tall * AROUND]
  const look = new Float64Array(COLUMNS * ROWS)
  let squares = 0
  for (let cell = 0; cell < look.length; cell++) {
    const x = left + wide * (cell % COLUMNS)
    const y = top + tall * Math.floor(cell / COLUMNS)
    const around = meanOf(
      sums,
      Math.max(left, x - dx),
      Math.max(top, y - dy),
      Math.min(right, x + wide + dx),
      Math.min(bottom, y + tall + dy),
    )
    const detail = meanOf(sums, x, y, x + wide, y + tall) - around
    look[cell] = detail
    squares += detail * detail
  }
  const length = Math.sqrt(squares) || 1
  return look.map((detail) => detail / length)
}

/**
 * Sums of all pixels above and to the left of each position, from which the mean of any box follows directly
 * (summed-area table).
 */
type SummedFrame = { width: number; height: number; sums: Float64Array }

function sumFrame({ width, height, gray }: GrayFrame): SummedFrame {
  const sums = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += gray[y * width + x] ?? 0
      sums[(y + 1) * (width + 1) + x + 1] = row + (sums[y * (width + 1) + x + 1] ?? 0)
    }
  }
  return { width, height, sums }
}

/** Returns the mean of a box of whole pixels, at least one. */
function meanOf(
  { width, height, sums }: SummedFrame,
  left: number,
  top: number,
  right: number,
  bottom: number,
): number {
  const within = (value: number, most: number) => Math.min(Math.max(Math.round(value), 0), most)
  const [x, y] = [within(left, width - 1), within(top, height - 1)]
  const [x2, y2] = [Math.max(x + 1, within(right, width)), Math.max(y + 1, within(bottom, height))]
  const at = (column: number, row: number) => sums[row * (width + 1) + column] ?? 0
  return (at(x2, y2) - at(x, y2) - at(x2, y) + at(x, y)) / ((x2 - x) * (y2 - y))
}

/**
 * Returns the similarity of a frame to a card that was seen before: 1 for the same card, about 0 for any other.
 *
 * @param enough ends the search for the best place
 */
export function similarityTo(
  card: FramedCard,
  frame: GrayFrame,
  { near = card.box, enough = 1 }: { near?: Box; enough?: number } = {},
): number {
  const sums = sumFrame(frame)
  let most = -1
  for (const box of boxesAround(near)) {
    most = Math.max(most, correlate(lookAt(sums, box), card.look))
    if (most >= enough) break
  }
  return most
}

function correlate(one: Look, other: Look): number {
  let sum = 0
  for (let cell = 0; cell < one.length; cell++) sum += (one[cell] ?? 0) * (other[cell] ?? 0)
  return sum
}

/** Changes of position and size that are tried, as shares of the size, smallest first. */
const SHIFTS = [0, -0.03, 0.03]
const SCALES = [1, 0.95, 1.05]

function boxesAround({ left, right, top, bottom }: Box): Box[] {
  const [width, height] = [right - left, bottom - top]
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return SCALES.flatMap((scale) =>
    SHIFTS.flatMap((dx) =>
      SHIFTS.map((dy) => ({
        left: x + width * (dx - scale / 2),
        right: x + width * (dx + scale / 2),
        top: y + height * (dy - scale / 2),
        bottom: y + height * (dy + scale / 2),
      })),
    ),
  )
}
