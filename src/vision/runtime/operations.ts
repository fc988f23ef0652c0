// Performs the operations of a network with TensorFlow.js.
import * as tf from '@tensorflow/tfjs-core'
import { averageOfMap } from './bands.ts'
import { type Activation, type Convolution, type Operation, strideOf } from './network-file.ts'

/** Size of a picture relative to the input of the network. */
export type RelativeSize = { down: number; across: number }

/** Performs one operation. The caller disposes of the inputs and of the result. */
export function perform(
  operation: Operation,
  inputs: readonly tf.Tensor4D[],
  weights: ReadonlyMap<string, tf.Tensor>,
  { down, across }: RelativeSize,
): tf.Tensor4D {
  // `checkNetwork` has checked their number.
  const [input, second] = inputs as [tf.Tensor4D, tf.Tensor4D]
  switch (operation.op) {
    case 'conv':
    case 'depthwise':
      return convolve(operation, input, weights)
    case 'add':
      return activate(tf.add(input, second), operation.act ?? 'linear')
    case 'mul':
      return tf.mul(input, second)
    case 'concat':
      return tf.concat([input, second], 3)
    case 'mean':
      return averageOfMap(input)
    case 'avgpool':
      return tf.avgPool(input, operation.size, operation.size, 'valid')
    case 'maxpool':
      return tf.maxPool(input, 2, 1, 'same')
    case 'repeat':
      return repeatPixels(input, operation.times)
    case 'resize': {
      const [height, width] = operation.size
      const size: [number, number] = [Math.round(height * down), Math.round(width * across)]
      return tf.image.resizeBilinear(input, size, false, true)
    }
  }
}

function repeatPixels(map: tf.Tensor4D, times: number): tf.Tensor4D {
  const [, height, width] = map.shape
  return tf.image.resizeNearestNeighbor(map, [height * times, width * times])
}

/** @throws Error if there is no value of this name */
export function read<T>(map: ReadonlyMap<string, T>, name: string): T {
  const found = map.get(name)
  if (found === undefined) throw new Error(`The tensor "${name}" does not exist.`)
  return found
}

function convolve(
  operation: Convolution,
  x: tf.Tensor4D,
  weights: ReadonlyMap<string, tf.Tensor>,
): tf.Tensor4D {
  const { act } = operation
  const isFused = act === 'linear' || act === 'relu' || act === 'relu6'
  const settings = {
    x,
    // `checkNetwork` has checked that the weights have four dimensions.
    filter: read(weights, operation.weights) as tf.Tensor4D,
    bias: read(weights, operation.bias),
    strides: strideOf(operation.stride),
    // Padding within the convolution is two to four times as fast as a separate operation.
    pad: padOf(operation.pad),
    activation: isFused ? act : 'linear',
  } as const
  const result =
    operation.op === 'conv'
      ? tf.fused.conv2d(settings)
      : // The type lacks explicit padding; the implementation and both backends support it.
        tf.fused.depthwiseConv2d({ ...settings, pad: settings.pad as unknown as 'valid' })
  return isFused ? result : activate(result, act)
}

function padOf([top, bottom, left, right]: Convolution['pad']): tf.backend_util.ExplicitPadding {
  return [
    [0, 0],
    [top, bottom],
    [left, right],
    [0, 0],
  ]
}

/** Applies a function to a map, which it disposes of. */
function activate(map: tf.Tensor4D, act: Activation): tf.Tensor4D {
  if (act === 'linear') return map
  const activated = tf.tidy(() => FUNCTIONS[act](map))
  map.dispose()
  return activated
}

const FUNCTIONS: Record<Exclude<Activation, 'linear'>, (map: tf.Tensor4D) => tf.Tensor4D> = {
  relu: (map) => tf.relu(map),
  relu6: (map) => tf.relu6(map),
  gelu,
  hardsigmoid: hardSigmoid,
  hardswish: (map) => tf.mul(map, hardSigmoid(map)),
}

// GELU in its form with tanh, (1 + tanh(u)) / 2 = sigmoid(2u), which the WASM backend computes faster.
const GELU_LINEAR = 2 * Math.sqrt(2 / Math.PI)
const GELU_CUBIC = GELU_LINEAR * 0.044715

function gelu(x: tf.Tensor4D): tf.Tensor4D {
  return chain(
    tf.square(x),
    (squared) => tf.mul(squared, GELU_CUBIC),
    (cubic) => tf.add(cubic, GELU_LINEAR),
    (factor) => tf.mul(x, factor),
    (inner) => tf.sigmoid(inner),
    (share) => tf.mul(x, share),
  )
}

/** Applies functions in turn and disposes of each result but the last: maps of text are large. */
function chain(
  first: tf.Tensor4D,
  ...steps: readonly ((map: tf.Tensor4D) => tf.Tensor4D)[]
): tf.Tensor4D {
  return steps.reduce((map, step) => {
    const next = step(map)
    map.dispose()
    return next
  }, first)
}

function hardSigmoid(x: tf.Tensor4D): tf.Tensor4D {
  return chain(
    tf.add(x, 3),
    (shifted) => tf.relu6(shifted),
    (clipped) => tf.mul(clipped, 1 / 6),
  )
}
