// Checks a network by the shapes of its operations.
import type * as tf from '@tensorflow/tfjs-core'
import {
  ACTIVATIONS,
  type Convolution,
  type NetworkFile,
  type Operation,
  type Shape3,
  strideOf,
} from './network-file.ts'

/**
 * Checks a network, so that an invalid file is rejected when it is loaded.
 *
 * @throws Error naming the first invalid operation
 */
export function checkNetwork(file: NetworkFile, bin: Uint8Array): void {
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
      if (!ACTIVATIONS.includes(operation.act ?? 'linear'))
        fail(`has the unknown activation "${operation.act}"`)
      return `${one}` === `${other}` ? one : fail(`adds ${one} and ${other}`)
    }
    case 'mul': {
      const [one, other] = [shapeOf(operation.in[0]), shapeOf(operation.in[1])]
      const isFactor = `${other}` === `${one}` || `${other}` === `${[1, 1, one[2]]}`
      return isFactor ? one : fail(`multiplies ${one} by ${other}`)
    }
    case 'mean':
      return [1, 1, shapeOf(operation.in)[2]]
    case 'avgpool':
      return shapeAfterPool(shapeOf(operation.in), operation.size, fail)
    case 'concat': {
      const [one, other] = [shapeOf(operation.in[0]), shapeOf(operation.in[1])]
      if (one[0] !== other[0] || one[1] !== other[1]) fail(`joins ${one} and ${other}`)
      return [one[0], one[1], one[2] + other[2]]
    }
    case 'maxpool':
      return shapeOf(operation.in)
    case 'repeat': {
      const [height, width, channels] = shapeOf(operation.in)
      return [height * operation.times, width * operation.times, channels]
    }
    case 'resize':
      return [...operation.size, shapeOf(operation.in)[2]]
    default:
      return fail('is unknown')
  }
}

function shapeAfterPool(
  [height, width, channels]: Shape3,
  [tall, wide]: [height: number, width: number],
  fail: (reason: string) => never,
): Shape3 {
  const shape: Shape3 = [Math.floor(height / tall), Math.floor(width / wide), channels]
  return shape.every((side) => side >= 1) ? shape : fail(`results in the shape ${shape}`)
}

function shapeAfterConvolution(
  operation: Convolution,
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
  if (!ACTIVATIONS.includes(operation.act)) fail(`has the unknown activation "${operation.act}"`)
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
