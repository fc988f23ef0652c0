// Reads the text of a card, and of the grading label of its slab.
import { HEAD_BOTTOM, isAtEdge, type PrintedLine } from '#rules/photos/text-line.ts'
import { type GrayImage, rectifyGray } from '../image/gray.ts'
import {
  frameToPhoto,
  type Homography,
  type ImagePyramid,
  isConvex,
  mirrorQuad,
  projectQuad,
  type Quad,
  type Region,
  rectangleQuad,
  sideLengths,
  signedArea,
  unitSquareTo,
} from '../image/rectify.ts'
import type { CardObservation } from '../observation.ts'
import { findOrientation, type PictureMatch } from '../retrieval/match-pictures.ts'
import type { Network } from '../runtime/model.ts'
import { cropLine, lineFormat, normalizeLine } from './crop-line.ts'
import { type DetectedLine, detectLines } from './detect-lines.ts'
import { batchWidth, recognizeLines } from './recognize.ts'

export type OcrNetworks = { lines: Network; recognizer: Network }

// Windows are shares of the card's width and height, measured from its top left corner.
const CARD: Region = { left: 0, top: 0, width: 1, height: 1 }
/** The label of a slab is above the card, and wider. This window has the aspect ratio of the network input. */
const LABEL: Region = { left: -0.07, top: -0.35, width: 1.14, height: 1.166 }

/** Minimum confidence of lines that count for the orientation. Upside-down text has a low confidence. */
const CONFIDENCE_MIN = 0.5

/**
 * Reads the text in the orientation in which the card was found, otherwise in the more readable one.
 *
 * @param isBrief reads only labels, names and numbers of a card that was found
 */
export function readUpright(
  observation: Pick<CardObservation, 'orientations' | 'readText'>,
  match: Pick<PictureMatch, 'hits' | 'neighbors'>,
  isBrief = false,
): PrintedLine[] {
  if (observation.orientations === 0) return []
  const orientation = findOrientation(match)
  if (orientation !== undefined) return observation.readText(orientation, isBrief)
  const lines = observation.readText(0)
  if (countCharacters(lines) >= CHARACTERS_ENOUGH) return lines
  const others = observation.readText(1)
  return countCharacters(others) > countCharacters(lines) ? others : lines
}

/** Number of confident characters that a card never has upside down. */
const CHARACTERS_ENOUGH = 12

/** Returns the number of characters in confident lines. */
function countCharacters(lines: readonly PrintedLine[]): number {
  return lines.reduce(
    (sum, { text, confidence }) => sum + (confidence >= CONFIDENCE_MIN ? text.length : 0),
    0,
  )
}

const LINES_MAX = 40
/** Limit of the reading time, which depends on the columns: four of the longest lines, or fourteen short ones. */
const COLUMNS_MAX = 1920
/** Limit for a card whose picture is certain: names, and numbers of the footer. */
const COLUMNS_BRIEF = 1300
/** Additional columns for a label. */
const COLUMNS_OF_LABEL = 800
/**
 * Limit for lines that are neither names, numbers or titles nor at an edge, and for the other numbers of a card whose
 * picture is certain.
 */
const COLUMNS_ENOUGH = 930

export type ReadTextOptions = {
  /** Reads the label above the card, too. */
  isSlab: boolean
  /** Reads only labels, names and a few numbers, which is sufficient for a card whose picture is certain. */
  isBrief?: boolean
}

/** @param quad corners of the card, in pixels of the photo */
export function readText(
  networks: OcrNetworks,
  pyramid: ImagePyramid,
  quad: Quad,
  { isSlab, isBrief = false }: ReadTextOptions,
): PrintedLine[] {
  const onCard = detectInWindow(networks.lines, pyramid, quad, CARD)
  const onSlab = isSlab ? detectInWindow(networks.lines, pyramid, quad, LABEL) : []
  // Skips lines outside the label, because the crop of the card contains them at a higher resolution.
  const onLabel = onSlab.filter(isOnLabel)
  const columnsMax = (isBrief ? COLUMNS_BRIEF : COLUMNS_MAX) + (isSlab ? COLUMNS_OF_LABEL : 0)
  const lines = rankLines(withoutRepeats([...onCard, ...onLabel]))
  const wanted = isBrief ? lines.flatMap(rankForBriefReading) : lines
  const chosen = selectLines(networks.recognizer, pyramid, wanted, columnsMax)
  const readings = recognizeLines(
    networks.recognizer,
    chosen.map(({ crop }) => crop),
  )
  return readings.flatMap((reading, index) => {
    const line = chosen[index]?.line
    if (line === undefined) return []
    const { kind, box, heightPx } = line
    return { ...reading, kind, box, heightPx }
  })
}

type PlacedLine = Pick<PrintedLine, 'kind' | 'box' | 'heightPx'> & {
  score: number
  /** In pixels of the rectified picture. */
  quad: Quad
  toPhoto: Homography
}

type RankedLine = PlacedLine & { rank: number }

/** Detects lines in a rectified picture of the card or its label. */
function detectInWindow(
  lines: Network,
  pyramid: ImagePyramid,
  card: Quad,
  window: Region,
): PlacedLine[] {
  const [height, width] = lines.input
  const view = projectQuad(unitSquareTo(card), rectangleQuad(window))
  // At a steep angle the label would be beyond the horizon.
  if (!isConvex(signedArea(card) < 0 ? mirrorQuad(view) : view)) return []
  const toPhoto = frameToPhoto(view, { width, height, margin: 0 })
  return detectLines(lines, rectifyGray(pyramid, view, width, height)).map((line) => ({
    ...line,
    toPhoto,
    heightPx: lineHeight(projectQuad(toPhoto, line.quad)),
    box: relativeBox(line, window, width, height),
  }))
}

