// Finds every card in a photo of several cards, such as a binder page, a row or a fan.
import { PAGE_CARDS_MAX } from '#rules/photos/page-cut.ts'
import { isPhotoKind, type PhotoKind } from '#rules/photos/photo-reading.ts'
import { type ImagePyramid, type Quad, type Region, toPortrait } from '../image/rectify.ts'
import type { Network } from '../runtime/model.ts'
import {
  areSameCard,
  chooseCards,
  coversOf,
  isSure,
  type Place,
  type Resemble,
  uncoveredConfidence,
} from './choose-cards.ts'
import type { Detection } from './detect-cards.ts'
import { coveredShare, intersectionOverUnion } from './overlap.ts'
import {
  centerOf,
  FAN_STEPS,
  listFanSteps,
  listNeighborQuads,
  listStackedQuads,
} from './predict-quads.ts'
import { encloseDetections, proposeMoreQuads, proposeQuads, sizeOf } from './propose-quads.ts'
import { refineCorners } from './refine-corners.ts'

/** A card that was detected in a photo of several cards. */
export type DetectedCard = {
  kind: PhotoKind
  quad: Quad
  /** Confidence of its corners that no other card covers, 0 to 1. */
  confidence: number
  /** Quads of the cards that lie over it. */
  covers: readonly Quad[]
}

export type CardFinder = { detector: Network; refiner: Network; resemble: Resemble }

/**
 * Finds the cards of a photo: refines proposals, chooses among them, and predicts further ones from those chosen.
 * Makes further proposals if the cards do not explain the first ones.
 */
export function findCards(
  { detector, refiner, resemble }: CardFinder,
  pyramid: ImagePyramid,
): DetectedCard[] {
  const proposals = proposeQuads(detector, pyramid)
  if (proposals.length === 0) return []
  const search = createSearch(refiner, pyramid, resemble)
  search.refineProposals(proposals)
  search.predict(proposals, beside)
  const mayHideCards = () => search.cards().length <= FEW && proposals.length >= PROPOSALS_OF_FAN
  if (search.isFan() || mayHideCards() || proposals.some(search.isUnexplained)) {
    proposals.push(...proposeMoreQuads(detector, pyramid, proposals))
    search.refineProposals(proposals)
    search.predict(proposals, (quads) => [...beside(quads), ...stacked(quads, listFanSteps(quads))])
  }
  if (mayHideCards()) {
    search.predict(proposals, (quads) => stacked(quads, FAN_STEPS))
  }
  return search.cards()
}

/** Places with more intersection over union are refined to the same card. */
const SAME_PLACE = 0.85
/** If so few cards have so many proposals, they may cover further cards. */
const FEW = 2
const PROPOSALS_OF_FAN = 4
/** Minimum covered share at which a place counts as occupied by the cards that were found. */
const TAKEN_MIN = 0.72
/**
 * Maximum number of rounds. Each predicts cards from those that the round before found: a fan may be found from one
 * end.
 */
const ROUNDS_MAX = 5
/**
 * Minimum confidence of the second best corner: of a proposal, and of a predicted place, which is closer to its card.
 * Higher limits lose cards of fans.
 */
const HOPELESS = { proposed: 0.1, predicted: 0.4 }

function createSearch(refiner: Network, pyramid: ImagePyramid, resemble: Resemble) {
  const tried: Quad[] = []
  const places: Place[] = []
  /** Places that are certainly cards; after each choice only the chosen ones. */
  let sure: Quad[] = []
  let chosen: Place[] = []

  function refine(coarse: Quad, kind: PhotoKind, isPredicted: boolean): void {
    const quad = toPortrait(coarse)
    if (tried.some((other) => intersectionOverUnion(quad, other) > SAME_PLACE)) return
    if (coveredShare(quad, sure) > TAKEN_MIN) return
    tried.push(quad)
    const hopeless = isPredicted ? HOPELESS.predicted : HOPELESS.proposed
    const place = { ...refineCorners(refiner, pyramid, quad, hopeless), kind }
    places.push(place)
    if (isSure(place)) sure.push(place.quad)
  }

  const choose = () => {
    chosen = chooseCards(places, PAGE_CARDS_MAX, resemble)
    sure = chosen.filter(isSure).map(({ quad }) => quad)
  }
  const quadsOfChosen = () => chosen.map(({ quad }) => quad)

  return {
    refineProposals(proposals: readonly Detection[]): void {
      // Twice, because a certain place that is not chosen in the end may have prevented others from being refined.
      for (let pass = 0; pass < 2; pass++) {
        const before = places.length
        for (const { quad, kind } of proposals) {
          if (kind !== 'back') refine(quad, isPhotoKind(kind) ? kind : 'raw', false)
        }
        if (places.length === before) break
        choose()
      }
    },
    /** Refines predicted places, within the part of the photo that has proposals, until no further card is found. */
    predict(proposals: readonly Detection[], listQuads: (quads: readonly Quad[]) => Quad[]): void {
      const part = encloseDetections(proposals, { left: 0, top: 0, ...sizeOf(pyramid) })
      for (let round = 0; round < ROUNDS_MAX; round++) {
        const before = chosen
        for (const quad of listQuads(quadsOfChosen())) {
          const isTaken = before.some((card) => areSameCard({ quad }, card))
          if (!isTaken && isCenterIn(quad, part)) refine(quad, before[0]?.kind ?? 'raw', true)
        }
        choose()
        if (chosen.length <= before.length) break
      }
    },
    isFan: () => listFanSteps(quadsOfChosen()).length > 0,
    /** Returns true if no card was found at the place of a proposal. */
    isUnexplained: ({ quad, kind }: Detection): boolean =>
      kind !== 'back' && coveredShare(quad, quadsOfChosen()) <= TAKEN_MIN,
    cards: (): DetectedCard[] =>
      chosen.map((place) => {
        const covers = coversOf(place, chosen)
        const { kind, quad } = place
        return { kind, quad, confidence: uncoveredConfidence(place, covers), covers }
      }),
  }
}

const beside = (quads: readonly Quad[]) => quads.flatMap((quad) => listNeighborQuads(quad, quads))

const stacked = (quads: readonly Quad[], steps: Parameters<typeof listStackedQuads>[1]) =>
  quads.flatMap((quad) => listStackedQuads(quad, steps))

function isCenterIn(quad: Quad, { left, top, width, height }: Region): boolean {
  const { x, y } = centerOf(quad)
  return x >= left && y >= top && x <= left + width && y <= top + height
}
