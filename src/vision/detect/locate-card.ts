// Locates the card of a photo, and other places where it may be.
import { isPhotoKind } from '#rules/photos/photo-reading.ts'
import { type ImagePyramid, type Quad, sideLengths, toPortrait } from '../image/rectify.ts'
import type { Network } from '../runtime/model.ts'
import {
  chooseSubject,
  type Detection,
  detectCards,
  detectInTiles,
  detectRegion,
  type Subject,
} from './detect-cards.ts'
import { intersectionOverUnion } from './overlap.ts'
import {
  completeQuad,
  completeSquarer,
  FROM_TOP,
  listCompletions,
  ofUpright,
  type QuadCompletion,
} from './predict-quads.ts'
import { sizeOf } from './propose-quads.ts'
import { type RefinedCorners, type RefinedQuad, refineCorners } from './refine-corners.ts'
import { proposeByText } from './text-box.ts'

export type LocatedCard = {
  detection: Pick<Subject, 'kind'>
  refined: RefinedQuad
  items: number
  /** Corners before they were refined; undefined if the place was known. */
  coarse?: Quad
}

type Locators = Record<'detector' | 'refiner' | 'pageRefiner' | 'textDetector', Network>

/** Minimum confidence of the corners. Below it, further attempts follow. Correct corners have at least 0.98. */
const CORNERS_MIN = 0.95

/**
 * Locates the card. Below the minimum confidence it retries with the rotated photo, because the detector may
 * fail for one rotation only. Then it retries with tiles, in which small cards are larger.
 *
 * @param mark records the time of a step
 */
export function locateCard(
  { detector, refiner }: Pick<Locators, 'detector' | 'refiner'>,
  pyramid: ImagePyramid,
  mark: (stage: string) => void,
): LocatedCard | undefined {
  const first = detectCards(detector, pyramid)
  mark('detect')
  let card = refineSubject(refiner, pyramid, first)
  mark('refine')
  const attempts = [
    ...[1, 2, 3].map((turns) => () => detectCards(detector, pyramid, turns)),
    () => detectInTiles(detector, pyramid, first),
  ]
  for (const attempt of attempts) {
    if (card !== undefined && card.refined.confidence >= CORNERS_MIN) break
    card = moreConfident(card, refineSubject(refiner, pyramid, attempt()))
    mark('retry')
  }
  return card
}

/** Maximum number of other places. Each takes about 50 ms to be refined and compared. */
const PLACES_MAX = 10
/** Number of proposals of the detector that are refined for them. */
const PROPOSALS_MAX = 5
/** Places with more intersection over union are one place, and proposals in several rotations are one proposal. */
const [SAME_PLACE, SAME_PROPOSAL] = [0.95, 0.8]
/** Ratios of width to height between which a quad has the shape of a card that is seen from above. */
const [RATIO_MIN, RATIO_MAX] = [0.63, 0.81]
/** Confidence of four visible corners at which the card is where both refiners see it, as on pages. */
const CORNERS_SURE = 0.97
/** Share of the confidence that is left if two of the four corners are predicted. */
const CONFIDENCE_KEPT = 0.75
/** Minimum confidence of both corners of a side from which a card is completed. */
const CORNER_VISIBLE = 0.3
/** Minimum confidence of the second best corner after the first pass: a proposal with less shows no card. */
const HOPELESS = 0.1

/**
 * Yields other places where the card may be, likeliest first. Fingers hide corners, so the refiner for pages is asked,
 * which derives covered corners from visible ones, and corners are predicted from those of one side. The place of the
 * card comes first, then that of the text, then the proposals of the detector in all rotations. If this refiner is sure
 * of the same four corners, which have the shape of a card, they are right.
 */
export function* locateElsewhere(
  networks: Locators,
  pyramid: ImagePyramid,
  card: LocatedCard | undefined,
): Generator<LocatedCard> {
  const tried = card === undefined ? [] : [card.refined.quad]
  let places = 0
  for (const place of proposePlaces(networks, pyramid, card)) {
    const { quad, confidence } = place.refined
    const isTried = (one: Quad) => intersectionOverUnion(one, quad) > SAME_PLACE
    const isSure = confidence >= CORNERS_SURE && isCardShaped(quad)
    if (isSure && card !== undefined && isTried(card.refined.quad)) return
    if (confidence === 0 || tried.some(isTried)) continue
    yield { ...place, items: card?.items ?? 1 }
    tried.push(quad)
    if (++places === PLACES_MAX) return
  }
}

function isCardShaped(quad: Quad): boolean {
  const { top, right, bottom, left } = sideLengths(quad)
  const ratio = (top + bottom) / (left + right)
  return ratio > RATIO_MIN && ratio < RATIO_MAX
}

