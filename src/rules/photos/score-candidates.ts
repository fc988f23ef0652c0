// Every card that may be meant, with all that speaks for and against it, and its chance.
import type { CandidateCard } from './candidate-card.ts'
import { type Evidence, evidenceOf, weightOf } from './evidence.ts'
import type { PhotoKind, PhotoReading, PrintReading } from './photo-reading.ts'
import { type PrintFit, printFitsOf } from './text-fit.ts'
import { type Match, matchOf, suggestedPrinting } from './text-match.ts'
import { THRESHOLDS } from './thresholds.ts'
import { type Sight, sightsOf } from './visual-similarity.ts'

export type Weighed = {
  card: CandidateCard
  match: Match
  suggested_printing: string | null
  /** How well the lines' letters fit what it prints. */
  fit: PrintFit
  /** Undefined: its picture is not known, or not near. */
  sight: Sight | undefined
  /** Whether the photo may show it; what is further away is listed in no answer. */
  isNear: boolean
  evidence: Evidence
  /** Nothing that was read contradicts it. */
  fits: boolean
  /** 0 to 1: how likely it is the card, of all that are near and of none. */
  score: number
}

type Unscored = Omit<Weighed, 'score'>

/** Every card that the printed number allows, best first. */
export function weigh(reading: PhotoReading, cards: readonly CandidateCard[]): Weighed[] {
  const { print, kind } = reading
  const allowed = cards
    .toSorted((one, other) => one.id - other.id)
    .flatMap((card) => {
      const match = matchOf(print, card)
      return match === undefined ? [] : [{ card, match }]
    })
  const sights = sightsOf(
    reading.near,
    allowed.map(({ card }) => card),
  )
  const fitOf = printFitsOf(reading.lines)
  const weighed = allowed.flatMap(({ card, match }) => {
    const fit = fitOf(card)
    const sight = sights.get(card.id)
    const isNamed = names(print, match, fit)
    if (sight === undefined && !isNamed) return []
    const isProduct = kind === undefined || card.product_type === productOf(kind)
    const evidence = evidenceOf({ card, print, match, fit, sight, isProduct })
    const fits = isProduct && agrees(print, match)
    const suggested_printing = suggestedPrinting(print, card.printings)
    return [
      {
        card,
        match,
        suggested_printing,
        fit,
        sight,
        isNear: isNear(sight, isNamed),
        evidence,
        fits,
      },
    ]
  })
  return withScores(weighed)
}

/** Whether a card is to be thought of because of what is printed on it, however its picture looks. */
function names({ readable }: PrintReading, match: Match, fit: PrintFit): boolean {
  const { wordsMin } = THRESHOLDS.matched
  const { nameFitMin, numberFitMin, nameHintMin } = THRESHOLDS.said
  const nameFit = fit.name ?? 0
  const isName = readable.name ? match.name >= wordsMin : nameFit >= nameFitMin
  const isBoth = (fit.number ?? 0) >= numberFitMin && nameFit >= nameHintMin
  return isName || isBoth || (match.number !== 'unknown' && match.name > 0)
}

/** Whether the photo may show the card: its print says so, both measures do, or the vectors loudly. */
function isNear(sight: Sight | undefined, isNamed: boolean): boolean {
  if (isNamed || sight === undefined) return isNamed
  const { cosineMin, distanceMax, cosineSure } = THRESHOLDS.near
  const { cosine, distance } = sight
  return cosine >= cosineSure || (cosine >= cosineMin && distance <= distanceMax)
}

/** Whether the card has nothing against it: what was read is its own. */
function agrees({ readable }: PrintReading, match: Match): boolean {
  const { wordsMin } = THRESHOLDS.matched
  return (
    match.edition &&
    (!readable.name || match.name >= wordsMin) &&
    (!readable.set || match.set >= wordsMin)
  )
}

/**
 * How likely each is to be the card, of all of them and of none: that weighs nothing. The largest
 * weight goes off first, because a power of it would be infinite.
 */
function withScores(unscored: readonly Unscored[]): Weighed[] {
  const weighted = unscored
    .map((one) => ({ one, weight: one.isNear ? weightOf(one.evidence) : NO_CHANCE }))
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

export function productOf(kind: PhotoKind): 'Cards' | 'Sealed Products' {
  return kind === 'sealed' ? 'Sealed Products' : 'Cards'
}
