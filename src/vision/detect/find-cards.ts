// Finds every card of a photo of many: binder pages, rows, fans.
import { PAGE_CARDS_MAX } from '#rules/photos/page-cut.ts'
import { isPhotoKind, type PhotoKind } from '#rules/photos/photo-reading.ts'
import {
  type ImagePyramid,
  type Point,
  type Quad,
  type Region,
  signedArea,
  toPortrait,
} from '../image/rectify.ts'
import type { Network } from '../runtime/model.ts'
import { type Detection, detectRegion, listTiles } from './detect-cards.ts'
import { coveredShare, intersectionOverUnion } from './overlap.ts'
import { centerOf, listFanSteps, listNeighborQuads, listStackedQuads } from './predict-quads.ts'
import { refineCorners } from './refine-corners.ts'

/** A card of a page. */
export type DetectedCard = {
  kind: PhotoKind
  quad: Quad
  /** Confidence of its corners, 0 to 1. */
  confidence: number
  /** Cosine to the nearest picture of the index; 0 without an index. */
  similarity: number
}

export type CardFinder = {
  detector: Network
  refiner: Network
  /** Compares a quad with the pictures of the index, in the better of both ways up. */
  compare: (quad: Quad) => Resemblance
}

export type Resemblance = {
  /** Cosine to the nearest picture; 0 without an index. */
  similarity: number
  /** Lead over pictures of other cards. */
  lead: number
}

/** Cosine above which a quad shows the card that it resembles, however its corners look. */
export const SURE_SIMILARITY = 0.75
/** Least confidence of corners, with and without a similar picture. */
const CORNERS_MIN = 0.8
const CORNERS_ALONE_MIN = 0.97
/** Least score of a detection without a similar picture. */
const SCORE_ALONE_MIN = 0.5
/** A quad that found cards cover by more than this shows nothing else. */
const COVERED_MAX = 0.72
/** Least area of a card, as a share of the median: smaller quads are parts of cards. */
const AREA_MIN = 0.45
const AREA_MAX = 2.2

/**
 * Finds the cards of a photo. Many quads are proposed, and those that resemble a picture of the index are trusted
 * first: a quad between two cards resembles none. Then cards are searched where the found ones suggest them.
 */
export function findCards(finder: CardFinder, pyramid: ImagePyramid): DetectedCard[] {
  const proposals = proposeQuads(finder.detector, pyramid)
  const found: DetectedCard[] = []
  const weak: DetectedCard[] = []
  for (const { quad, kind, score } of proposals) {
    if (found.length >= PAGE_CARDS_MAX) break
    if (coveredShare(quad, quadsOf(found)) > COVERED_MAX) continue
    const refined = refineCorners(finder.refiner, pyramid, toPortrait(quad))
    if (refined.confidence < CORNERS_MIN || kind === 'back') continue
    const card = { kind: isPhotoKind(kind) ? kind : 'raw', ...refined }
    const { similarity } = finder.compare(refined.quad)
    const list = similarity >= SURE_SIMILARITY ? found : weak
    if (list === weak && (refined.confidence < CORNERS_ALONE_MIN || score < SCORE_ALONE_MIN))
      continue
    add(list, { ...card, similarity })
  }
  extendRows(finder, pyramid, found, proposals)
  if (isFan(found, proposals)) extendFan(finder, pyramid, found)
  // In a fan, a quad that resembles no picture lies across two cards.
  const others = listFanSteps(quadsOf(found)).length > 0 ? [] : weak
  for (const card of others.toSorted((one, other) => other.confidence - one.confidence)) {
    const isApart = coveredShare(card.quad, quadsOf(found)) < WEAK_COVERED_MAX
    if (isApart && hasUsualSize(card, found)) add(found, card)
  }
  return found.filter((card) => hasUsualSize(card, found)).slice(0, PAGE_CARDS_MAX)
}

/** A card that resembles no picture may be covered by others this much. */
const WEAK_COVERED_MAX = 0.2
/** Quads with more intersection over union show the same card. */
const SAME_CARD = 0.55

const quadsOf = (cards: readonly DetectedCard[]) => cards.map(({ quad }) => quad)

/** Adds a card, unless a more similar one is in its place. */
function add(cards: DetectedCard[], card: DetectedCard): boolean {
  const at = cards.findIndex(({ quad }) => intersectionOverUnion(quad, card.quad) > SAME_CARD)
  const known = cards[at]
  if (known === undefined) return cards.push(card) > 0
  if (known.similarity < card.similarity) cards[at] = card
  return false
}

/** Compares the area with the median: cards of one photo are about equally large. */
function hasUsualSize({ quad }: DetectedCard, cards: readonly DetectedCard[]): boolean {
  const areas = cards.map((card) => Math.abs(signedArea(card.quad))).toSorted((a, b) => a - b)
  const median = areas[Math.floor(areas.length / 2)]
  if (median === undefined) return true
  const share = Math.abs(signedArea(quad)) / median
  return share >= AREA_MIN && share <= AREA_MAX
}

