// Runs a trained network: a list of operations that is validated when it is loaded.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs-core'
import type { Size } from '../image/rectify.ts'

export type Shape3 = [height: number, width: number, channels: number]
type Padding = [top: number, bottom: number, left: number, right: number]
type Stride = [down: number, across: number]
type Convolution = {
  op: 'conv' | 'depthwise'
  in: string
  out: string
  weights: string
  bias: string
  stride: number | Stride
  pad: Padding
  act: 'relu6' | 'linear'
}
type Operation =
  | Convolution
  | { op: 'add' | 'concat'; in: [string, string]; out: string }
  | { op: 'resize'; in: string; out: string; size: [height: number, width: number] }

/** Contents of `<name>.json`, written by scripts/training/cardstock_training/train/export.py. */
export type NetworkFile = {
  name: string
  input: Shape3
  ops: Operation[]
  outputs: string[]
  weights: tf.io.WeightsManifestEntry[]
}

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

/** Converts pixels to the input of the networks, -1 to 1. */
export function toInput(pixels: Uint8Array): Float32Array {
  const input = new Float32Array(pixels.length)
  for (let i = 0; i < pixels.length; i++) input[i] = (pixels[i] ?? 0) / 127.5 - 1
  return input
}

/** Converts a logit to a probability. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

/** Size of a picture relative to the input of the network. */
type RelativeSize = { down: number; across: number }

function perform(
  operation: Operation,
  tensors: Map<string, tf.Tensor4D>,
  weights: Map<string, tf.Tensor>,
  { down, across }: RelativeSize,
): tf.Tensor4D {
  switch (operation.op) {
    case 'conv':
    case 'depthwise': {
      const settings = {
        x: read(tensors, operation.in),
        // `checkNetwork` has checked that the weights have four dimensions.
        filter: read(weights, operation.weights) as tf.Tensor4D,
        bias: read(weights, operation.bias),
        strides: strideOf(operation.stride),
        // Padding within the convolution is two to four times as fast as a separate operation.
        pad: padOf(operation.pad),
        activation: operation.act,
      }
      if (operation.op === 'conv') return tf.fused.conv2d(settings)
      // The type lacks explicit padding; the implementation and both backends support it.
      return tf.fused.depthwiseConv2d({ ...settings, pad: settings.pad as unknown as 'valid' })
    }
    case 'add':
      return tf.add(read(tensors, operation.in[0]), read(tensors, operation.in[1]))
    case 'concat':
      return tf.concat([read(tensors, operation.in[0]), read(tensors, operation.in[1])], 3)
    case 'resize': {
      const [height, width] = operation.size
      const size: [number, number] = [Math.round(height * down), Math.round(width * across)]
      return tf.image.resizeBilinear(read(tensors, operation.in), size, false, true)
    }
  }
}

/** Networks for text have different strides for height and width. */
function strideOf(stride: number | Stride): Stride {
  return typeof stride === 'number' ? [stride, stride] : stride
}

function padOf([top, bottom, left, right]: Padding): tf.backend_util.ExplicitPadding {
  return [
    [0, 0],
    [top, bottom],
    [left, right],
    [0, 0],
  ]
}

function read<T>(map: Map<string, T>, name: string): T {
  const found = map.get(name)
  if (found === undefined) throw new Error(`The tensor "${name}" does not exist.`)
  return found
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

/** Checks the operations by their shapes, so that an invalid file is rejected when it is loaded. */
function checkNetwork(file: NetworkFile, bin: Uint8Array): void {
  const shapes = new Map<string, Shape3>([['input', file.input]])
  const weights = new Map(file.weights.map((entry) => [entry.name, entry.shape]))
  for (const [index, operation] of file.ops.entries()) {
    const fail = (reason: string): never => {
      throw new Error(`${file.name}: operation ${index} (${operation.op}) ${reason}.`)
    }
    if (shapes.has(operation.out)) fail(`writes "${operation.out}", which already exists`)
    shapes.set(operation.out, shapeAfter(operation, shapes, weights, fail))
  }
  for (const name of file.outputs) {
    if (!shapes.has(name))
      throw new Error(`${file.name}: no operation writes the output "${name}".`)
  }
  const bytes = file.weights.reduce((sum, entry) => sum + bytesOf(entry), 0)
  if (bytes !== bin.length) {
    throw new Error(`${file.name}: the weights have ${bin.length} bytes, expected ${bytes}.`)
  }
}

function bytesOf({ shape, quantization }: tf.io.WeightsManifestEntry): number {
  const bytesEach = quantization?.dtype === 'float16' ? 2 : 4
  return shape.reduce((product, side) => product * side, bytesEach)
}

function shapeAfter(
  operation: Operation,
  shapes: Map<string, Shape3>,
  weights: Map<string, number[]>,
  fail: (reason: string) => never,
): Shape3 {
  const shapeOf = (name: string) =>
    shapes.get(name) ?? fail(`reads "${name}", which does not exist`)
  switch (operation.op) {
    case 'conv':
    case 'depthwise':
      return shapeAfterConvolution(operation, shapeOf(operation.in), weights, fail)
    case 'add': {
      const [one, other] = [shapeOf(operation.in[0]), shapeOf(operation.in[1])]
      return `${one}` === `${other}` ? one : fail(`adds ${one} and ${other}`)
    }
    case 'concat': {
      const [one, other] = [shapeOf(operation.in[0]), shapeOf(operation.in[1])]
      if (one[0] !== other[0] || one[1] !== other[1]) fail(`joins ${one} and ${other}`)
      return [one[0], one[1], one[2] + other[2]]
    }
    case 'resize':
      return [...operation.size, shapeOf(operation.in)[2]]
    default:
      return fail('is unknown')
  }
}

function shapeAfterConvolution(
  operation: Extract<Operation, { op: 'conv' | 'depthwise' }>,
  [height, width, channels]: Shape3,
  weights: Map<string, number[]>,
  fail: (reason: string) => never,
): Shape3 {
  const filter = weights.get(operation.weights) ?? fail(`has no weights "${operation.weights}"`)
  const bias = weights.get(operation.bias) ?? fail(`has no bias "${operation.bias}"`)
  const [tall = 0, wide = 0, into = 0, times = 0] = filter
  if (filter.length !== 4 || into !== channels)
    fail(`has weights ${filter} for ${channels} channels`)
  const outputs = operation.op === 'conv' ? times : into
  if (operation.op === 'depthwise' && times !== 1)
    fail(`has weights ${filter}, expected one per channel`)
  if (`${bias}` !== `${outputs}`) fail(`has a bias ${bias} for ${outputs} channels`)
  if (operation.act !== 'relu6' && operation.act !== 'linear')
    fail(`has the unknown activation "${operation.act}"`)
  const [top, bottom, left, right] = operation.pad
  const [down, across] = strideOf(operation.stride)
  const after = (size: number, kernel: number, step: number) =>
    Math.floor((size - kernel) / step) + 1
  const shape: Shape3 = [
    after(height + top + bottom, tall, down),
    after(width + left + right, wide, across),
    outputs,
  ]
  return shape.every((side) => side >= 1) ? shape : fail(`results in the shape ${shape}`)
}
