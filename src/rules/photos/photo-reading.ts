// Observations on one photo. verdict.ts decides which card it shows.
import type { PrintedLine } from './text-line.ts'

export const PHOTO_KINDS = ['raw', 'graded slab', 'back', 'sealed'] as const
export type PhotoKind = (typeof PHOTO_KINDS)[number]

export function isPhotoKind(text: string): text is PhotoKind {
  return PHOTO_KINDS.some((kind) => kind === text)
}

/** In pixels. */
export type PhotoSize = { width: number; height: number }

/** Result of the reader. */
export type PhotoObservation = {
  /** Size of the photo as sent, upright. */
  photo: PhotoSize
  /** Kind of the main item; undefined if neither a card nor a product was found. */
  kind: PhotoKind | undefined
  /** Number of cards or products of about the same size in the photo. */
  items: number
  /** Undefined if no item was found. */
  quality: PhotoQuality | undefined
  /** True if the photo is mirrored. Everything else was read from the corrected photo. */
  isMirrored: boolean
  /** Undefined if no card face was found. */
  finish: FinishEstimate | undefined
  /** All lines of text, at any confidence. */
  lines: PrintedLine[]
  /** Cards with similar pictures, best first; empty if no pictures are indexed. */
  neighbors: Neighbor[]
  /** True if other cards cover a part of the card, so that its hash cannot be compared. */
  isCovered?: boolean
  /** Fingerprint of the card in the photo, which can become a reference; undefined if the card is not whole. */
  fingerprint?: string | undefined
}

/** An observation with the fields that were read with confidence. */
export type PhotoReading = PhotoObservation & { print: PrintReading }

export type PhotoQuality = {
  /** Pixels of the photo per millimeter of the card; a card is 88 mm high. */
  px_per_mm: number
  /** Width of the sharpest edges, in millimeters of the card; large if the photo is out of focus or shaken. */
  blur_mm: number
  /** Overexposed share of the card, 0 to 1. */
  glare: number
  /** Mean brightness of the card, 0 to 255. */
  brightness: number
  /** True if a corner lies outside the photo. */
  is_cut_off: boolean
  /** 0 to 1. */
  cornerConfidence: number
}

export type FinishEstimate = {
  /** Probability by its look that all or a part of the card is foil, 0 to 1. */
  foilProbability: number
}

/** Fields of the card that were read with confidence. Empty if not read. */
export type PrintReading = {
  name: string
  number: string
  set: string
  language: string
  /** `Foil` or empty: a photo without a shine does not prove that the card lacks foil. */
  finish: string
  /** Edition mark; null if the photo clearly shows none, `unclear` if it is undecided. */
  stamp: string | null
  grade: string
  readable: { name: boolean; number: boolean; set: boolean }
}

/** The fields of a photo in which nothing was read. */
export const UNREAD: PrintReading = {
  name: '',
  number: '',
  set: '',
  language: '',
  finish: '',
  stamp: 'unclear',
  grade: '',
  readable: { name: false, number: false, set: false },
}

/** A card with a picture similar to the photo. */
export type Neighbor = {
  card_id: number
  /** Cosine of the two vectors, -1 to 1. */
  cosine: number
  /** Differing bits of 1,024 between the perceptual hashes; undefined if no hash was compared. */
  distance: number | undefined
  /** True if the card has no catalog picture and was found by a photo that people have named. */
  isLearned?: boolean
}
