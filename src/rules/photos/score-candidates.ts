// Scores every candidate by its evidence.
import { numberKey } from '../catalog/names.ts'
import { withoutMarks } from '../catalog/number-forms.ts'
import type { CandidateCard } from './candidate-card.ts'
import { collectEvidence, type Evidence, totalWeight } from './evidence.ts'
import type { Neighbor, PhotoKind, PhotoReading, PrintReading } from './photo-reading.ts'
import { createTextFitter, type TextFit } from './text-fit.ts'
import {
  isCutOffName,
  isCutOffNumber,
  isNameBegun,
  isUnnamed,
  matchText,
  suggestPrinting,
  type TextMatch,
} from './text-match.ts'
import { THRESHOLDS } from './thresholds.ts'
import { isOwnPictureWithin, similarities, type VisualSimilarity } from './visual-similarity.ts'

export type ScoredCandidate = {
  card: CandidateCard
  match: TextMatch
  suggested_printing: string | null
  /** Fit of the lines to the printed text of the card. */
  fit: TextFit
  /** Undefined if the picture is not indexed, or not similar. */
  similarity: VisualSimilarity | undefined
  /** True if the photo may show the card; responses do not list other cards. */
  isPlausible: boolean
  evidence: Evidence
  /** True if no field that was read contradicts the card. */
  isConsistent: boolean
  /** Probability of the card among all plausible cards and the case that the photo shows another card, 0 to 1. */
  score: number
}

type Unscored = Omit<ScoredCandidate, 'score'>

/**
 * Returns every card that the printed number does not exclude, best first. Equal scores are ordered by name, number
 * and id, so that no set is favored.
 */
export function scoreCandidates(
  reading: PhotoReading,
  cards: readonly CandidateCard[],
): ScoredCandidate[] {
  const { print, kind, isCovered = false } = reading
  const allowed = matchCards(
    reading,
    cards.toSorted((one, other) => one.id - other.id),
  )
  const byCard = similarities(
    reading.neighbors,
    allowed.map(({ card }) => card),
  )
  const isCompared = reading.neighbors.some(({ isLearned }) => isLearned !== true)
  const fitCard = createTextFitter(reading.lines)
  const fitted = allowed.map((one) => ({ ...one, fit: fitCard(one.card) }))
  const numberFits = fitted.flatMap(({ fit }) => fit.number ?? [])
  const bestNumberFit = numberFits.length === 0 ? undefined : Math.max(...numberFits)
  const candidates = fitted.flatMap(({ card, match, fit }) => {
    const similarity = byCard.get(card.id)
    const isNamed = isNamedBy(print, card, { match, fit })
    // A card that may have the name is compared with the best one, but not listed.
    if (similarity === undefined && !isNamed && !isNameBegun(print.name, card.name)) return []
    const isProduct = kind === undefined || card.product_type === productTypeFor(kind)
    const input = {
      card,
      print,
      match,
      fit,
      similarity,
      isProduct,
      isCompared,
      isCovered,
      bestNumberFit,
    }
    const evidence = collectEvidence(input)
    const isConsistent = isProduct && agrees(print, match, card, similarity)
    const suggested_printing = suggestPrinting(print, card.printings)
    const isPlausible = looksPlausible(similarity, isNamed, isCovered)
    return { card, match, suggested_printing, fit, similarity, isPlausible, evidence, isConsistent }
  })
  return withScores(candidates)
}

type Matched = { card: CandidateCard; match: TextMatch }

/**
 * Compares the text of each card. Drops cards with another number, unless the picture is certain, the number read may
 * be a part of the card's, and no equally likely card has exactly this number.
 */
function matchCards(
  { print, neighbors }: PhotoReading,
  cards: readonly CandidateCard[],
): Matched[] {
  const matched: Matched[] = cards.flatMap((card) => {
    const match = matchText(print, card)
    return match === undefined ? [] : [{ card, match }]
  })
  if (!print.readable.number) return matched
  const isSure = neighborsAbove(neighbors, THRESHOLDS.plausible.cosineSure)
  const own = matched.filter(({ match }) => match.number !== 'unknown').map(({ card }) => card)
  if (own.some(({ id }) => isSure.has(id))) return matched
  const names = new Set(own.map(({ clean_name }) => clean_name))
  const known = new Set(matched.map(({ card }) => card.id))
  const withoutNumber = { ...print, readable: { ...print.readable, number: false } }
  const cutOff = cards.flatMap((card) => {
    if (known.has(card.id) || names.has(card.clean_name) || !isSure.has(card.id)) return []
    const match = isCutOffNumber(print.number, card.number) && matchText(withoutNumber, card)
    return match ? [{ card, match }] : []
  })
  return [...matched, ...cutOff].toSorted((one, other) => one.card.id - other.card.id)
}

