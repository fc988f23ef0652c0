/**
 * Compares the recognizer with the same network in onnxruntime, on lines of several widths. export.py of
 * scripts/training/cardstock_training/train writes the lines and the expected results. The recognizer computes GELU
 * with tanh, has one color channel, and has its strides in other layers.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadBackend } from '#vision/runtime/backend.ts'
import { loadNetwork, type Network, toInput } from '#vision/runtime/model.ts'

type Line = { width: number; input: string; logits: string }

const MODEL = resolve(import.meta.dir, '../../data/model')
// The file is written together with the network; a missing field fails below.
const lines = JSON.parse(
  readFileSync(join(MODEL, 'golden/recognizer-onnxruntime.json'), 'utf8'),
) as Line[]

const COSINE_MIN = 0.9999
/** Maximum difference between two probabilities. */
const DIFFERENCE_MAX = 0.02

let network: Network
beforeAll(async () => {
  await loadBackend()
  network = await loadNetwork(MODEL, 'recognizer')
})

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? Number.NaN), 0)

/** Returns the softmax of each step. */
function probabilities(logits: Float32Array, classes: number): Float32Array {
  const exponentials = logits.map((value) => Math.exp(value))
  return exponentials.map((value, index) => {
    const first = index - (index % classes)
    return (
      value / exponentials.subarray(first, first + classes).reduce((sum, each) => sum + each, 0)
    )
  })
}

/** Returns the best class of each step. */
function bestClasses(logits: Float32Array, classes: number): number[] {
  return Array.from({ length: logits.length / classes }, (_, step) => {
    const own = logits.subarray(step * classes, (step + 1) * classes)
    return own.indexOf(Math.max(...own))
  })
}

describe('the recognizer', () => {
  test.each(lines.map((line, index) => [index, line.width, line] as const))(
    'equals onnxruntime on line %i of %i columns',
    (_, width, line) => {
      const classes = 1 + String(network.setting('alphabet')).length
      const wanted = new Float32Array(bytesOf(line.logits).buffer)
      const { text = new Float32Array() } = network.run(toInput(bytesOf(line.input)), {
        width,
        height: network.input[0],
      })
      expect(text).toHaveLength((width / Number(network.setting('stride'))) * classes)
      expect(wanted).toHaveLength(text.length)
      const likely = probabilities(wanted, classes)
      const distances = probabilities(text, classes).map((value, index) =>
        Math.abs(value - (likely[index] ?? Number.NaN)),
      )
      expect(Math.max(...distances)).toBeLessThan(DIFFERENCE_MAX)
      const cosine = dot(text, wanted) / Math.sqrt(dot(text, text) * dot(wanted, wanted))
      expect(cosine).toBeGreaterThan(COSINE_MIN)
      expect(bestClasses(text, classes)).toEqual(bestClasses(wanted, classes))
    },
  )
})
