// Records what the calibrations of scripts/training need to know about a photo.

import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import { confirmPrint, LIKELY_LIMITS } from '#rules/photos/confirm-print.ts'
import type { Evidence } from '#rules/photos/evidence.ts'
import type { PhotoReading, PrintReading } from '#rules/photos/photo-reading.ts'
import { type PrintVocabulary, type ReadingLimits, readFields } from '#rules/photos/read-fields.ts'
import { scoreCandidates } from '#rules/photos/score-candidates.ts'
import { THRESHOLDS } from '#rules/photos/thresholds.ts'

/** Evidence of each plausible card, without zeros, for evaluate/fit_evidence.py. */
export type ScoredEvidence = { card: number; evidence: Partial<Evidence> }[]

export function scoredEvidence(
  reading: PhotoReading,
  cards: readonly CandidateCard[],
): ScoredEvidence {
  return scoreCandidates(reading, cards).flatMap(({ card, evidence, isPlausible }) =>
    isPlausible ? [{ card: card.id, evidence: withoutZeros(evidence) }] : [],
  )
}

function withoutZeros(evidence: Evidence): Partial<Evidence> {
  return Object.fromEntries(Object.entries(evidence).filter(([, value]) => value !== 0))
}

/** Limits of the confidence that evaluate/calibrate_reporting.py compares, strictest first. */
const LIMITS = [
  0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.92, 0.9, 0.87, 0.85, 0.82, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55,
  0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.1,
]

/** Fields, by the limit of THRESHOLDS.reading that decides whether they are reported. */
const FIELDS = {
  numberMin: 'number',
  codeMin: 'set',
  nameMin: 'name',
  gradeMin: 'grade',
} as const satisfies Partial<Record<keyof ReadingLimits, keyof PrintReading>>

type Field = (typeof FIELDS)[keyof typeof FIELDS]

/** By name of a limit, for each value in LIMITS: true if the field is right, null if it is not reported. */
export type ReportedAtLimits = { limits: readonly number[] } & Record<
  keyof typeof FIELDS | 'numberLikelyMin' | 'nameLikelyMin',
  (boolean | null)[]
>

export type ReadingContext = {
  cards: readonly CandidateCard[]
  vocabulary: PrintVocabulary
}

/**
 * Reads a photo as the service does, once for each limit. For `numberLikelyMin` and `nameLikelyMin`, counts only
 * readings that the catalog alone confirms.
 *
 * @param isRight compares a field that was read with the truth
 */
export function readAtLimits(
  reading: PhotoReading,
  { cards, vocabulary }: ReadingContext,
  isRight: (field: Field, value: string) => boolean,
): ReportedAtLimits {
  const { lines } = reading
  const readWith = (limits: Partial<ReadingLimits>) =>
    readFields(lines, reading, vocabulary, { ...THRESHOLDS.reading, ...limits })
  const judge = (field: Field, value: string) => (value === '' ? null : isRight(field, value))
  const sure = readWith({})
  const likely = readWith(LIKELY_LIMITS)
  const atEach = (name: keyof typeof FIELDS) =>
    LIMITS.map((limit) => {
      const print = confirmPrint({ print: readWith({ [name]: limit }), lines }, likely, cards)
      return judge(FIELDS[name], print[FIELDS[name]])
    })
  const confirmedNumbers = LIMITS.map((limit) => {
    const print = confirmPrint({ print: sure, lines }, readWith({ numberMin: limit }), cards)
    return sure.readable.number ? null : judge('number', print.number)
  })
  // Above 1, so that only names of the catalog count.
  const listedNames = LIMITS.map((limit) =>
    judge('name', readWith({ nameLikelyMin: limit, nameMin: 2 }).name),
  )
  return {
    limits: LIMITS,
    numberMin: atEach('numberMin'),
    codeMin: atEach('codeMin'),
    nameMin: atEach('nameMin'),
    gradeMin: atEach('gradeMin'),
    numberLikelyMin: confirmedNumbers,
    nameLikelyMin: listedNames,
  }
}
