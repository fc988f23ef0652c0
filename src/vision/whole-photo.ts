// Observes a photo as a whole, without a located card.
import type { LocatedCard } from './detect/locate-card.ts'
import { measureQuality } from './detect/quality.ts'
import { type ImagePyramid, rectangleQuad } from './image/rectify.ts'
import type { CardObservation } from './observation.ts'
import { createPhotoTextReader, type OcrNetworks } from './ocr/read-text.ts'

function noCard(): never {
  throw new Error('The photo has no card.')
}

/** Observation of a photo in which no card was found. */
export const NO_CARD = {
  kind: undefined,
  items: 0,
  quality: undefined,
  orientations: 0,
  embed: noCard,
  estimateFinish: noCard,
  readText: () => [],
  hashes: () => [],
}

/** Returns the whole photo as a card without corners, whose text can be read. */
export function seeWhole(
  networks: OcrNetworks,
  pyramid: ImagePyramid,
  card: LocatedCard | undefined,
): Omit<CardObservation, 'photo'> {
  const quad = rectangleQuad({ ...pyramid(0), left: 0, top: 0 })
  return {
    ...NO_CARD,
    kind: card?.detection.kind,
    items: card?.items ?? 0,
    quality: measureQuality(pyramid, { quad, confidence: 0 }),
    orientations: 2,
    readText: createPhotoTextReader(networks, pyramid),
    estimateFinish: () => ({ foilProbability: 0 }),
  }
}
