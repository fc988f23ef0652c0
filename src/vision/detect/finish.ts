// What lies on the print of a card: whether it shines as foil does, and whether a stamp is on it.
import type { Surface } from '#rules/photos/photo-reading.ts'
import type { Sight } from '../pipeline.ts'
import type { Found } from '../retrieval/vector-search.ts'
import { chanceOf, type Network, toInput } from '../runtime/model.ts'

/** @param crop as the embedder is given it: one straight crop serves both */
export function readSurface(network: Network, crop: Uint8Array): Surface {
  const [foil, stamped] = network.run(toInput(crop)).marks ?? []
  if (foil === undefined || stamped === undefined) throw new Error('A surface has two marks.')
  return { foil: chanceOf(foil), stamped: chanceOf(stamped) }
}

/** Of a card's face, the way up in which it looks most like a picture of the index. */
export function surfaceOf(
  { kind, surface }: Pick<Sight, 'kind' | 'surface'>,
  found: readonly Found[],
): Surface | undefined {
  const isFace = kind === 'raw' || kind === 'graded slab'
  return isFace ? surface(found[0]?.asked ?? 0) : undefined
}