function neighborsAbove(neighbors: readonly Neighbor[], cosineMin: number): Set<number> {
  return new Set(
    neighbors.filter(({ cosine }) => cosine >= cosineMin).map(({ card_id }) => card_id),
  )
}

type Matches = Pick<ScoredCandidate, 'match' | 'fit'>

/** Returns true if the name of the card was read, with confidence or letter by letter. */
export function isNameRead({ match, fit }: Matches): boolean {
  const { matched, named } = THRESHOLDS
  return match.name >= matched.wordsMin || (fit.name ?? 0) >= named.nameFitMin
}

/** Returns true if the printed text suggests the card, regardless of its picture. */
function isNamedBy({ readable }: PrintReading, card: CandidateCard, matched: Matches): boolean {
  const { match, fit } = matched
  const { numberFitMin, nameHintMin, numberAloneMin } = THRESHOLDS.named
  const number = fit.number ?? 0
  const isBoth =
    (number >= numberFitMin && (fit.name ?? 0) >= nameHintMin) ||
    (match.number !== 'unknown' && match.name > 0)
  const isNumberRead = match.number === 'exact' || number >= numberAloneMin
  const isAlone = !readable.name && isNumberRead && isDistinctive(card.number)
  return isNameRead(matched) || isBoth || isAlone
}

/** Returns true if only few cards have the number, because it has a total or a code. */
function isDistinctive(number: string | null): boolean {
  return /[^\s0-9]/.test(number ?? '') && withoutMarks(number ?? '').length >= 5
}

/**
 * Returns true if the photo may show the card: by its text, by vector and hash, or by a very similar vector. The more
 * similar the vectors are, the more bits of the hashes may differ. The hash of a covered card is meaningless.
 */
function looksPlausible(
  similarity: VisualSimilarity | undefined,
  isNamed: boolean,
  isCovered: boolean,
): boolean {
  if (isNamed || similarity === undefined) return isNamed
  if (isCovered) return similarity.cosine >= THRESHOLDS.plausible.cosineCovered
  const { cosineMin, distanceMax, distancePerCosine, cosineSure } = THRESHOLDS.plausible
  const { cosine, distance } = similarity
  const limit = distanceMax + distancePerCosine * (cosine - cosineMin)
  return cosine >= cosineSure || (cosine >= cosineMin && distance <= limit)
}

/** Returns true if every field that was read agrees with the card. A picture beyond doubt outranks the name. */
function agrees(
  print: PrintReading,
  match: TextMatch,
  card: CandidateCard,
  similarity: VisualSimilarity | undefined,
): boolean {
  const { beyondDoubt, wordsMin } = THRESHOLDS.matched
  const isNameRight =
    !hasOtherName(print, match, card) || isOwnPictureWithin(similarity, beyondDoubt)
  const isSetRight = !print.readable.set || match.set >= wordsMin
  return match.edition && isNameRight && isSetRight
}

/** Returns true if another name was read than the card has. A name may be truncated. */
export function hasOtherName(
  { readable, name }: PrintReading,
  match: Pick<TextMatch, 'name'>,
  card: Pick<CandidateCard, 'name' | 'number' | 'set'>,
): boolean {
  const isOwn = match.name >= THRESHOLDS.matched.wordsMin || isCutOffName(name, card.name)
  return readable.name && !isOwn && !isUnnamed(card)
}

/**
 * Scores cards by a softmax over all of them and "none", which has the weight 0. Subtracts the largest
 * weight first, because its exponential may overflow.
 */
function withScores(unscored: readonly Unscored[]): ScoredCandidate[] {
  const weighted = unscored
    .map((one) => ({ one, weight: one.isPlausible ? totalWeight(one.evidence) : EXCLUDED }))
    .toSorted(
      (one, other) => compare(other.weight, one.weight) || byNameAndNumber(one.one, other.one),
    )
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

function byNameAndNumber({ card }: Unscored, { card: other }: Unscored): number {
  return (
    compareText(card.clean_name, other.clean_name) ||
    compareText(numberKey(card.number), numberKey(other.number)) ||
    card.id - other.id
  )
}

/** Compares by code point: the order must not depend on the locale of the server. */
function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

export function productTypeFor(kind: PhotoKind): 'Cards' | 'Sealed Products' {
  return kind === 'sealed' ? 'Sealed Products' : 'Cards'
}
