import { formatFingerprint } from '#rules/photos/picture-index/learned-references.ts'
import type { CardObservation } from '../observation.ts'
import { findOrientation, type PictureMatch } from './match-pictures.ts'

/** Remembers the vectors of a card, because each takes a run of the embedder. */
export function rememberVectors(card: CardObservation): CardObservation {
  const known = new Map<number, Int8Array>()
  return {
    ...card,
    embed(orientation) {
      const vector = known.get(orientation) ?? card.embed(orientation)
      known.set(orientation, vector)
      return vector
    },
  }
}

/**
 * Returns the fingerprint of a card, upright if a picture tells. Otherwise it may be upside down, which does not matter:
 * photos are compared in both orientations.
 *
 * @param embedder version of the embedder
 */
export function takeFingerprint(
  { embed, hashes }: Pick<CardObservation, 'embed' | 'hashes'>,
  match: Pick<PictureMatch, 'hits' | 'neighbors'>,
  embedder: string,
): string | undefined {
  const orientation = findOrientation(match) ?? 0
  // The first crop is not shifted.
  const [hash] = hashes(orientation)
  return hash && formatFingerprint(embedder, { vector: embed(orientation), hash })
}
