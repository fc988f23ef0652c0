import type { Frame } from '../image/rectify.ts'
import { type Network, toInput } from '../runtime/model.ts'

/**
 * Steps of a number of a vector: 1/254, so that -0.5 to 0.5 fills a byte. One scale for all vectors:
 * one for each would cost nine cards in a hundred.
 */
export const VECTOR_SCALE = 127 / 0.5

/** How the embedder wants a card: from edge to edge. */
export function embedderFrame({ input: [height, width] }: Network): Frame {
  return { width, height, margin: 0 }
}

/** Where a card stands among all pictures: 128 numbers for each crop. */
export function embed(embedder: Network, crops: readonly Uint8Array[]): Int8Array[] {
  if (crops.length === 0) return []
  const size = embedder.input.reduce((product, side) => product * side, 1)
  const input = new Float32Array(size * crops.length)
  for (const [index, crop] of crops.entries()) input.set(toInput(crop), index * size)
  const { vector } = embedder.run(input)
  if (vector === undefined) throw new Error('An embedder gives a vector.')
  const length = vector.length / crops.length
  return crops.map((_, index) =>
    quantiseVector(vector.subarray(index * length, (index + 1) * length)),
  )
}

/** Of length 1, then in bytes. */
export function quantiseVector(vector: Float32Array): Int8Array {
  const norm = Math.hypot(...vector) || 1
  return Int8Array.from(vector, (value) =>
    Math.max(-127, Math.min(127, Math.round((value / norm) * VECTOR_SCALE))),
  )
}