type ProposedPlace = Omit<LocatedCard, 'items'>

function* proposePlaces(
  networks: Locators,
  pyramid: ImagePyramid,
  card: LocatedCard | undefined,
): Generator<ProposedPlace> {
  const refine = (network: Network, coarse: Quad, kind: Subject['kind'], hopeless = 0) => ({
    detection: { kind },
    refined: refineCorners(network, pyramid, coarse, hopeless),
  })
  const { refiner, pageRefiner } = networks
  /**
   * Yields a card completed from each side that is visible: from its corners as the refiner sees them once the quad has
   * the size of a card, then as they were found. The other corners of the refiner are guesses below fingers.
   */
  function* complete({ detection: { kind }, refined }: ProposedPlace): Generator<ProposedPlace> {
    const detection = { kind }
    const confidence = refined.confidence * CONFIDENCE_KEPT
    // Proposals without corners are dropped.
    if (confidence === 0) return
    const found: Quad[] = []
    for (const completion of listCompletions(refined.quad)) {
      const quad = completeQuad(refined.quad, completion)
      const place = refine(pageRefiner, quad, kind, HOPELESS)
      const completed = completeVisible(place.refined, ofUpright(completion))
      if (completed === undefined) continue
      yield { detection, refined: completed }
      found.push(quad)
    }
    for (const quad of found) yield { detection, refined: { confidence, quad } }
  }
  if (card?.coarse !== undefined) yield refine(pageRefiner, card.coarse, card.detection.kind)
  const byText = proposeByText(networks.textDetector, pyramid)
  if (byText !== undefined) {
    const place = refine(pageRefiner, byText, card?.detection.kind ?? 'raw', HOPELESS)
    yield place
    const completed = completeVisible(place.refined, FROM_TOP)
    if (completed !== undefined) yield { ...place, refined: completed }
  }
  if (card?.coarse !== undefined) yield* complete(card)
  const proposals = proposeInAllRotations(networks.detector, pyramid)
  for (const { quad, kind } of proposals) yield refine(pageRefiner, quad, kind, HOPELESS)
  for (const { quad, kind } of proposals) {
    const place = refine(refiner, quad, kind, HOPELESS)
    yield place
    yield* complete(place)
  }
}

/** Returns a card completed from one of its sides, unless the corners of this side are hidden as well. */
function completeVisible(
  { quad, corners }: RefinedCorners,
  completion: QuadCompletion,
): RefinedQuad | undefined {
  const { side } = completion
  const visible = Math.min(corners[side] ?? 0, corners[(side + 1) % 4] ?? 0)
  if (visible < CORNER_VISIBLE) return undefined
  return { quad: completeSquarer(quad, completion), confidence: visible * CONFIDENCE_KEPT }
}

/** Returns the best proposals of the detector in all rotations, each place once: as a face if any rotation shows one. */
function proposeInAllRotations(
  detector: Network,
  pyramid: ImagePyramid,
): { quad: Quad; kind: Subject['kind'] }[] {
  const whole = { left: 0, top: 0, ...sizeOf(pyramid) }
  const proposals = [0, 1, 2, 3]
    .flatMap((turns) => detectRegion(detector, pyramid, whole, turns))
    .toSorted((one, other) => other.score - one.score)
  const kept: { quad: Quad; kind: Subject['kind'] }[] = []
  for (const { quad, kind: detected } of proposals) {
    const kind = isPhotoKind(detected) ? detected : 'raw'
    const same = kept.find((one) => intersectionOverUnion(one.quad, quad) > SAME_PROPOSAL)
    if (same === undefined) kept.push({ quad, kind })
    else if (same.kind === 'back') same.kind = kind
  }
  return kept.slice(0, PROPOSALS_MAX).map(({ quad, kind }) => ({ quad: toPortrait(quad), kind }))
}

function moreConfident(
  one: LocatedCard | undefined,
  other: LocatedCard | undefined,
): LocatedCard | undefined {
  if (one === undefined || other === undefined) return one ?? other
  // The detector may take a face for a back in another rotation, just as beside a face in the same rotation.
  const areBacks = [one, other].map(({ detection }) => detection.kind === 'back')
  if (areBacks[0] !== areBacks[1]) return areBacks[0] ? other : one
  return other.refined.confidence > one.refined.confidence ? other : one
}

function refineSubject(
  refiner: Network,
  pyramid: ImagePyramid,
  detections: readonly Detection[],
): LocatedCard | undefined {
  const { chosen, items } = chooseSubject(detections, pyramid(0))
  if (chosen === undefined) return undefined
  const coarse = toPortrait(chosen.quad)
  return { detection: chosen, refined: refineCorners(refiner, pyramid, coarse), items, coarse }
}
