// A trained network: its list of operations, checked when it is loaded and run one by one.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs-core'
import type { Size } from '../image/letterbox.ts'

export type Shape3 = [height: number, width: number, channels: number]
type Padding = [top: number, bottom: number, left: number, right: number]
type Stride = [down: number, across: number]
type Convolution = {
  in: string
  out: string
  weights: string
  bias: string
  stride: number | Stride
  pad: Padding
  act: 'relu6' | 'linear'
}
type Operation =
  | ({ op: 'conv' } & Convolution)
  | ({ op: 'depthwise' } & Convolution)
  | { op: 'add' | 'concat'; in: [string, string]; out: string }
  | { op: 'resize'; in: string; out: string; size: [height: number, width: number] }

/** What `<name>.json` holds; `scripts/training/export.py` writes it. */
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
  /** A value of the JSON file beside those that every network has. */
  setting(name: string): unknown
  /**
   * @param input NHWC, as many pictures as its length allows; see `toInput`
   * @param size of each picture, where it is not the network's own: every stride must divide it evenly
   */
  run(input: Float32Array, size?: Size): Record<string, Float32Array>
  close(): void
}

/** Reads `<name>.json` and `<name>.bin`. The backend must have been opened. */
export async function loadNetwork(folder: string, name: string): Promise<Network> {
  const [json, bin] = await Promise.all([
    readFile(join(folder, `${name}.json`)),
    readFile(join(folder, `${name}.bin`)),
  ])
  // `checkNetwork` looks at every field that is used.
  const file = JSON.parse(json.toString('utf8')) as NetworkFile
  return createNetwork(file, bin)
}

/** @throws Error naming the operation, when the list cannot be run as it stands */
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
      const shares: Shares = { down: size.height / height, across: size.width / width }
      const tensors = new Map<string, tf.Tensor4D>()
      tensors.set('input', tf.tensor4d(input, [batch, size.height, size.width, channels]))
      try {
        for (const [index, operation] of file.ops.entries()) {
          tensors.set(operation.out, perform(operation, tensors, weights, shares))
          for (const name of lastUse[index] ?? []) drop(tensors, name)
        }
        return Object.fromEntries(
          // An output is read as it stands: the backends here answer at once.
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
 * A setting that lists names, each of which must be known here.
 *
 * @throws Error naming the network and the setting, or the name that is not known
 */
export function readNameSetting<Name extends string>(
  { name, setting }: Pick<Network, 'name' | 'setting'>,
  of: string,
  known: readonly Name[],
): Name[] {
  const listed = setting(of)
  if (!Array.isArray(listed)) throw new Error(`The ${name} names its ${of}.`)
  return listed.map((one) => {
    const found = known.find((each) => each === one)
    if (found === undefined)
      throw new Error(`The ${name} knows ${of} that are not known: "${one}".`)
    return found
  })
}

/** Pixels as the networks were trained on them: -1 to 1. */
export function toInput(pixels: Uint8Array): Float32Array {
  const input = new Float32Array(pixels.length)
  for (let i = 0; i < pixels.length; i++) input[i] = (pixels[i] ?? 0) / 127.5 - 1
  return input
}

/** 0 to 1, as a logit among the outputs of a network says it. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

/** How much of the network's own input a picture is. */
type Shares = { down: number; across: number }

function perform(
  operation: Operation,
  tensors: Map<string, tf.Tensor4D>,
  weights: Map<string, tf.Tensor>,
  { down, across }: Shares,
): tf.Tensor4D {
  switch (operation.op) {
    case 'conv':
    case 'depthwise': {
      const settings = {
        x: read(tensors, operation.in),
        // `checkNetwork` has seen that the weights have four dimensions.
        filter: read(weights, operation.weights) as tf.Tensor4D,
        bias: read(weights, operation.bias),
        strides: strideOf(operation.stride),
        // Padding within the convolution: two to four times as fast as an operation of its own.
        pad: padOf(operation.pad),
        activation: operation.act,
      }
      if (operation.op === 'conv') return tf.fused.conv2d(settings)
      // Its type leaves explicit padding out; its code and every backend know it, tested.
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

/** Lines of text lose height faster than width. */
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
  if (found === undefined) throw new Error(`"${name}" is not there.`)
  return found
}

function drop(tensors: Map<string, tf.Tensor4D>, name: string): void {
  tensors.get(name)?.dispose()
  tensors.delete(name)
}

/** Which tensors nobody reads any more after each operation: the memory of a run stays small. */
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

/** Walks through the list once with shapes alone, so that a wrong file is refused at the start. */
function checkNetwork(file: NetworkFile, bin: Uint8Array): void {
  const shapes = new Map<string, Shape3>([['input', file.input]])
  const weights = new Map(file.weights.map((entry) => [entry.name, entry.shape]))
  for (const [index, operation] of file.ops.entries()) {
    const fail = (reason: string): never => {
      throw new Error(`${file.name}: operation ${index} (${operation.op}) ${reason}.`)
    }
    if (shapes.has(operation.out)) fail(`writes "${operation.out}", which is there already`)
    shapes.set(operation.out, shapeAfter(operation, shapes, weights, fail))
  }
  for (const name of file.outputs) {
    if (!shapes.has(name)) throw new Error(`${file.name}: nothing writes the output "${name}".`)
  }
  const bytes = file.weights.reduce((sum, entry) => sum + bytesOf(entry), 0)
  if (bytes !== bin.length) {
    throw new Error(`${file.name}: the weights are ${bin.length} bytes and should be ${bytes}.`)
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
  const shapeOf = (name: string) => shapes.get(name) ?? fail(`reads "${name}", which is not there`)
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
      return fail('is none that is known')
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
  if (operation.op === 'depthwise' && times !== 1) fail(`has weights ${filter}, not one a channel`)
  if (`${bias}` !== `${outputs}`) fail(`has a bias ${bias} for ${outputs} channels`)
  if (operation.act !== 'relu6' && operation.act !== 'linear') fail(`knows no "${operation.act}"`)
  const [top, bottom, left, right] = operation.pad
  const [down, across] = strideOf(operation.stride)
  const after = (size: number, kernel: number, step: number) =>
    Math.floor((size - kernel) / step) + 1
  const shape: Shape3 = [
    after(height + top + bottom, tall, down),
    after(width + left + right, wide, across),
    outputs,
  ]
  return shape.every((side) => side >= 1) ? shape : fail(`would leave ${shape}`)
}
