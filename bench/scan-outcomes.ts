import { basename } from 'node:path'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { ReportedAtLimits, ScoredEvidence } from './calibration-data.ts'
import { formatShort } from './table.ts'

/** A rendered photo with its ground truth, written by evaluate/independent_photos.py of scripts/training. */
export type ScanLabel = {
  file: string
  slice: string
  /** Path of the scan in `../shared/scans`; null without a card. */
  scan: string | null
  corners: [number, number][] | null
}

/** Verdict on a photo with one of the catalogs. */
export type Judged = {
  status: string
  /** First candidate. */
  card: number | undefined
  isCard: boolean
  /** True if the first candidate shows the right art. */
  isArt: boolean
  /** Name of the first candidate; empty without one. */
  name: string
  score: number
  /** Id of the card in the photo; undefined if the catalog does not have it. */
  truth: number | undefined
  scored: ScoredEvidence
}

export type ScanOutcome = {
  label: ScanLabel
  wallMs: number
  cpuMs: number
  observation: Pick<PhotoObservation, 'kind' | 'items' | 'quality' | 'neighbors'>
  reported: ReportedAtLimits | undefined
} & Record<Within, Judged>

export const WITHIN = ['scans', 'among'] as const
export type Within = (typeof WITHIN)[number]

/** Slices without cards of the catalogs. */
export const FOREIGN = ['left out', 'no card']

/** Returns the results to check by eye: another art first, or a wrong match. */
export function failuresOf(outcomes: readonly ScanOutcome[]): ScanOutcome[] {
  return outcomes.filter((outcome) =>
    WITHIN.some((within) => {
      const { status, isArt, isCard } = outcome[within]
      if (FOREIGN.includes(outcome.label.slice)) return status === 'matched'
      return !isArt || (status === 'matched' && !isCard)
    }),
  )
}

/** Describes an answer in a few words. */
export function describeAnswer({ label, observation, scans, among }: ScanOutcome): string[] {
  const of = ({ status, isArt, name, score }: Judged) =>
    `${status}${isArt ? ', right' : ''} ${name.slice(0, 24)} ${formatShort(score)}`
  const [near] = observation.neighbors
  return [
    `${basename(label.file)} ${observation.kind ?? 'nothing'} x${observation.items}`,
    `scans: ${of(scans)}`,
    `among: ${of(among)}`,
    near === undefined
      ? 'no neighbor'
      : `cosine ${formatShort(near.cosine)}, ${near.distance} bits`,
  ]
}
