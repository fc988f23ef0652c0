// What speaks for and against a card, piece by piece, each turned into a weight by one factor.
import type { CandidateCard } from './candidate-card.ts'
import type { PrintReading } from './photo-reading.ts'
import type { PrintFit } from './text-fit.ts'
import type { Match } from './text-match.ts'
import { THRESHOLDS } from './thresholds.ts'
import type { Sight } from './visual-similarity.ts'

/** Pieces of evidence by name; 0 speaks neither way. */
export type Evidence = Record<keyof typeof THRESHOLDS.score, number>

export type Seen = {
  card: CandidateCard
  print: PrintReading
  match: Match
  fit: PrintFit
  /** Undefined: its picture is not known, or not near. */
  sight: Sight | undefined
  /** Whether it is of the kind of product that the photo shows. */
  isProduct: boolean
}

export function evidenceOf(seen: Seen): Evidence {
  return { ...ofSight(seen), ...ofPrint(seen) }
}

const PIECES = Object.keys(THRESHOLDS.score) as (keyof Evidence)[]

/** Sum of the evidence: e to the power of it is how likely the card is, next to others. */
export function weightOf(evidence: Evidence): number {
  return PIECES.reduce((sum, name) => sum + THRESHOLDS.score[name] * evidence[name], 0)
}

/** Between the cosines of photos to their own card and to strangers. */
const COSINE_ZERO = 0.7
const MARGIN_ZERO = 0.1
/** Differing bits of 1,024: photos are up to 290 from their own card, and 360 and more from strangers. */
const DISTANCE_ZERO = 340
const BITS = 100

type OfSight = 'cosine' | 'margin' | 'distance' | 'apart' | 'unseen' | 'unlike'

function ofSight({ card, sight }: Seen): Pick<Evidence, OfSight> {
  if (sight === undefined) {
    const unseen = Number(card.art_group === null)
    return { cosine: 0, margin: 0, distance: 0, apart: 0, unseen, unlike: 1 - unseen }
  }
  return {
    cosine: sight.cosine - COSINE_ZERO,
    margin: sight.margin - MARGIN_ZERO,
    distance: (sight.distance - DISTANCE_ZERO) / BITS,
    apart: sight.apart / BITS,
    unseen: 0,
    unlike: 0,
  }
}

/** A line's letters fit it half as well as what is read freely. */
const FIT_ZERO = 0.5

function ofPrint({ print, match, fit, isProduct }: Seen): Omit<Evidence, OfSight> {
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
