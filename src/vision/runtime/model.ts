// Runs a trained network: a list of operations that is validated when it is loaded.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs-core'
import type { Size } from '../image/rectify.ts'
import { type BandedMap, disposeMap, readNumbers } from './bands.ts'
import type { NetworkFile, Shape3 } from './network-file.ts'
import { read } from './operations.ts'
import { planSteps } from './plan.ts'
import { runPlan } from './run-plan.ts'
import { checkNetwork } from './shapes.ts'

export type Network = {
  name: string
  input: Shape3
  /** Returns an additional value of the JSON file. */
  setting(name: string): unknown
  /**
   * Runs the network on a batch.
   *
   * @param input NHWC, one or more pictures; see `toInput`
   * @param size size of each picture, if not that of the network; must be divisible by every stride
   */
  run(input: Float32Array, size?: Size): Record<string, Float32Array>
  close(): void
}

/** Loads `<name>.json` and `<name>.bin`. The backend must be loaded first. */
export async function loadNetwork(folder: string, name: string): Promise<Network> {
  const [json, bin] = await Promise.all([
    readFile(join(folder, `${name}.json`)),
    readFile(join(folder, `${name}.bin`)),
  ])
  // `checkNetwork` validates every field that is used.
  const file = JSON.parse(json.toString('utf8')) as NetworkFile
  return createNetwork(file, bin)
}

/** Maximum pixels of a band, which is as wide as the map. */
const BAND_PIXELS = 8192

/** @throws Error naming the first invalid operation */
export function createNetwork(file: NetworkFile, bin: Uint8Array): Network {
  checkNetwork(file, bin)
  const decoded = tf.io.decodeWeights(new Uint8Array(bin).buffer, file.weights)
  const weights = new Map<string, tf.Tensor>(Object.entries(decoded))
  const plan = planSteps(file)
  const [height, width, channels] = file.input

  return {
    name: file.name,
    input: file.input,
    setting: (name) => new Map<string, unknown>(Object.entries(file)).get(name),
    run(input, size = { width, height }) {
      const numbers = size.width * size.height * channels
      const batch = input.length / numbers
      if (!Number.isInteger(batch) || batch === 0) {
        throw new Error(`${file.name}: the input must be a multiple of ${numbers} numbers.`)
      }
      const maps = new Map([['input', bandOf(input, [batch, size.height, size.width, channels])]])
      const relativeSize = { down: size.height / height, across: size.width / width }
      // The rows of several pictures do not lie in one piece.
      const rowsMax = (rows: number) =>
        batch > 1 ? rows : Math.ceil((BAND_PIXELS * size.height) / (size.width * rows))
      try {
        runPlan(maps, { plan, weights, relativeSize, rowsMax })
        return Object.fromEntries(file.outputs.map((name) => [name, readNumbers(read(maps, name))]))
      } finally {
        for (const map of maps.values()) disposeMap(map)
      }
    },
    close() {
      for (const tensor of weights.values()) tensor.dispose()
      weights.clear()
    },
  }
}

/**
 * Reads a setting that lists names.
 *
 * @throws Error if it is not a list, or has an unknown name
 */
export function readNameSetting<Name extends string>(
  { name, setting }: Pick<Network, 'name' | 'setting'>,
  of: string,
  known: readonly Name[],
): Name[] {
  const listed = setting(of)
  if (!Array.isArray(listed)) throw new Error(`${name}: the setting "${of}" must be a list.`)
  return listed.map((one) => {
    const found = known.find((each) => each === one)
    if (found === undefined)
      throw new Error(`${name}: the setting "${of}" has the unknown value "${one}".`)
    return found
  })
}

/**
 * Input of the latest run, which is reused: hundreds of inputs a second would create garbage faster than it is
 * collected.
 */
let latestInput = new Float32Array(0)

/** Converts pixels to the input of the networks, -1 to 1. The result is valid until the next call. */
export function toInput(pixels: Uint8Array): Float32Array {
  if (latestInput.length < pixels.length) latestInput = new Float32Array(pixels.length)
  const input = latestInput.subarray(0, pixels.length)
  for (let i = 0; i < pixels.length; i++) input[i] = (pixels[i] ?? 0) / 127.5 - 1
  return input
}

/** Converts a logit to a probability. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

function bandOf(numbers: Float32Array, shape: [number, number, number, number]): BandedMap {
  const height = shape[1]
  return { height, bands: [{ rows: { top: 0, bottom: height }, map: tf.tensor4d(numbers, shape) }] }
}
