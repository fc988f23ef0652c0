// A photo of several cards, cut into photos of one card each.
import type { PhotoKind, PhotoSize } from './photo-reading.ts'

/** A position in a photo, in pixels. */
export type PhotoPoint = { x: number; y: number }

/** Corners of a card, clockwise from the top left of its content. */
export type Outline = readonly [PhotoPoint, PhotoPoint, PhotoPoint, PhotoPoint]

/** Position of the card in a photo of one card. */
export type CardPlacement = {
  kind: PhotoKind
  outline: Outline
  /** Confidence of its corners, 0 to 1. */
  confidence: number
  /** True if other cards cover a part of it, which is filled. */
  isCovered?: boolean
}

/** A card of a page, with its own photo. */
export type CutCard = {
  jpeg: Uint8Array
  placement: CardPlacement
  /** In pixels of the page. */
  outline: Outline
}

export type PageCut = {
  /** Size of the page as sent, upright. */
  size: PhotoSize
  cards: CutCard[]
}

/** Maximum number of cards on a page. */
export const PAGE_CARDS_MAX = 36
