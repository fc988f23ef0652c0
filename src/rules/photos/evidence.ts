// What speaks for and against a card, piece by piece, each turned into a weight by one factor.
import type { CandidateCard } from './candidate-card.ts'
import type { PrintReading } from './photo-reading.ts'
import type { TextFit } from './text-fit.ts'
import type { TextMatch } from './text-match.ts'
import { THRESHOLDS } from './thresholds.ts'
import type { VisualSimilarity } from './visual-similarity.ts'

/** Pieces of evidence by name; 0 speaks neither way. */
export type Evidence = Record<keyof typeof THRESHOLDS.score, number>

export type EvidenceInput = {
  card: CandidateCard
  print: PrintReading
  match: TextMatch
  fit: TextFit
  /** Undefined: its picture is not known, or not near. */
  similarity: VisualSimilarity | undefined
  /** Whether it is of the kind of product that the photo shows. */
  isProduct: boolean
}

export function collectEvidence(input: EvidenceInput): Evidence {
  return { ...ofSight(input), ...ofPrint(input) }
}

const PIECES = Object.keys(THRESHOLDS.score) as (keyof Evidence)[]

/** Sum of the evidence: e to the power of it is how likely the card is, next to others. */
export function totalWeight(evidence: Evidence): number {
  return PIECES.reduce((sum, name) => sum + THRESHOLDS.score[name] * evidence[name], 0)
}

/** Between the cosines of photos to their own card and to strangers. */
const COSINE_ZERO = 0.7
const MARGIN_ZERO = 0.1
/** Differing bits of 1,024: photos are up to 290 from their own card, and 360 and more from strangers. */
const DISTANCE_ZERO = 340
const BITS = 100

type OfSight = 'cosine' | 'margin' | 'distance' | 'apart' | 'unseen' | 'unlike'

function ofSight({ card, similarity }: EvidenceInput): Pick<Evidence, OfSight> {
  if (similarity === undefined) {
    const unseen = Number(card.art_group === null)
    return { cosine: 0, margin: 0, distance: 0, apart: 0, unseen, unlike: 1 - unseen }
  }
  return {
    cosine: similarity.cosine - COSINE_ZERO,
    margin: similarity.margin - MARGIN_ZERO,
    distance: (similarity.distance - DISTANCE_ZERO) / BITS,
    apart: similarity.apart / BITS,
    unseen: 0,
    unlike: 0,
  }
}

/** A line's letters fit it half as well as what is read freely. */
const FIT_ZERO = 0.5

function ofPrint({ print, match, fit, isProduct }: EvidenceInput): Omit<Evidence, OfSight> {
  const { readable } = print
  // What was not read speaks neither way, but as far as its letters fit.
  const words = (isRead: boolean, share: number) => (isRead ? 1.5 * share - 0.5 : 0)
  const letters = (isRead: boolean, share: number | undefined) =>
    isRead || share === undefined ? 0 : share - FIT_ZERO
  return {
    numberExact: Number(match.number === 'exact'),
    numberPartial: Number(match.number === 'partial'),
    numberFit: letters(readable.number, fit.number),
    nameWords: words(readable.name, match.name),
    nameFit: letters(readable.name, fit.name),
    setWords: words(readable.set, match.set),
    editionWrong: Number(!match.edition),
    productWrong: Number(!isProduct),
  }
}