function relativeBox({ quad }: DetectedLine, window: Region, width: number, height: number) {
  const across = quad.map(({ x }) => window.left + (x / width) * window.width)
  const down = quad.map(({ y }) => window.top + (y / height) * window.height)
  return {
    left: Math.min(...across),
    top: Math.min(...down),
    right: Math.max(...across),
    bottom: Math.max(...down),
  }
}

/** Intersection over union of the boxes of one line that was detected twice. */
const REPEATED = 0.7

/**
 * Drops the less confident of two lines at one place: two chains of cells with different starts may cover the same
 * text.
 */
function withoutRepeats(lines: readonly PlacedLine[]): PlacedLine[] {
  const kept = new Set<PlacedLine>()
  for (const line of lines.toSorted((one, other) => other.score - one.score)) {
    if (![...kept].some((other) => sharedShare(line, other) > REPEATED)) kept.add(line)
  }
  return lines.filter((line) => kept.has(line))
}

/** Returns the intersection over union of the boxes of two lines. */
function sharedShare({ box: one }: PlacedLine, { box: other }: PlacedLine): number {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  const shared = Math.max(0, across) * Math.max(0, down)
  const areaOf = ({ left, top, right, bottom }: PlacedLine['box']) =>
    (right - left) * (bottom - top)
  return shared / (areaOf(one) + areaOf(other) - shared)
}

/** Returns the height of a line, perpendicular to its slope. */
function lineHeight(quad: Quad): number {
  const { top, bottom } = sideLengths(quad)
  return Math.abs(signedArea(quad)) / ((top + bottom) / 2)
}

/** Number of tall lines that are read as titles, at any position. */
const TITLES = 3
/** Minimum ratio of width to height of a title; costs and power are shorter. */
const TITLE_LENGTH_MIN = 2.5

/**
 * Ranks lines for a brief reading: names first, then numbers in the footer, where most numbers are, then other
 * numbers. Drops all other lines.
 */
function rankForBriefReading(line: RankedLine): RankedLine | [] {
  if (line.rank === FIRST) return line
  if (line.kind === 'name') return { ...line, rank: SECOND }
  if (line.kind !== 'number') return []
  const isInFooter = line.box.top > HEAD_BOTTOM && isAtEdge(line)
  return { ...line, rank: isInFooter ? THIRD : LAST }
}

/** Returns true if a line is above the card, on the label. */
function isOnLabel({ box }: PlacedLine): boolean {
  return box.top + box.bottom < 0
}

/** Ranks of lines, in the order in which they are read. */
const [FIRST, SECOND, THIRD, LAST] = [0, 1, 2, 3]

/**
 * Ranks lines: labels and the likeliest names first, then numbers, then other names, headers, footers and titles,
 * then the rest. A name takes a quarter of the columns, so it would not fit behind short lines.
 */
function rankLines(lines: readonly PlacedLine[]): RankedLine[] {
  const names = likeliestNames(lines)
  const titles = tallestTitles(lines).slice(0, TITLES)
  const rankOf = (line: PlacedLine) => {
    if (names.has(line) || isOnLabel(line)) return FIRST
    if (line.kind === 'number') return SECOND
    return line.kind === 'name' || isAtEdge(line) || titles.includes(line) ? THIRD : LAST
  }
  return lines.map((line) => ({ ...line, rank: rankOf(line) }))
}

/**
 * Returns the lines that are most likely the name: the widest line that was classified as a name, because costs and
 * symbols are shorter, and the tallest title of the header, because names are sometimes classified as other lines.
 */
function likeliestNames(lines: readonly PlacedLine[]): Set<PlacedLine> {
  const header = lines.filter(({ box }) => box.top < HEAD_BOTTOM)
  const isName = ({ kind }: PlacedLine) => kind === 'name'
  const names = header.some(isName) ? header.filter(isName) : lines.filter(isName)
  const widest = names.toSorted((one, other) => widthOf(other) - widthOf(one))
  return new Set([...widest.slice(0, 1), ...tallestTitles(header).slice(0, 1)])
}

function tallestTitles(lines: readonly PlacedLine[]): PlacedLine[] {
  return lines
    .filter((line) => aspectRatio(line) >= TITLE_LENGTH_MIN)
    .toSorted((one, other) => other.heightPx - one.heightPx)
}

function widthOf({ box }: PlacedLine): number {
  return box.right - box.left
}

/** Returns the approximate ratio of width to height. */
function aspectRatio(line: PlacedLine): number {
  return widthOf(line) / (line.box.bottom - line.box.top)
}

/** Selects lines by rank, then by length. Stamps and numbers are short; rules text is long and slow to read. */
function selectLines(
  recognizer: Network,
  pyramid: ImagePyramid,
  lines: readonly RankedLine[],
  columnsMax: number,
) {
  const form = lineFormat(recognizer)
  const ordered = lines.toSorted(
    (one, other) => one.rank - other.rank || aspectRatio(one) - aspectRatio(other),
  )
  const chosen: { line: PlacedLine; crop: GrayImage }[] = []
  let columns = 0
  for (const line of ordered.slice(0, LINES_MAX)) {
    const crop = normalizeLine(cropLine(pyramid, line.toPhoto, line.quad, form), form)
    columns += batchWidth(crop)
    if (columns > (line.rank === LAST ? COLUMNS_ENOUGH : columnsMax)) break
    chosen.push({ line, crop })
  }
  return chosen
}
