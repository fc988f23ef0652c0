// Arranges the cards of a page in rows and columns, as the photo shows them.
import type { Outline, PhotoPoint } from './page-cut.ts'

/** Position of a card on its page, from 1. */
export type PagePosition = { row: number; column: number }

/** Distance of two rows as a share of a card's extent. A smaller distance is a shift within a row. */
const ROW_GAP = 0.5

/**
 * Returns the position of each card. Rows follow the common direction of the cards' sides, so that a photo may be taken at
 * an angle. An empty pocket counts as a column if other rows have a card there.
 */
export function arrangeCards(outlines: readonly Outline[]): PagePosition[] {
  const common = commonTurn(outlines)
  const turn = common ?? 0
  const centers = outlines.map((outline) => rotate(centerOf(outline), -turn))
  const upright = outlines.map((outline) => outline.map((point) => rotate(point, -turn)))
  const tall = median(upright.map((points) => extent(points.map(({ y }) => y))))
  const wide = median(upright.map((points) => extent(points.map(({ x }) => x))))
  const rows = groupAlong(
    centers.map(({ y }) => y),
    tall * ROW_GAP,
  )
  const columns = groupAlong(
    centers.map(({ x }) => x),
    wide * ROW_GAP,
  )
  const places = new Set(rows.map((row, card) => `${row} ${columns[card]}`))
  // Returns true if cards form a grid. Scattered cards have no columns, and neither have rows that are shifted
  // against each other.
  const isGrid = common !== undefined && places.size === rows.length
  return rows.map((row, card) => ({
    row: row + 1,
    column: 1 + (isGrid ? (columns[card] ?? 0) : rankInRow(card, row, rows, centers)),
  }))
}

/** Counts the cards of a row that are to the left of a card. */
function rankInRow(
  card: number,
  row: number,
  rows: readonly number[],
  centers: readonly PhotoPoint[],
): number {
  const x = centers[card]?.x ?? 0
  return centers.filter((center, other) => rows[other] === row && center.x < x).length
}

/** Returns the group of each value: values less than `gap` apart are in the same group. */
function groupAlong(values: readonly number[], gap: number): number[] {
  const order = [...values.keys()].sort((one, other) => (values[one] ?? 0) - (values[other] ?? 0))
  const groups = new Array<number>(values.length).fill(0)
  let group = 0
  let last = values[order[0] ?? 0] ?? 0
  for (const index of order) {
    const value = values[index] ?? 0
    if (value - last > gap) group++
    groups[index] = group
    last = value
  }
  return groups
}

/**
 * Returns the angle between the cards' sides and the photo, within an eighth of a turn; undefined if the cards
 * differ.
 */
function commonTurn(outlines: readonly Outline[]): number | undefined {
  const angles = outlines.map(([topLeft, topRight]) =>
    Math.atan2(topRight.y - topLeft.y, topRight.x - topLeft.x),
  )
  // Multiplied by four, the angle is equal for all sides of a rectangle.
  const x = angles.reduce((sum, angle) => sum + Math.cos(4 * angle), 0)
  const y = angles.reduce((sum, angle) => sum + Math.sin(4 * angle), 0)
  const isCommon = Math.hypot(x, y) >= COMMON_MIN * angles.length
  return isCommon ? Math.atan2(y, x) / 4 : undefined
}

/** Minimum length of the mean direction; 1 means that all cards have the same direction. */
const COMMON_MIN = 0.7

function rotate({ x, y }: PhotoPoint, angle: number): PhotoPoint {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return { x: x * cos - y * sin, y: x * sin + y * cos }
}

function centerOf(outline: Outline): PhotoPoint {
  return {
    x: outline.reduce((sum, { x }) => sum + x / 4, 0),
    y: outline.reduce((sum, { y }) => sum + y / 4, 0),
  }
}

const extent = (values: readonly number[]) => Math.max(...values) - Math.min(...values)

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
