/**
 * Compares the text detector with the same network in onnxruntime. text_detector.py of
 * scripts/training/cardstock_training/train writes the network, the picture and the expected logits. The service
 * computes GELU with tanh, and the transposed convolutions as plain ones with a channel for each pixel.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadBackend } from '#vision/runtime/backend.ts'
import { loadNetwork, sigmoid, toInput } from '#vision/runtime/model.ts'

type Golden = { width: number; height: number; input: string; logits: string }

const MODEL = resolve(import.meta.dir, '../../data/model')
// The file is written together with the network; a missing field fails below.
const golden = JSON.parse(
  readFileSync(join(MODEL, 'golden/text-detector-onnxruntime.json'), 'utf8'),
) as Golden

const COSINE_MIN = 0.9999
/** Maximum difference between two probabilities. */
const DIFFERENCE_MAX = 0.02

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? Number.NaN), 0)

describe('the text detector', () => {
  test('equals onnxruntime at each pixel', async () => {
    await loadBackend()
    const network = await loadNetwork(MODEL, 'text-detector')
    const { width, height } = golden
    const stride = Number(network.setting('stride'))
    const { text = new Float32Array() } = network.run(toInput(bytesOf(golden.input)), {
      width,
      height,
    })
    network.close()
    const wanted = new Float32Array(bytesOf(golden.logits).buffer)
    expect(wanted).toHaveLength(width * height)
    expect(text).toHaveLength(width * height)
    // A cell has the logits of a square of pixels, row by row.
    const got = Float32Array.from(wanted, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)]
      const cell = Math.floor(y / stride) * (width / stride) + Math.floor(x / stride)
      return text[cell * stride ** 2 + (y % stride) * stride + (x % stride)] ?? Number.NaN
    })
    const differences = got.map((logit, at) =>
      Math.abs(sigmoid(logit) - sigmoid(wanted[at] ?? Number.NaN)),
    )
    expect(differences.reduce((most, each) => Math.max(most, each), 0)).toBeLessThan(DIFFERENCE_MAX)
    const cosine = dot(got, wanted) / Math.sqrt(dot(got, got) * dot(wanted, wanted))
    expect(cosine).toBeGreaterThan(COSINE_MIN)
    // The picture shows four lines.
    expect(wanted.filter((logit) => logit > 0).length).toBeGreaterThan(1000)
  })
})
