// Chooses the cards among places that may show a card. Many places show the same card, or a gap between cards.
import type { PhotoKind } from '#rules/photos/photo-reading.ts'
import { isWithin, type Point, type Quad, sideLengths, signedArea } from '../image/rectify.ts'
import { coveredShare, intersectionOverUnion } from './overlap.ts'
import { centerOf } from './predict-quads.ts'
import type { RefinedCorners } from './refine-corners.ts'

/** A place that may show a card. */
export type Place = RefinedCorners & { kind: PhotoKind }

/** Returns the cosine of a card, without its covered part, to the nearest picture; 0 without an index. */
export type Resemble = (quad: Quad, covers: readonly Quad[]) => number

/** Compares each quad only once with the same covers. */
export function cacheSimilarity(resemble: Resemble): Resemble {
  const known = new Map<Quad, { covers: ReadonlySet<Quad>; similarity: number }[]>()
  return (quad, covers) => {
    const ofQuad = known.get(quad) ?? []
    known.set(quad, ofQuad)
    const set = new Set(covers)
    const before = ofQuad.find((one) => one.covers.symmetricDifference(set).size === 0)
    if (before !== undefined) return before.similarity
    const similarity = resemble(quad, covers)
    ofQuad.push({ covers: set, similarity })
    return similarity
  }
}

/** Minimum mean confidence of the visible corners at which a place is a card, even if it resembles no picture. */
const CONFIDENCE_ALONE_MIN = 0.97
/**
 * Minimum mean confidence of the visible corners, and minimum sum of this mean and the cosine to the nearest picture.
 */
const CONFIDENCE_MIN = 0.7
const EVIDENCE_MIN = 1.5
/** Minimum sum for a covered card. It is lower, because a covered card must lie at the edge of another one. */
const EVIDENCE_COVERED_MIN = 1.45
/** Quads with more intersection over union show the same card. */
const SAME_CARD = 0.55
/** Minimum confidence at which a corner belongs to a single card. */
const VISIBLE_CORNER = 0.7
/** Corners that are closer than this, as a share of a card's side, are one corner. */
const SAME_CORNER = 0.06
/** Maximum ratio of the sides of neighboring cards, and the cosine to a picture above which they may differ more. */
const SIDES_RATIO_MAX = 1.18
const SIMILAR_MIN = 0.8
/** A card that others cover by more than this cannot be recognized. */
const COVERED_MAX = 0.72
/**
 * Chooses places that can be cards of one photo together. A place is dropped if more cards fit without it: corners of
 * several cards can look like those of one.
 */
export function chooseCards(places: readonly Place[], max: number, resemble: Resemble): Place[] {
  let [rest, cards] = [places, chooseGreedily(places, max, resemble)]
  for (const card of cards.filter((one) => mayBeSeveral(one, places, cards))) {
    const others = rest.filter((place) => !areSameCard(place, card))
    const without = chooseGreedily(others, max, resemble)
    if (without.length > cards.length) [rest, cards] = [others, without]
  }
  return cards
}

/** Returns true if choosing this card would exclude at least two other clearly visible cards. */
function mayBeSeveral(card: Place, places: readonly Place[], cards: readonly Place[]): boolean {
  const excluded = places.filter(
    (place) =>
      uncoveredConfidence(place, []) >= CONFIDENCE_MIN &&
      intersectionOverUnion(place.quad, card.quad) > OVERLAP_MIN &&
      !cards.some((other) => areSameCard(place, other)),
  )
  return excluded.length > 1
}

/**
 * Chooses one place after another. Places with four sure corners come first, then those that resemble a picture,
 * which a gap between cards does not. Covered cards follow, from the top of a fan downwards.
 */
function chooseGreedily(places: readonly Place[], max: number, resemble: Resemble): Place[] {
  const evidence = (place: Place, covers: readonly Quad[]) => {
    const confidence = uncoveredConfidence(place, covers)
    // Ranks above all sums, so that places with clear corners need no comparison with pictures.
    if (confidence >= CONFIDENCE_ALONE_MIN) return 2 + confidence
    return confidence < CONFIDENCE_MIN ? 0 : confidence + resemble(place.quad, covers)
  }
  const ranked = places
    .map((place) => ({ place, rank: evidence(place, []) }))
    .filter(({ rank }) => rank >= EVIDENCE_MIN)
    .toSorted((one, other) => other.rank - one.rank)
  const cards: Place[] = []
  for (const { place } of ranked) if (canLieWith(place, cards, resemble)) cards.push(place)
  while (cards.length < max) {
    const covered = places.filter((place) => {
      if (cards.includes(place) || !canLieWith(place, cards, resemble)) return false
      const covers = coversOf(place, cards)
      return covers.length > 0 && evidence(place, covers) >= EVIDENCE_COVERED_MIN
    })
    const next = maxBy(covered, (place) => uncoveredConfidence(place, coversOf(place, cards)))
    if (next === undefined) break
    cards.push(next)
  }
  return cards.slice(0, max)
}

/** Returns true if all corners are so clear that a place is a card, even if it resembles no picture. */
export function isSure(place: Place): boolean {
  return uncoveredConfidence(place, []) >= CONFIDENCE_ALONE_MIN
}

function maxBy<T>(items: readonly T[], rank: (item: T) => number): T | undefined {
  let best: { item: T; value: number } | undefined
  for (const item of items) {
    const value = rank(item)
    if (best === undefined || value > best.value) best = { item, value }
  }
  return best?.item
}

