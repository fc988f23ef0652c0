// Finds the lines of cards that lie on their side, and names along the side of a card.
import { isAtFoot } from '#rules/photos/text-line.ts'
import { type Quad, rotateQuad, sideLengths } from '../image/rectify.ts'
import type { PlacedLine } from './rank-lines.ts'

type TurnedLine = PlacedLine & { quad: Quad }

/** Minimum ratio of width to height of a line whose direction is certain. */
const LONG = 3
/** Minimum ratio of the length of all long sideways lines to that of all upright ones on a card that lies on its side. */
const SIDEWAYS_MIN = 2
/** Minimum ratio of width to height of a name along the side of a card. */
const SPINE_LENGTH_MIN = 4

/**
 * Turns the lines of a card that lies on its side; `readUpright` tries its other side. Keeps the upright lines of its foot:
 * cards that are played on their side have their number there. Of another card, keeps the longest sideways line in both
 * directions: some games print their names so.
 */
export function turnLines<Line extends TurnedLine>(lines: readonly Line[]): Line[] {
  const sideways = lines.filter(({ isSideways }) => isSideways)
  const upright = lines.filter(({ isSideways }) => isSideways !== true)
  if (isOnSide(sideways, upright)) {
    return [...sideways.map(layUpright), ...upright.filter(isAtFoot)]
  }
  const [spine] = sideways
    .filter((line) => ratioOf(line) >= SPINE_LENGTH_MIN)
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
  return spine === undefined
    ? upright
    : [...upright, spine, { ...spine, quad: rotateQuad(spine.quad, 2) }]
}

/** Returns true if lines show a card on its side. One beside upright ones is a name; those would be lost. */
function isOnSide(sideways: readonly TurnedLine[], upright: readonly TurnedLine[]): boolean {
  const certain = sideways.filter((line) => ratioOf(line) >= LONG)
  if (certain.length === 1 && upright.length > 0) return false
  return totalLength(certain) > SIDEWAYS_MIN * totalLength(upright)
}

function totalLength(lines: readonly TurnedLine[]): number {
  return lines.reduce((sum, line) => sum + lengthOf(line), 0)
}

function lengthOf({ quad }: TurnedLine): number {
  return sideLengths(quad).top
}

function ratioOf({ quad }: TurnedLine): number {
  const { top, left } = sideLengths(quad)
  return top / left
}

/** Places a line on the card as it is turned to be read. */
function layUpright<Line extends TurnedLine>(line: Line): Line {
  const { left, top, right, bottom } = line.box
  return {
    ...line,
    isSideways: false,
    box: { left: 1 - bottom, top: left, right: 1 - top, bottom: right },
  }
}
