// What is printed on a card, line by line, and on the label of the slab that it lies in.
import { isAtEdge, type PrintedLine } from '#rules/photos/text-line.ts'
import {
  frameToPhoto,
  type Homography,
  type ImagePyramid,
  isConvex,
  projectQuad,
  type Quad,
  sideLengths,
  signedArea,
  unitSquareTo,
} from '../image/rectify.ts'
import type { CardObservation } from '../pipeline.ts'
import { isOrientationCertain } from '../retrieval/rerank.ts'
import type { VectorHit } from '../retrieval/vector-search.ts'
import type { Network } from '../runtime/model.ts'
import { cropLine, lineFormat, normaliseLine } from './crop-line.ts'
import { type DetectedLine, detectLines, type GreyImage, rectifyGrey } from './detect-lines.ts'
import { batchWidth, recogniseLines } from './recognise.ts'

export type OcrNetworks = { lines: Network; recogniser: Network }

/** In shares of the card's width and height, from its top left corner. */
type Window = { left: number; top: number; width: number; height: number }

const CARD: Window = { left: 0, top: 0, width: 1, height: 1 }
/** A slab is wider than its card, and its label stands above; as tall as the network's picture makes it. */
const LABEL: Window = { left: -0.07, top: -0.35, width: 1.14, height: 1.166 }

/** Print that is read the wrong way up comes out as letters that nobody is sure of. */
const SURE_LINE = 0.5

/**
 * What is printed on a photo's card, the right way up: as its picture lies where that is known, else as
 * more can be read.
 */
export function readUpright(
  observation: Pick<CardObservation, 'orientations' | 'readText'>,
  vectorHit: readonly VectorHit[],
): PrintedLine[] {
  if (observation.orientations === 0) return []
  if (isOrientationCertain(vectorHit)) return observation.readText(vectorHit[0]?.queryIndex ?? 0)
  const lines = observation.readText(0)
  if (charactersIn(lines) >= CHARACTERS_ENOUGH) return lines
  const others = observation.readText(1)
  return charactersIn(others) > charactersIn(lines) ? others : lines
}

/** More than a card shows upside down. */
const CHARACTERS_ENOUGH = 12

/** That were surely read. */
function charactersIn(lines: readonly PrintedLine[]): number {
  return lines.reduce(
    (sum, { text, confidence }) => sum + (confidence >= SURE_LINE ? text.length : 0),
    0,
  )
}

const LINES_MAX = 40
/** Time is in the columns that are read: these are three of the longest lines, or a dozen names. */
const COLUMNS_MAX = 1200
/** And half as much again for a label, which has more to say than most cards. */
const COLUMNS_OF_LABEL = 600
/** What is neither sought nor at an edge nor a title is read only while this little was. */
const COLUMNS_ENOUGH = 700

/** @param quad of the card itself, in pixels of the photo */
export function readText(
  networks: OcrNetworks,
  imagePyramid: ImagePyramid,
  quad: Quad,
  isSlab: boolean,
): PrintedLine[] {
  const onCard = detectInWindow(networks.lines, imagePyramid, quad, CARD)
  const onSlab = isSlab ? detectInWindow(networks.lines, imagePyramid, quad, LABEL) : []
  // What of the card is seen beside the label was seen better before.
  const onLabel = onSlab.filter(isOnLabel)
  const most = COLUMNS_MAX + (isSlab ? COLUMNS_OF_LABEL : 0)
  const chosen = worthReading(networks.recogniser, imagePyramid, [...onCard, ...onLabel], most)
  const readings = recogniseLines(
    networks.recogniser,
    chosen.map(({ cut }) => cut),
  )
  return readings.flatMap((reading, index) => {
    const placedLine = chosen[index]?.place
    if (placedLine === undefined) return []
    const { kind, box, heightPx } = placedLine
    return { ...reading, kind, box, heightPx }
  })
}

