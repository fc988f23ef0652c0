// Estimates the finish of a card: foil and stamps.
import type { FinishEstimate } from '#rules/photos/photo-reading.ts'
import type { CardObservation } from '../observation.ts'
import type { VectorHit } from '../retrieval/vector-search.ts'
import { type Network, sigmoid, toInput } from '../runtime/model.ts'

/** @param crop the crop of the embedder */
export function estimateFinish(network: Network, crop: Uint8Array): FinishEstimate {
  const [foil, stamped] = network.run(toInput(crop)).marks ?? []
  if (foil === undefined || stamped === undefined)
    throw new Error('The surface network must have the output "marks" with two values.')
  return { foilProbability: sigmoid(foil), stampProbability: sigmoid(stamped) }
}

/** Estimates the finish of a card face, in the orientation that is most similar to a picture of the index. */
export function observeFinish(
  { kind, estimateFinish }: Pick<CardObservation, 'kind' | 'estimateFinish'>,
  vectorHit: readonly VectorHit[],
): FinishEstimate | undefined {
  const isFace = kind === 'raw' || kind === 'graded slab'
  return isFace ? estimateFinish(vectorHit[0]?.queryIndex ?? 0) : undefined
}
