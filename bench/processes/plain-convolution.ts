// The limit of a photo: a convolution of the size that its networks have, on the same backend, for some hundred
// milliseconds.
import * as tf from '@tensorflow/tfjs-core'
import { loadBackend } from '#vision/runtime/backend.ts'

await loadBackend()
const image = tf.ones<tf.Rank.R4>([1, 128, 128, 32])
const filter = tf.ones<tf.Rank.R4>([3, 3, 32, 32])
const TURNS = 30
for (let turn = 0; turn < TURNS; turn++) {
  const result = tf.conv2d(image, filter, 1, 'same')
  result.dataSync()
  result.dispose()
}
