/**
 * Compares the committed networks with PyTorch on golden inputs.
 * scripts/training/cardstock_training/train/export.py writes networks and golden tensors together.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { decodeCorners } from '#vision/detect/refine-corners.ts'
import { loadBackend } from '#vision/runtime/backend.ts'
import { loadNetwork, toInput } from '#vision/runtime/model.ts'
import { maxCornerDistance } from '../support/photos/drawn-pictures.ts'

/** Input as bytes, outputs as float32 numbers. */
type Golden = { input: string; outputs: Record<string, { shape: number[]; data: string }> }

const MODEL = resolve(import.meta.dir, '../../data/model')
/** Both use weights in half precision; only the order of additions differs. Outputs reach up to 65. */
const DIFFERENCE_MAX = 1e-3
/** In pixels of the refiner's frame. */
const CORNER_MAX = 0.05
const COSINE_MIN = 0.9999

const numbers = (base64: string) => {
  const bytes = Buffer.from(base64, 'base64')
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index))
}
const largestOf = (values: Float32Array) => values.reduce((max, each) => Math.max(max, each), 0)
const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? Number.NaN), 0)

describe.each([
  'detector',
  'refiner',
  'page-refiner',
  'embedder',
  'covered-embedder',
  'recognizer',
  'surface',
])('the %s', (name) => {
  const path = join(MODEL, 'golden', `${name}.json`)
  const isThere = existsSync(path)
  if (!isThere) console.log(`    No golden tensors of the ${name} are at hand: it is not compared.`)

  test.skipIf(!isThere)('has the same output as where it was trained', async () => {
    await loadBackend()
    // Written by the export; a missing field fails below.
    const golden = JSON.parse(readFileSync(path, 'utf8')) as Golden
    const network = await loadNetwork(MODEL, name)
    const outputs = network.run(toInput(new Uint8Array(Buffer.from(golden.input, 'base64'))))
    network.close()
    expect(Object.keys(outputs).toSorted()).toEqual(Object.keys(golden.outputs).toSorted())
    for (const [output, { shape, data }] of Object.entries(golden.outputs)) {
      const wanted = numbers(data)
      const got = outputs[output] ?? new Float32Array()
      expect(got).toHaveLength(shape.reduce((product, side) => product * side, 1))
      const differences = got.map((value, index) => Math.abs(value - (wanted[index] ?? Number.NaN)))
      expect(largestOf(differences)).toBeLessThan(DIFFERENCE_MAX)
      const cosine = dot(got, wanted) / Math.sqrt(dot(got, got) * dot(wanted, wanted))
      expect(cosine).toBeGreaterThan(COSINE_MIN)
      if (output !== 'corners') continue
      const [height, width] = network.input
      const corners = decodeCorners(got, { width, height })
      expect(maxCornerDistance(corners, decodeCorners(wanted, { width, height }))).toBeLessThan(
        CORNER_MAX,
      )
    }
  })
})
