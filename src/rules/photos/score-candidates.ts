// Every card that may be meant, with all that speaks for and against it, and its chance.
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
  /** How well the lines' letters fit what it prints. */
  fit: TextFit
  /** Undefined: its picture is not known, or not near. */
  similarity: VisualSimilarity | undefined
  /** Whether the photo may show it; what is further away is listed in no answer. */
  isPlausible: boolean
  evidence: Evidence
  /** Nothing that was read contradicts it. */
  isConsistent: boolean
  /** 0 to 1: how likely it is the card, of all that are near and of none. */
  score: number
}

type Unscored = Omit<ScoredCandidate, 'score'>

/** Every card that the printed number allows, best first. */
export function scoreCandidates(
  reading: PhotoReading,
  cards: readonly CandidateCard[],
): ScoredCandidate[] {
  const { print, kind } = reading
  const allowed = cards
    .toSorted((one, other) => one.id - other.id)
    .flatMap((card) => {
      const textMatch = matchText(print, card)
      return textMatch === undefined ? [] : [{ card, match: textMatch }]
    })
  const sights = similarities(
    reading.neighbors,
    allowed.map(({ card }) => card),
  )
  const fitOf = createTextFitter(reading.lines)
  const weighed = allowed.flatMap(({ card, match }) => {
    const fit = fitOf(card)
    const similarity = sights.get(card.id)
    const isNamed = names(print, match, fit)
    if (similarity === undefined && !isNamed) return []
    const isProduct = kind === undefined || card.product_type === productTypeFor(kind)
    const evidence = collectEvidence({ card, print, match, fit, similarity, isProduct })
    const isConsistent = isProduct && agrees(print, match)
    const suggested_printing = suggestPrinting(print, card.printings)
    return [
      {
        card,
        match,
        suggested_printing,
        fit,
        similarity,
        isPlausible: isNear(similarity, isNamed),
        evidence,
        isConsistent,
      },
    ]
  })
  return withScores(weighed)
}

/** Whether a card is to be thought of because of what is printed on it, however its picture looks. */
function names({ readable }: PrintReading, textMatch: TextMatch, fit: TextFit): boolean {
  const { wordsMin } = THRESHOLDS.matched
  const { nameFitMin, numberFitMin, nameHintMin } = THRESHOLDS.named
  const nameFit = fit.name ?? 0
  const isName = readable.name ? textMatch.name >= wordsMin : nameFit >= nameFitMin
  const isBoth = (fit.number ?? 0) >= numberFitMin && nameFit >= nameHintMin
  return isName || isBoth || (textMatch.number !== 'unknown' && textMatch.name > 0)
}

/** Whether the photo may show the card: its print says so, both measures do, or the vectors loudly. */
function isNear(similarity: VisualSimilarity | undefined, isNamed: boolean): boolean {
  if (isNamed || similarity === undefined) return isNamed
  const { cosineMin, distanceMax, cosineSure } = THRESHOLDS.plausible
  const { cosine, distance } = similarity
  return cosine >= cosineSure || (cosine >= cosineMin && distance <= distanceMax)
}

/** Whether the card has nothing against it: what was read is its own. */
function agrees({ readable }: PrintReading, textMatch: TextMatch): boolean {
  const { wordsMin } = THRESHOLDS.matched
  return (
    textMatch.edition &&
    (!readable.name || textMatch.name >= wordsMin) &&
    (!readable.set || textMatch.set >= wordsMin)
  )
}

/**
 * How likely each is to be the card, of all of them and of none: that weighs nothing. The largest
 * weight goes off first, because a power of it would be infinite.
 */
function withScores(unscored: readonly Unscored[]): ScoredCandidate[] {
  const weighted = unscored
    .map((one) => ({ one, weight: one.isPlausible ? totalWeight(one.evidence) : NO_CHANCE }))
    .toSorted((one, other) => compare(other.weight, one.weight) || newestFirst(one.one, other.one))
  const most = Math.max(0, weighted[0]?.weight ?? 0)
  const chanceOf = (weight: number) => Math.exp(weight - most)
  const all = weighted.reduce((sum, { weight }) => sum + chanceOf(weight), chanceOf(0))
  return weighted.map(({ one, weight }) => ({ ...one, score: chanceOf(weight) / all }))
}

/** The weight of what is not near. */
const NO_CHANCE = Number.NEGATIVE_INFINITY

/** The difference of two infinite weights would be no number. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other
}

/** Among equals, the newest set first: its cards are what people scan. */
function newestFirst({ card }: Unscored, { card: other }: Unscored): number {
  const [date, otherDate] = [card.release_date ?? '', other.release_date ?? '']
  return date === otherDate ? card.id - other.id : date < otherDate ? 1 : -1
}

export function productTypeFor(kind: PhotoKind): 'Cards' | 'Sealed Products' {
  return kind === 'sealed' ? 'Sealed Products' : 'Cards'
}
