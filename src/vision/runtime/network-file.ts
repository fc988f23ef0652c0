// The file format of a network. scripts/training/cardstock_training/train/export.py writes it.
import type * as tf from '@tensorflow/tfjs-core'

export type Shape3 = [height: number, width: number, channels: number]
type Padding = [top: number, bottom: number, left: number, right: number]
type Stride = [down: number, across: number]

/** Functions that a convolution applies to its result. */
export const ACTIVATIONS = ['linear', 'relu', 'relu6', 'gelu', 'hardsigmoid', 'hardswish'] as const
export type Activation = (typeof ACTIVATIONS)[number]

export type Convolution = {
  op: 'conv' | 'depthwise'
  in: string
  out: string
  weights: string
  bias: string
  stride: number | Stride
  pad: Padding
  act: Activation
}

export type Operation =
  | Convolution
  /** The second factor may have one value per channel. */
  | { op: 'concat' | 'mul'; in: [string, string]; out: string }
  | { op: 'add'; in: [string, string]; out: string; act?: Activation }
  /** Averages each channel over the whole map. */
  | { op: 'mean'; in: string; out: string }
  /** Averages areas of this size, side by side. */
  | { op: 'avgpool'; in: string; out: string; size: [height: number, width: number] }
  /** Takes the maximum of each pixel and its neighbors to the right and below. */
  | { op: 'maxpool'; in: string; out: string }
  /** Repeats each pixel this many times in both directions. */
  | { op: 'repeat'; in: string; out: string; times: number }
  | { op: 'resize'; in: string; out: string; size: [height: number, width: number] }

/** Contents of `<name>.json`. */
export type NetworkFile = {
  name: string
  input: Shape3
  ops: Operation[]
  outputs: string[]
  weights: tf.io.WeightsManifestEntry[]
}

/** Networks for text have different strides for height and width. */
export function strideOf(stride: number | Stride): Stride {
  return typeof stride === 'number' ? [stride, stride] : stride
}
