import type { Frame } from '../image/rectify.ts'
import { type Network, toInput } from '../runtime/model.ts'

/**
 * Quantization steps per unit: -0.5 to 0.5 fills a byte. All vectors share one scale; with a scale per vector, 9 % of
 * the cards would not be found.
 */
export const VECTOR_SCALE = 127 / 0.5

/** Returns the crop of the embedder and the surface network: the card from edge to edge. */
export function cardFrame({ input: [height, width] }: Network): Frame {
  return { width, height, margin: 0 }
}

/** Returns the quantized vector of each crop, 128 numbers. */
export function embed(embedder: Network, crops: readonly Uint8Array[]): Int8Array[] {
  if (crops.length === 0) return []
  const size = embedder.input.reduce((product, side) => product * side, 1)
  const pixels = new Uint8Array(size * crops.length)
  for (const [index, crop] of crops.entries()) pixels.set(crop, index * size)
  const { vector } = embedder.run(toInput(pixels))
  if (vector === undefined) throw new Error('The embedder must have the output "vector".')
  const length = vector.length / crops.length
  return crops.map((_, index) =>
    quantizeVector(vector.subarray(index * length, (index + 1) * length)),
  )
}

/** Normalizes a vector to length 1 and quantizes it to bytes. */
export function quantizeVector(vector: Float32Array): Int8Array {
  const norm = Math.hypot(...vector) || 1
  return Int8Array.from(vector, (value) =>
    Math.max(-127, Math.min(127, Math.round((value / norm) * VECTOR_SCALE))),
  )
}