/** Returns the mean confidence of the uncovered corners; 0 if there are fewer than two. */
export function uncoveredConfidence(place: Place, covers: readonly Quad[]): number {
  const open = uncoveredConfidences(place, covers)
  if (place.confidence === 0 || open.length < 2) return 0
  return open.reduce((sum, mass) => sum + mass, 0) / open.length
}

/** Returns the confidence of each uncovered corner. */
function uncoveredConfidences({ quad, corners }: Place, covers: readonly Quad[]): number[] {
  const center = centerOf(quad)
  return corners.filter((mass, index) => {
    const inset = INSET + INSET_UNSEEN * (1 - mass)
    const point = towards(quad[index] ?? NOWHERE, center, inset)
    return !covers.some((cover) => isWithin(cover, point))
  })
}

/** Returns points slightly within the corners: those of stacked cards lie on each other's edges. */
function insetCorners(quad: Quad): Point[] {
  const center = centerOf(quad)
  return quad.map((corner) => towards(corner, center, INSET))
}

function towards({ x, y }: Point, to: Point, share: number): Point {
  return { x: x + share * (to.x - x), y: y + share * (to.y - y) }
}

const INSET = 0.06
/** Additional inset for a corner that is not seen: it is covered by cards, and its position is less certain. */
const INSET_UNSEEN = 0.05

const NOWHERE: Point = { x: Number.NaN, y: Number.NaN }

/** Returns true if a place can be a card, given the cards that were chosen before. */
function canLieWith(place: Place, cards: readonly Place[], resemble: Resemble): boolean {
  return (
    cards.every((card) => !areSameCard(place, card) && !shareCorner(place, card)) &&
    (hasUsualSides(place, cards) || (isSure(place) && resemble(place.quad, []) >= SIMILAR_MIN)) &&
    coveredShare(place.quad, coversOf(place, cards)) <= COVERED_MAX
  )
}

export function areSameCard(one: Pick<Place, 'quad'>, other: Pick<Place, 'quad'>): boolean {
  return intersectionOverUnion(one.quad, other.quad) > SAME_CARD
}

/**
 * Returns true if two places have the same visible corner. The larger place then ends at the corner of another card.
 */
function shareCorner(one: Place, other: Place): boolean {
  const reach = SAME_CORNER * Math.sqrt(Math.abs(signedArea(other.quad)))
  return visibleCorners(one).some((own) =>
    visibleCorners(other).some(
      (theirs) =>
        distance(own.at, theirs.at) < reach &&
        own.inward.x * theirs.inward.x + own.inward.y * theirs.inward.y > 0.5,
    ),
  )
}

/** Returns the visible corners of a place, each with the direction to its middle. */
function visibleCorners({ quad, corners }: Place): { at: Point; inward: Point }[] {
  const center = centerOf(quad)
  return quad.flatMap((at, index) => {
    if ((corners[index] ?? 0) < VISIBLE_CORNER) return []
    const length = distance(at, center)
    return [{ at, inward: { x: (center.x - at.x) / length, y: (center.y - at.y) / length } }]
  })
}

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y)

/** Returns true if the sides of a place are about as long as those of the nearest card. */
function hasUsualSides({ quad }: Place, cards: readonly Place[]): boolean {
  const center = centerOf(quad)
  const nearest = maxBy(cards, (card) => -distance(centerOf(card.quad), center))
  if (nearest === undefined) return true
  const [own, theirs] = [sidesOf(quad), sidesOf(nearest.quad)]
  return [own.across / theirs.across, own.down / theirs.down].every(
    (ratio) => ratio < SIDES_RATIO_MAX && ratio > 1 / SIDES_RATIO_MAX,
  )
}

function sidesOf(quad: Quad): { across: number; down: number } {
  const { top, right, bottom, left } = sideLengths(quad)
  return { across: (top + bottom) / 2, down: (left + right) / 2 }
}

/** Returns the quads of the cards that lie over a place. */
export function coversOf(place: Place, cards: readonly Place[]): Quad[] {
  return cards.filter((card) => card !== place && liesOver(card, place)).map(({ quad }) => quad)
}

/**
 * Returns true if a card lies over another: in their overlap, its corners are visible, and more clearly than those of
 * the other card.
 */
function liesOver(one: Place, other: Place): boolean {
  if (intersectionOverUnion(one.quad, other.quad) < OVERLAP_MIN) return false
  const visibility = visibilityIn(one, other)
  return visibility >= OVER_MIN && visibility > visibilityIn(other, one)
}

/**
 * Minimum visibility of the upper card's corners. If two places hide corners of each other, one of them is not a
 * card.
 */
const OVER_MIN = 0.3

/** Minimum overlap, because a smaller overlap may be an error of the corners. */
const OVERLAP_MIN = 0.01

/**
 * Returns the confidence of the corners of a place that lie inside the quad of another one; the overall confidence if
 * none lies inside.
 */
function visibilityIn({ quad, corners, confidence }: Place, other: Place): number {
  const points = insetCorners(quad)
  const inside = corners.filter((_, index) => isWithin(other.quad, points[index] ?? NOWHERE))
  return inside.length === 0
    ? confidence
    : inside.reduce((sum, mass) => sum + mass, 0) / inside.length
}
