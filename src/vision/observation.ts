import type { FinishEstimate, PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import type { Quad } from './image/rectify.ts'

/**
 * How much text is read: everything; of a card whose picture is certain, what tells its printings apart; of such a card of
 * a page, only labels, names and numbers.
 */
export type TextDetail = 'all' | 'certain' | 'brief'

/** A located card. Its methods run a network or compute hashes on demand, for one orientation each. */
export type CardObservation = Pick<PhotoObservation, 'photo' | 'kind' | 'items' | 'quality'> & {
  /**
   * Number of possible orientations, most likely first, because art can look right upside down. The same number of
   * mirrored orientations follows. 0 without a card, and for a back after its comparison.
   */
  orientations: number
  /** Returns the vector for the search. */
  embed(orientation: number): Int8Array
  estimateFinish(orientation: number): FinishEstimate
  /**
   * Reads the text of the card and of the label of its slab.
   *
   * @param detail everything if omitted
   */
  readText(orientation: number, detail?: TextDetail): PrintedLine[]
  /** Yields hashes of slightly shifted crops. */
  hashes(orientation: number): Iterable<Uint8Array>
  /** Yields the card in further crops of the same corners: as covered, exposed better, smaller and larger. */
  recrop?(): Iterable<CardObservation>
  /** Yields other places of the photo where the card may be, likeliest first. */
  elsewhere?(): Iterable<CardObservation>
  /** Returns the whole photo as a card whose corners are unknown. It can only be read. */
  whole?(): CardObservation
  /** For benchmarks: corners of the card, in pixels of the decoded photo. */
  quad?: Quad
  /** For benchmarks: milliseconds per stage, in order. */
  stages?: Record<string, number>
}