type PlacedLine = Pick<PrintedLine, 'kind' | 'box' | 'heightPx'> & {
  /** In pixels of the straight picture that it was found in. */
  quad: Quad
  toPhoto: Homography
}

/** The lines in one straight picture of the card or its label. */
function detectInWindow(
  lines: Network,
  imagePyramid: ImagePyramid,
  card: Quad,
  window: Window,
): PlacedLine[] {
  const [height, width] = lines.input
  const { left, top } = window
  const [right, bottom] = [left + window.width, top + window.height]
  const view = projectQuad(unitSquareTo(card), [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ])
  // Above a card that is seen very much askew lies the horizon.
  if (!isConvex(view)) return []
  const toPhoto = frameToPhoto(view, { width, height, margin: 0 })
  return detectLines(lines, rectifyGrey(imagePyramid, view, width, height)).map((line) => ({
    ...line,
    toPhoto,
    heightPx: heightOf(projectQuad(toPhoto, line.quad)),
    box: boxOf(line, window, width, height),
  }))
}

function boxOf({ quad }: DetectedLine, window: Window, width: number, height: number) {
  const across = quad.map(({ x }) => window.left + (x / width) * window.width)
  const down = quad.map(({ y }) => window.top + (y / height) * window.height)
  return {
    left: Math.min(...across),
    top: Math.min(...down),
    right: Math.max(...across),
    bottom: Math.max(...down),
  }
}

/** Across the line, whatever its slope. */
function heightOf(quad: Quad): number {
  const { top, bottom } = sideLengths(quad)
  return Math.abs(signedArea(quad)) / ((top + bottom) / 2)
}

function isSought({ kind }: PlacedLine): boolean {
  return kind === 'name' || kind === 'number'
}

/** The largest words are a title, wherever they stand. */
const TITLES = 3
/** Fewer letters are a cost or a power. */
const TITLE_LENGTH_MIN = 2.5

/** Its label stands above a card. */
function isOnLabel({ box }: PlacedLine): boolean {
  return box.top + box.bottom < 0
}

/** The rank of what is read last. */
const OTHERS = 2

/** What is read first: labels, names and numbers, then heads, feet and titles, then the rest. */
function ranksOf(places: readonly PlacedLine[]): Map<PlacedLine, number> {
  const titles = places
    .filter((placedLine) => lengthOf(placedLine) >= TITLE_LENGTH_MIN)
    .toSorted((one, other) => other.heightPx - one.heightPx)
    .slice(0, TITLES)
  const rankOf = (line: PlacedLine) => {
    if (isSought(line) || isOnLabel(line)) return 0
    return isAtEdge(line) || titles.includes(line) ? 1 : OTHERS
  }
  return new Map(places.map((place) => [place, rankOf(place)]))
}

/** How many times as long as it is high; roughly, where the card is not as wide as it is tall. */
function lengthOf({ box }: PlacedLine): number {
  return (box.right - box.left) / (box.bottom - box.top)
}

/** In their order, the shortest first: a stamp or a number is short, and rules take longest to read. */
function worthReading(
  recogniser: Network,
  imagePyramid: ImagePyramid,
  places: readonly PlacedLine[],
  most: number,
) {
  const form = lineFormat(recogniser)
  const ranks = ranksOf(places)
  const ordered = places.toSorted(
    (one, other) =>
      (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0) || lengthOf(one) - lengthOf(other),
  )
  const chosen: { place: PlacedLine; cut: GreyImage }[] = []
  let columns = 0
  for (const placedLine of ordered.slice(0, LINES_MAX)) {
    const cut = normaliseLine(
      cropLine(imagePyramid, placedLine.toPhoto, placedLine.quad, form),
      form,
    )
    columns += batchWidth(cut)
    if (columns > (ranks.get(placedLine) === OTHERS ? COLUMNS_ENOUGH : most)) break
    chosen.push({ place: placedLine, cut })
  }
  return chosen
}
