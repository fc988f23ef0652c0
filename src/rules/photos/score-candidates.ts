// Scores every candidate by its evidence.
import type { CandidateCard } from './candidate-card.ts'
import { collectEvidence, type Evidence, totalWeight } from './evidence.ts'
import type { PhotoKind, PhotoReading, PrintReading } from './photo-reading.ts'
import { createTextFitter, type TextFit } from './text-fit.ts'
import { matchText, suggestPrinting, type TextMatch } from './text-match.ts'
import { THRESHOLDS } from './thresholds.ts'
import { similarities, type VisualSimilarity } from './visual-similarity.ts'

export type ScoredCandidate = {
  card: CandidateCard
  match: TextMatch
  suggested_printing: string | null
  /** Fit of the lines to the printed text of the card. */
  fit: TextFit
  /** Undefined if the picture is not indexed, or not similar. */
  similarity: VisualSimilarity | undefined
  /** True if the photo may show the card; other cards are not listed in responses. */
  isPlausible: boolean
  evidence: Evidence
  /** True if no field that was read contradicts the card. */
  isConsistent: boolean
  /** Probability of the card among all plausible cards and none of them, 0 to 1. */
  score: number
}

type Unscored = Omit<ScoredCandidate, 'score'>

/** Returns every card that the printed number does not exclude, best first. */
export function scoreCandidates(
  reading: PhotoReading,
  cards: readonly CandidateCard[],
): ScoredCandidate[] {
  const { print, kind } = reading
  const allowed = cards
    .toSorted((one, other) => one.id - other.id)
    .flatMap((card) => {
      const match = matchText(print, card)
      return match === undefined ? [] : [{ card, match }]
    })
  const byCard = similarities(
    reading.neighbors,
    allowed.map(({ card }) => card),
  )
  const fitCard = createTextFitter(reading.lines)
  const candidates = allowed.flatMap(({ card, match }) => {
    const fit = fitCard(card)
    const similarity = byCard.get(card.id)
    const isNamed = isNamedBy(print, match, fit)
    if (similarity === undefined && !isNamed) return []
    const isProduct = kind === undefined || card.product_type === productTypeFor(kind)
    const evidence = collectEvidence({ card, print, match, fit, similarity, isProduct })
    const isConsistent = isProduct && agrees(print, match)
    const suggested_printing = suggestPrinting(print, card.printings)
    const isPlausible = looksPlausible(similarity, isNamed)
    return { card, match, suggested_printing, fit, similarity, isPlausible, evidence, isConsistent }
  })
  return withScores(candidates)
}

/** Returns whether the printed text suggests the card, regardless of its picture. */
function isNamedBy({ readable }: PrintReading, match: TextMatch, fit: TextFit): boolean {
  const { wordsMin } = THRESHOLDS.matched
  const { nameFitMin, numberFitMin, nameHintMin } = THRESHOLDS.named
  const nameFit = fit.name ?? 0
  const isName = readable.name ? match.name >= wordsMin : nameFit >= nameFitMin
  const isBoth = (fit.number ?? 0) >= numberFitMin && nameFit >= nameHintMin
  return isName || isBoth || (match.number !== 'unknown' && match.name > 0)
}

/** Returns whether the photo may show the card: by its text, by vector and hash, or by a very similar vector. */
function looksPlausible(similarity: VisualSimilarity | undefined, isNamed: boolean): boolean {
  if (isNamed || similarity === undefined) return isNamed
  const { cosineMin, distanceMax, cosineSure } = THRESHOLDS.plausible
  const { cosine, distance } = similarity
  return cosine >= cosineSure || (cosine >= cosineMin && distance <= distanceMax)
}

/** Returns whether every field that was read agrees with the card. */
function agrees({ readable }: PrintReading, match: TextMatch): boolean {
  const { wordsMin } = THRESHOLDS.matched
  return (
    match.edition &&
    (!readable.name || match.name >= wordsMin) &&
    (!readable.set || match.set >= wordsMin)
  )
}

/**
 * Scores cards by a softmax over all of them and "none", which has the weight 0. Subtracts the largest
 * weight first, because its exponential may overflow.
 */
function withScores(unscored: readonly Unscored[]): ScoredCandidate[] {
  const weighted = unscored
    .map((one) => ({ one, weight: one.isPlausible ? totalWeight(one.evidence) : EXCLUDED }))
    .toSorted((one, other) => compare(other.weight, one.weight) || newestFirst(one.one, other.one))
  const most = Math.max(0, weighted[0]?.weight ?? 0)
  const exponential = (weight: number) => Math.exp(weight - most)
  const all = weighted.reduce((sum, { weight }) => sum + exponential(weight), exponential(0))
  return weighted.map(({ one, weight }) => ({ ...one, score: exponential(weight) / all }))
}

/** Weight of a card that is not plausible. */
const EXCLUDED = Number.NEGATIVE_INFINITY

/** Compares numbers. A difference of two infinities would be NaN. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other
}

/** Orders equal scores by set, newest first: people mostly scan recent cards. */
function newestFirst({ card }: Unscored, { card: other }: Unscored): number {
  const [date, otherDate] = [card.release_date ?? '', other.release_date ?? '']
  return date === otherDate ? card.id - other.id : date < otherDate ? 1 : -1
}

export function productTypeFor(kind: PhotoKind): 'Cards' | 'Sealed Products' {
  return kind === 'sealed' ? 'Sealed Products' : 'Cards'
}
