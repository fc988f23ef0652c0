// Reads the text of a card, and of the grading label of its slab.
import type { PrintedLine } from '#rules/photos/text-line.ts'
import { rectifyGray } from '../image/gray.ts'
import {
  frameToPhoto,
  type ImagePyramid,
  isConvex,
  mirrorQuad,
  projectQuad,
  type Quad,
  type Region,
  rectangleQuad,
  rotateQuad,
  type Size,
  sideLengths,
  signedArea,
  unitSquareTo,
} from '../image/rectify.ts'
import type { CardObservation, TextDetail } from '../observation.ts'
import { findOrientation, type PictureMatch } from '../retrieval/match-pictures.ts'
import type { Network } from '../runtime/model.ts'
import { type DetectedText, detectText, turnText } from './detect-text.ts'
import { isAboveCard, type PlacedLine, rankBriefly, rankLines } from './rank-lines.ts'
import { type LinePlace, readLines } from './read-lines.ts'
import { turnLines } from './turn-lines.ts'

export type OcrNetworks = Record<'textDetector' | 'recognizer', Network>

/** A region in shares of the card's width and height, from its top left corner, and its size in pixels. */
type Window = { region: Region; size: Size }

const WHOLE: Region = { left: 0, top: 0, width: 1, height: 1 }
/** Small print is 13 pixels high. */
const CARD: Window = { region: WHOLE, size: { width: 640, height: 896 } }
/** A card whose picture is certain, in half of the pixels: its stamps and its number are still legible. */
const CERTAIN: Window = { region: WHOLE, size: { width: 480, height: 672 } }
/** A card of a page whose picture is certain, in a quarter of the pixels. */
const BRIEF: Window = { region: WHOLE, size: { width: 320, height: 448 } }
/** The label of a slab is above the card, and wider. */
const LABEL: Window = {
  region: { left: -0.07, top: -0.35, width: 1.14, height: 0.38 },
  size: { width: 736, height: 352 },
}

/** Minimum confidence of lines that count for the orientation. Upside-down text has a low confidence. */
const CONFIDENCE_MIN = 0.5

/**
 * Reads the text in the orientation in which the card was found, otherwise in the more readable one.
 *
 * @param detail of a card that was found
 */
export function readUpright(
  observation: Pick<CardObservation, 'orientations' | 'readText'>,
  match: Pick<PictureMatch, 'hits' | 'neighbors'>,
  detail: TextDetail = 'all',
): PrintedLine[] {
  if (observation.orientations === 0) return []
  const orientation = findOrientation(match)
  if (orientation !== undefined) return observation.readText(orientation, detail)
  const lines = observation.readText(0)
  if (countCharacters(lines) >= CHARACTERS_ENOUGH) return lines
  const others = observation.readText(1)
  return countCharacters(others) > countCharacters(lines) ? others : lines
}

/** Number of confident characters that a card never has upside down. */
const CHARACTERS_ENOUGH = 12

/** Returns the number of characters in confident lines. */
export function countCharacters(lines: readonly PrintedLine[]): number {
  return lines.reduce(
    (sum, { text, confidence }) => sum + (confidence >= CONFIDENCE_MIN ? text.length : 0),
    0,
  )
}

/** Limit of the reading time, which depends on the columns: four of the longest lines, or fourteen short ones. */
const COLUMNS_MAX = 1920
/** Limit for a card of a page whose picture is certain: names, and numbers of the footer. */
const COLUMNS_BRIEF = 1300
/** Additional columns for a label, and for both directions of a sideways line. */
const [COLUMNS_OF_LABEL, COLUMNS_OF_SPINE] = [800, 960]
/**
 * Limit for lines that are neither names, numbers or titles nor at an edge, and for the other numbers of a card whose
 * picture is certain.
 */
const COLUMNS_ENOUGH = 930

/** Further columns of a card whose name or number was not among them. */
const COLUMNS_FURTHER = 1920

export type ReadTextOptions = {
  /** Reads the label above the card, too. */
  isSlab: boolean
  /** Part in which text is detected, if not the card. */
  window?: Window
}

/**
 * Returns a reader of all text of a photo without regard to a card, for photos whose corners are unknown. Orientation 1
 * is upside down.
 */
export function createPhotoTextReader(networks: OcrNetworks, pyramid: ImagePyramid): TextReader {
  const { width, height } = pyramid(0)
  const scale = Math.sqrt((CARD.size.width * CARD.size.height) / (width * height))
  const side = (pixels: number) => Math.max(1, Math.round((scale * pixels) / SIDE_STEP)) * SIDE_STEP
  const upright = rectangleQuad({ left: 0, top: 0, width, height })
  const quadOf = (orientation: number) => (orientation === 0 ? upright : rotateQuad(upright, 2))
  const window = { region: WHOLE, size: { width: side(width), height: side(height) } }
  return createTextReader(networks, pyramid, quadOf, { isSlab: false, window })
}

type TextReader = CardObservation['readText']

/**
 * Returns a reader of the text of a card.
 *
 * @param quadOf returns the corners of the card in an orientation, in pixels of the photo; those of an even one are turned
 * by 180 degrees in the odd one that follows
 */
