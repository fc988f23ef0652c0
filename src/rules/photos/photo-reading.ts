// What is known of one photo. Facts only: which card it is, the verdict says.
import type { PrintedLine } from './text-line.ts'

/** What lies in the photo. */
export const PHOTO_KINDS = ['raw', 'graded slab', 'back', 'sealed'] as const
export type PhotoKind = (typeof PHOTO_KINDS)[number]

/** What the reader saw. */
export type PhotoObservation = {
  /** The thing that the rest speaks of; undefined: neither a card nor a product was found. */
  kind: PhotoKind | undefined
  /** How many cards or products of about its size are in the photo. */
  items: number
  /** Of the thing that was read; undefined where there is none. */
  quality: PhotoQuality | undefined
  /** What lies on its print; undefined where there is no face of a card. */
  finish: FinishEstimate | undefined
  /** All lines of print, read for sure or not; candidates are weighed by them. */
  lines: PrintedLine[]
  /** Cards whose pictures look like it, best first; empty where the catalog has no pictures. */
  neighbors: Neighbor[]
}

/** And what its print surely says. */
export type PhotoReading = PhotoObservation & { print: PrintReading }

export type PhotoQuality = {
  /** How many pixels of the photo a millimetre of the card got; a card is 88 mm high. */
  px_per_mm: number
  /** Width of the sharpest edges, in millimetres of the card: what is out of focus or shaken is wide. */
  blur_mm: number
  /** Share of the card, 0 to 1, that is blown out. */
  glare: number
  /** Mean brightness of the card, 0 to 255. */
  brightness: number
  /** A corner lies outside the photo. */
  is_cut_off: boolean
  /** How sure the corners are, 0 to 1. */
  cornerConfidence: number
}

/** How likely each is, 0 to 1, by its look alone. */
export type FinishEstimate = {
  /** That it shines in colours, all over or in a part. */
  foilProbability: number
  /** That a stamp or an edition mark lies on it. */
  stampProbability: number
}

/** What is printed on it. Empty or null: not read. Nothing here is guessed. */
export type PrintReading = {
  name: string
  number: string
  set: string
  language: string
  /** `Foil` or empty: a photo in which nothing shines does not show that nothing can. */
  finish: string
  /** Edition mark; null: the photo clearly shows none; `unclear`: it cannot be told. */
  stamp: string | null
  grade: string
  readable: { name: boolean; number: boolean; set: boolean }
}

/** Of a photo in which nothing was read. Whether there is an edition mark cannot be told then. */
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

/** A card whose picture looks like the photo. */
export type Neighbor = {
  card_id: number
  /** Of the two vectors, -1 to 1. */
  cosine: number
  /** Differing bits of 1,024 between the perceptual hashes; undefined where no hash was compared. */
  distance: number | undefined
}