/** Returns detections of the whole photo in four rotations, then of the part with cards, best first. */
function proposeQuads(detector: Network, pyramid: ImagePyramid): Detection[] {
  const whole = { left: 0, top: 0, ...sizeOf(pyramid) }
  const turned = TURNS.map((turns) => detectRegion(detector, pyramid, whole, turns))
  const all = turned.flat()
  if (all.length === 0) return []
  const best = TURNS[indexOfMax(turned.map(sumOfScores))] ?? 0
  const part = enclose(all, whole)
  const isSmall = Math.max(part.width, part.height) < ZOOM_MAX * Math.max(whole.width, whole.height)
  const zoomed = isSmall
    ? TURNS.flatMap((turns) => detectRegion(detector, pyramid, part, turns))
    : []
  const tiled = listTiles(part).flatMap((tile) => detectRegion(detector, pyramid, tile, best))
  return [...all, ...zoomed, ...tiled].toSorted((one, other) => other.score - one.score)
}

const TURNS = [0, 1, 2, 3] as const
/** Cards in a smaller part of the photo are detected again there, where they are larger. */
const ZOOM_MAX = 0.75
/** Room around that part, as a share of its longer side. */
const ZOOM_MARGIN = 0.1

const sumOfScores = (detections: readonly Detection[]) =>
  detections.reduce((sum, { score }) => sum + score, 0)

const indexOfMax = (values: readonly number[]) => values.indexOf(Math.max(...values))

function sizeOf(pyramid: ImagePyramid) {
  const { width, height } = pyramid(0)
  return { width, height }
}

/** Returns the part of the photo that encloses all detections. */
function enclose(detections: readonly Detection[], whole: Region): Region {
  const corners = detections.flatMap(({ quad }) => quad)
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  const margin = ZOOM_MARGIN * Math.max(right - left, bottom - top)
  const from = { left: Math.max(0, left - margin), top: Math.max(0, top - margin) }
  return {
    ...from,
    width: Math.min(whole.width, right + margin) - from.left,
    height: Math.min(whole.height, bottom + margin) - from.top,
  }
}

/** Returns whether a quad lies in the photo, at a place that no found card takes. */
function isFree(quad: Quad, pyramid: ImagePyramid, found: readonly DetectedCard[]): boolean {
  const { width, height } = sizeOf(pyramid)
  return (
    quad.every(({ x, y }) => x >= 0 && y >= 0 && x <= width && y <= height) &&
    coveredShare(quad, quadsOf(found)) <= COVERED_MAX
  )
}

/**
 * Searches cards beside those of a row or a page, in the part of the photo that has proposals. Cards that this finds are
 * searched around, too.
 */
function extendRows(
  { refiner, compare }: CardFinder,
  pyramid: ImagePyramid,
  found: DetectedCard[],
  proposals: readonly Detection[],
): void {
  const part = enclose(proposals, { left: 0, top: 0, ...sizeOf(pyramid) })
  for (const card of found) {
    for (const quad of listNeighborQuads(card.quad, quadsOf(found))) {
      const isPlausible = isInside(centerOf(quad), part) && isFree(quad, pyramid, found)
      if (found.length >= PAGE_CARDS_MAX || !isPlausible) continue
      const refined = refineCorners(refiner, pyramid, quad)
      if (refined.confidence < CORNERS_MIN) continue
      const { similarity } = compare(refined.quad)
      if (similarity >= SURE_SIMILARITY) add(found, { kind: card.kind, ...refined, similarity })
    }
  }
}

function isInside({ x, y }: Point, { left, top, width, height }: Region): boolean {
  return x >= left && y >= top && x <= left + width && y <= top + height
}

/** Returns whether cards overlap, or so few were found that the others may be covered. */
function isFan(found: readonly DetectedCard[], proposals: readonly Detection[]): boolean {
  if (found.length > 0 && found.length <= FAN_SEED_MAX) return proposals.length >= FAN_PROPOSALS_MIN
  return found.length <= FAN_MAX && listFanSteps(quadsOf(found)).length > 0
}

const FAN_SEED_MAX = 2
const FAN_PROPOSALS_MIN = 4
const FAN_MAX = 12

/**
 * Searches cards that found ones cover in part: at the steps that found cards show, or at all if none do. A corner that
 * is covered cannot be refined, so the picture alone decides.
 */
function extendFan(
  { refiner, compare }: CardFinder,
  pyramid: ImagePyramid,
  found: DetectedCard[],
): void {
  for (const card of found) {
    for (const quads of listStackedQuads(card.quad, listFanSteps(quadsOf(found)))) {
      if (found.length >= PAGE_CARDS_MAX) return
      const scored = quads
        .filter((quad) => isFree(quad, pyramid, found))
        .map((quad) => ({ quad, confidence: card.confidence, ...compare(quad) }))
      const best = scored.toSorted((one, other) => other.similarity - one.similarity)[0]
      if (best === undefined || !isConvincing(best)) continue
      const refined = refineCorners(refiner, pyramid, best.quad)
      const { similarity } = compare(refined.quad)
      const better = similarity > best.similarity ? { ...best, ...refined, similarity } : best
      const { quad, confidence } = better
      add(found, { kind: 'raw', quad, confidence, similarity: better.similarity })
    }
  }
}

/** Other places of a photo have a similarity of up to 0.78, with a lead of up to 0.28. */
function isConvincing({ similarity, lead }: Resemblance): boolean {
  return similarity >= 0.85 || (similarity >= SURE_SIMILARITY && lead >= 0.24)
}
