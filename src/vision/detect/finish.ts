// Estimates the finish of a card: foil.
import type { FinishEstimate } from '#rules/photos/photo-reading.ts'
import type { CardObservation } from '../observation.ts'
import type { VectorHit } from '../retrieval/vector-search.ts'
import { type Network, sigmoid, toInput } from '../runtime/model.ts'

/** @param crop the card from edge to edge, in the size of the network's input */
export function estimateFinish(network: Network, crop: Uint8Array): FinishEstimate {
  const [foil] = network.run(toInput(crop)).marks ?? []
  if (foil === undefined) throw new Error('The surface network must have the output "marks".')
  return { foilProbability: sigmoid(foil) }
}

/** Estimates the finish of a card face, in the orientation that is most similar to a picture of the index. */
export function observeFinish(
  { kind, estimateFinish }: Pick<CardObservation, 'kind' | 'estimateFinish'>,
  hits: readonly VectorHit[],
): FinishEstimate | undefined {
  const isFace = kind === 'raw' || kind === 'graded slab'
  return isFace ? estimateFinish(hits[0]?.queryIndex ?? 0) : undefined
}
