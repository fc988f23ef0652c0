// Evidence for and against a card. THRESHOLDS.score contains a weight for each piece.
import type { CandidateCard } from './candidate-card.ts'
import type { PrintReading } from './photo-reading.ts'
import type { TextFit } from './text-fit.ts'
import type { TextMatch } from './text-match.ts'
import { THRESHOLDS } from './thresholds.ts'
import type { VisualSimilarity } from './visual-similarity.ts'

/** Pieces of evidence by name; 0 is neutral. */
export type Evidence = Record<keyof typeof THRESHOLDS.score, number>

export type EvidenceInput = {
  card: CandidateCard
  print: PrintReading
  match: TextMatch
  fit: TextFit
  /** Undefined if the picture is not indexed, or not similar. */
  similarity: VisualSimilarity | undefined
  /** True if the card has the product type in the photo. */
  isProduct: boolean
  /** True if the photo was compared with pictures. */
  isCompared: boolean
  /** True if other cards cover a part of the card, so that the distances of its hash are neutral. */
  isCovered: boolean
  /** Best fit of the number among all cards; undefined if no text in the photo may be a number. */
  bestNumberFit: number | undefined
}

export function collectEvidence(input: EvidenceInput): Evidence {
  return { ...visualEvidence(input), ...textEvidence(input) }
}

const PIECES = Object.keys(THRESHOLDS.score) as (keyof Evidence)[]

/** Returns the weighted sum of the evidence: the logit of the card in a softmax over all cards. */
export function totalWeight(evidence: Evidence): number {
  return PIECES.reduce((sum, name) => sum + THRESHOLDS.score[name] * evidence[name], 0)
}

/** Midway between the cosines of photos to their own card and to other cards. */
const COSINE_ZERO = 0.7
const MARGIN_ZERO = 0.1
/** Differing bits of 1,024: photos differ from their own card by up to 290, from other cards by at least 360. */
const DISTANCE_ZERO = 340
const BITS = 100

type VisualEvidence = 'cosine' | 'margin' | 'distance' | 'apart' | 'unseen' | 'unlike'

function visualEvidence({
  card,
  similarity,
  isCompared,
  isCovered,
}: EvidenceInput): Pick<Evidence, VisualEvidence> {
  const isUnseen = similarity?.isInherited ?? card.art_group === null
  const unseen = Number(isUnseen && isCompared)
  if (similarity === undefined) {
    return { cosine: 0, margin: 0, distance: 0, apart: 0, unseen, unlike: Number(!isUnseen) }
  }
  return {
    cosine: similarity.cosine - COSINE_ZERO,
    margin: similarity.margin - MARGIN_ZERO,
    distance: isCovered ? 0 : (similarity.distance - DISTANCE_ZERO) / BITS,
    apart: isCovered ? 0 : similarity.apart / BITS,
    unseen,
    unlike: 0,
  }
}

/** Neutral fit: half as likely per letter as the greedy reading. */
const FIT_ZERO = 0.5

/**
 * Weight of a fit below neutral if the card is covered or its picture is certain, because its text is then probably
 * covered, or the line belongs to something else. Grows to 1 for cosines at which the picture may be of another card.
 */
const MISFIT = { shareMin: 0.25, cosineSure: 0.9, cosineUnsure: 0.75 }

function misfitShare({ similarity, isCovered }: EvidenceInput): number {
  const { shareMin, cosineSure, cosineUnsure } = MISFIT
  if (isCovered) return shareMin
  const sureness = ((similarity?.cosine ?? 0) - cosineUnsure) / (cosineSure - cosineUnsure)
  return 1 - (1 - shareMin) * Math.min(1, Math.max(0, sureness))
}

function textEvidence(input: EvidenceInput): Omit<Evidence, VisualEvidence> {
  const { print, match, fit, isProduct, bestNumberFit } = input
  const { readable } = print
  // A short number is not compared with the lines.
  const isUnseen = fit.number === undefined && match.number === 'unknown'
  // Unread fields are neutral, except for the fit of their letters.
  const words = (isRead: boolean, share: number) => (isRead ? 1.5 * share - 0.5 : 0)
  const misfit = misfitShare(input)
  const letters = (isRead: boolean, share: number | undefined) => {
    if (isRead || share === undefined) return 0
    return share < FIT_ZERO ? misfit * (share - FIT_ZERO) : share - FIT_ZERO
  }
  return {
    numberExact: Number(match.number === 'exact'),
    numberPartial: Number(match.number === 'partial'),
    // A number that fits no card was misread, which says nothing about a card without a number.
    numberFit: isUnseen
      ? Math.min(0, letters(readable.number, bestNumberFit))
      : letters(readable.number, fit.number),
    numberUnseen: Number(isUnseen && (readable.number || bestNumberFit !== undefined)),
    nameWords: words(readable.name, match.name),
    nameFit: letters(readable.name, fit.name),
    setWords: words(readable.set, match.set),
    // Most cards show no code, so only a fitting one is evidence.
    setFit: readable.set ? 0 : Math.max(0, (fit.set ?? 0) - FIT_ZERO),
    editionWrong: Number(!match.edition),
    productWrong: Number(!isProduct),
  }
}
