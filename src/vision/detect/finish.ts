// What lies on the print of a card: whether it shines as foil does, and whether a stamp is on it.
import type { FinishEstimate } from '#rules/photos/photo-reading.ts'
import type { CardObservation } from '../pipeline.ts'
import type { VectorHit } from '../retrieval/vector-search.ts'
import { type Network, sigmoid, toInput } from '../runtime/model.ts'

/** @param crop as the embedder is given it: one straight crop serves both */
export function estimateFinish(network: Network, crop: Uint8Array): FinishEstimate {
  const [foil, stamped] = network.run(toInput(crop)).marks ?? []
  if (foil === undefined || stamped === undefined) throw new Error('A surface has two marks.')
  return { foilProbability: sigmoid(foil), stampProbability: sigmoid(stamped) }
}

/** Of a card's face, the way up in which it looks most like a picture of the index. */
export function observeFinish(
  { kind, estimateFinish }: Pick<CardObservation, 'kind' | 'estimateFinish'>,
  vectorHit: readonly VectorHit[],
): FinishEstimate | undefined {
  const isFace = kind === 'raw' || kind === 'graded slab'
  return isFace ? estimateFinish(vectorHit[0]?.queryIndex ?? 0) : undefined
}