export function createTextReader(
  networks: OcrNetworks,
  pyramid: ImagePyramid,
  quadOf: (orientation: number) => Quad,
  { isSlab, window }: ReadTextOptions,
): TextReader {
  // Detecting text takes as long as reading it, and finds the same lines upside down.
  const detected = new Map<string, LineInPhoto[]>()
  function detectCard(orientation: number, part: Window): LineInPhoto[] {
    const keyOf = (of: number) => `${of} ${part.size.width}`
    const turned = detected.get(keyOf(orientation ^ 1))
    if (turned !== undefined) return turned.map(turnUpsideDown)
    const lines = detectInWindow(networks.textDetector, pyramid, quadOf(orientation), part)
    detected.set(keyOf(orientation), lines)
    return lines
  }
  return (orientation, detail = 'all') => {
    const quad = quadOf(orientation)
    const onCard = detectCard(orientation, window ?? cardWindow(quad, detail))
    const onSlab = isSlab ? detectInWindow(networks.textDetector, pyramid, quad, LABEL) : []
    return readDetected(networks, pyramid, { onCard, onSlab, isSlab, detail })
  }
}

/** Reads the likeliest of the lines that were detected on a card and on the label of its slab. */
function readDetected(
  { recognizer }: OcrNetworks,
  pyramid: ImagePyramid,
  {
    onCard,
    onSlab,
    isSlab,
    detail,
  }: Record<'onCard' | 'onSlab', LineInPhoto[]> & { isSlab: boolean; detail: TextDetail },
): PrintedLine[] {
  const isBrief = detail === 'brief'
  const ofCard = isBrief ? onCard.filter(isUpright) : turnLines(onCard)
  // Skips lines outside the label, because the crop of the card contains them at a higher resolution.
  const onLabel = onSlab.filter((line) => isAboveCard(line) && isUpright(line))
  const hasSpine = ofCard.some(({ isSideways }) => isSideways)
  const columnsMax =
    (isBrief ? COLUMNS_BRIEF : COLUMNS_MAX) +
    (isSlab ? COLUMNS_OF_LABEL : 0) +
    (hasSpine ? COLUMNS_OF_SPINE : 0)
  const lines = [...ofCard, ...onLabel].filter(isLargeEnough)
  const wanted = isBrief ? rankBriefly(lines) : rankLines(lines)
  const read = readLines(recognizer, pyramid, wanted, {
    columnsMax,
    lesserMax: COLUMNS_ENOUGH,
    furtherMax: isBrief ? 0 : COLUMNS_FURTHER,
    isNameNeeded: detail === 'all',
  })
  return read.map(({ reading, line: { kind, box, heightPx } }) => ({
    ...reading,
    kind,
    box,
    heightPx,
  }))
}

/** Ratio of width to height of a card, and the one below which its corners leave out a part: steep photos reach 0.67. */
const [CARD_RATIO, NARROW_MAX] = [63 / 88, 0.66]
/** The sides of windows are multiples of this. */
const SIDE_STEP = 32

/** Returns the whole card, with what corners may leave out at its sides: a dark band there looks like the background. */
function cardWindow(card: Quad, detail: TextDetail): Window {
  if (detail === 'brief') return BRIEF
  if (detail === 'certain') return CERTAIN
  const { top, right, bottom, left } = sideLengths(card)
  const ratio = (top + bottom) / (left + right)
  if (ratio >= NARROW_MAX) return CARD
  const missing = Math.min(CARD_RATIO / ratio, MISSING_MAX) - 1
  const share = 1 + 2 * missing
  const { height } = CARD.size
  const width = Math.ceil((height * ratio * share) / SIDE_STEP) * SIDE_STEP
  return { region: { left: -missing, top: 0, width: share, height: 1 }, size: { width, height } }
}

/** Maximum width of a card whose corners are narrow, relative to them. As much is added at both sides: one is missing. */
const MISSING_MAX = 1.35

type LineInPhoto = PlacedLine & LinePlace

/** Detects lines in a rectified picture of the card or its label. */
function detectInWindow(
  textDetector: Network,
  pyramid: ImagePyramid,
  card: Quad,
  window: Window,
): LineInPhoto[] {
  const { width, height } = window.size
  const view = projectQuad(unitSquareTo(card), rectangleQuad(window.region))
  // At a steep angle the label would be beyond the horizon.
  if (!isConvex(signedArea(card) < 0 ? mirrorQuad(view) : view)) return []
  const toPhoto = frameToPhoto(view, { width, height, margin: 0 })
  return detectText(textDetector, rectifyGray(pyramid, view, width, height)).map((line) => ({
    ...line,
    toPhoto,
    heightPx: lineHeight(projectQuad(toPhoto, line.quad)),
    box: relativeBox(line, window),
  }))
}

/** Returns a line as it lies upside down. */
function turnUpsideDown(line: LineInPhoto): LineInPhoto {
  const { left, top, right, bottom } = line.box
  return {
    ...line,
    quad: turnText(line.quad),
    box: { left: 1 - right, top: 1 - bottom, right: 1 - left, bottom: 1 - top },
  }
}

function relativeBox({ quad }: DetectedText, { region, size }: Window) {
  const across = quad.map(({ x }) => region.left + (x / size.width) * region.width)
  const down = quad.map(({ y }) => region.top + (y / size.height) * region.height)
  return {
    left: Math.min(...across),
    top: Math.min(...down),
    right: Math.max(...across),
    bottom: Math.max(...down),
  }
}

function isUpright({ isSideways }: DetectedText): boolean {
  return isSideways !== true
}

/** Minimum height of a line that can be read, in pixels of the photo. */
const HEIGHT_MIN = 6

function isLargeEnough({ heightPx }: LineInPhoto): boolean {
  return heightPx >= HEIGHT_MIN
}

/** Returns the height of a line, perpendicular to its slope. */
function lineHeight(quad: Quad): number {
  const { top, bottom } = sideLengths(quad)
  return Math.abs(signedArea(quad)) / ((top + bottom) / 2)
}
