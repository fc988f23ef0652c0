// Runs a trained network: a list of operations that is validated when it is loaded.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs-core'
import type { Size } from '../image/rectify.ts'
import type { NetworkFile, Shape3 } from './network-file.ts'
import { perform, type RelativeSize, read } from './operations.ts'
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

/** @throws Error naming the first invalid operation */
export function createNetwork(file: NetworkFile, bin: Uint8Array): Network {
  checkNetwork(file, bin)
  const decoded = tf.io.decodeWeights(new Uint8Array(bin).buffer, file.weights)
  const weights = new Map<string, tf.Tensor>(Object.entries(decoded))
  const lastUse = lastUses(file)
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
      const relativeSize: RelativeSize = { down: size.height / height, across: size.width / width }
      const tensors = new Map<string, tf.Tensor4D>()
      tensors.set('input', tf.tensor4d(input, [batch, size.height, size.width, channels]))
      try {
        for (const [index, operation] of file.ops.entries()) {
          tensors.set(operation.out, perform(operation, tensors, weights, relativeSize))
          for (const name of lastUse[index] ?? []) drop(tensors, name)
        }
        return Object.fromEntries(
          // Both backends run synchronously.
          file.outputs.map((name) => [name, read(tensors, name).dataSync<'float32'>().slice()]),
        )
      } finally {
        for (const name of [...tensors.keys()]) drop(tensors, name)
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

function drop(tensors: Map<string, tf.Tensor4D>, name: string): void {
  tensors.get(name)?.dispose()
  tensors.delete(name)
}

/** Returns the tensors that can be disposed after each operation. */
function lastUses({ ops, outputs }: NetworkFile): string[][] {
  const last = new Map<string, number>()
  for (const [index, operation] of ops.entries()) {
    last.set(operation.out, index)
    for (const name of [operation.in].flat()) last.set(name, index)
  }
  for (const name of outputs) last.delete(name)
  const uses: string[][] = ops.map(() => [])
  for (const [name, index] of last) uses[index]?.push(name)
  return uses
}
