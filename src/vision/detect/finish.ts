// Estimates the finish of a card: foil.
import type { FinishEstimate } from '#rules/photos/photo-reading.ts'
import type { CardObservation } from '../observation.ts'
import { isOrientationCertain } from '../retrieval/rerank.ts'
import type { VectorHit } from '../retrieval/vector-search.ts'
import { type Network, sigmoid, toInput } from '../runtime/model.ts'

/** @param crop the card from edge to edge, in the size of the network's input */
export function estimateFinish(network: Network, crop: Uint8Array): FinishEstimate {
  const [foil] = network.run(toInput(crop)).marks ?? []
  if (foil === undefined) throw new Error('The surface network must have the output "marks".')
  return { foilProbability: sigmoid(foil) }
}

/**
 * Estimates the finish of a card face. If no picture of the index shows which way is up, only foil that both
 * orientations show counts.
 */
export function observeFinish(
  {
    kind,
    orientations,
    estimateFinish,
  }: Pick<CardObservation, 'kind' | 'orientations' | 'estimateFinish'>,
  hits: readonly VectorHit[],
): FinishEstimate | undefined {
  if (kind !== 'raw' && kind !== 'graded slab') return undefined
  if (isOrientationCertain(hits)) return estimateFinish(hits[0]?.queryIndex ?? 0)
  const both = Array.from({ length: orientations }, (_, orientation) => estimateFinish(orientation))
  return { foilProbability: Math.min(...both.map(({ foilProbability }) => foilProbability)) }
}
