// Proposes the place of a card by its text, whose lines share the directions of the card and begin near its edges.
import { rectifyGray } from '../image/gray.ts'
import {
  asQuad,
  frameToPhoto,
  type ImagePyramid,
  type Point,
  projectQuad,
  type Quad,
  type Region,
  rectangleQuad,
  sideLengths,
} from '../image/rectify.ts'
import { type DetectedText, detectText } from '../ocr/detect-text.ts'
import type { Network } from '../runtime/model.ts'
import { CARD_RATIO } from './predict-quads.ts'
import { sizeOf } from './propose-quads.ts'

/** Pixels in which text is detected: a third of those in which it is read, which shows names and rules. */
const PIXELS = 272_000
/** The sides of the picture are multiples of this. */
const SIDE_STEP = 32
/** Minimum number of lines that show the directions of a card. */
const LINES_MIN = 2
/** Size of the box of all lines, as a share of the card's, and room above it, as a share of the card's height. */
const [ACROSS, DOWN, ABOVE] = [0.87, 0.93, 0.045]

/** Returns the place of a card, upright to its text; undefined if the photo shows too few lines. */
export function proposeByText(textDetector: Network, pyramid: ImagePyramid): Quad | undefined {
  const { width, height } = sizeOf(pyramid)
  const photo = rectangleQuad({ left: 0, top: 0, width, height })
  const scale = Math.sqrt(PIXELS / (width * height))
  const side = (pixels: number) => Math.max(1, Math.round((scale * pixels) / SIDE_STEP)) * SIDE_STEP
  const size = { width: side(width), height: side(height) }
  const lines = detectText(textDetector, rectifyGray(pyramid, photo, size.width, size.height))
  const box = boxLines(lines)
  return box && projectQuad(frameToPhoto(photo, { ...size, margin: 0 }), box)
}

/**
 * Returns the card around lines, in the same picture. It is as wide as the widest of them needs, or as high as all, and
 * begins above the first: the hidden part of a card is the lower one, by which hands hold it.
 */
export function boxLines(lines: readonly DetectedText[]): Quad | undefined {
  const own = longest(lines)
  if (own.length < LINES_MIN) return undefined
  const angle = medianAngle(own)
  // Straightens the lines.
  const box = boundsOf(own.flatMap(({ quad }) => quad.map((point) => turn(point, -angle))))
  const width = Math.max(box.width / ACROSS, box.height / DOWN / CARD_RATIO)
  const height = width * CARD_RATIO
  const left = box.left + (box.width - width) / 2
  const card = rectangleQuad({ left, top: box.top - ABOVE * height, width, height })
  return asQuad(card.map((point) => turn(point, angle)))
}

/** Returns the upright or the sideways lines, whichever are longer together: short lines may be both. */
function longest(lines: readonly DetectedText[]): DetectedText[] {
  const sideways = lines.filter(({ isSideways }) => isSideways)
  const upright = lines.filter(({ isSideways }) => isSideways !== true)
  const total = (list: DetectedText[]) => list.reduce((sum, line) => sum + lengthOf(line), 0)
  return total(sideways) > total(upright) ? sideways : upright
}

const lengthOf = ({ quad }: DetectedText) => sideLengths(quad).top

/** Returns the direction of the lines in radians, where each counts by its length. */
function medianAngle(lines: readonly DetectedText[]): number {
  const half = lines.reduce((sum, line) => sum + lengthOf(line) / 2, 0)
  const angled = lines
    .map((line) => {
      const [from, to] = line.quad
      return { angle: Math.atan2(to.y - from.y, to.x - from.x), length: lengthOf(line) }
    })
    .toSorted((one, other) => one.angle - other.angle)
  let before = 0
  for (const { angle, length } of angled) {
    before += length
    if (before >= half) return angle
  }
  return 0
}

function turn({ x, y }: Point, angle: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return { x: x * cos - y * sin, y: x * sin + y * cos }
}

function boundsOf(points: readonly Point[]): Region {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}
