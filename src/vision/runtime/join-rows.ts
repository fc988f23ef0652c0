import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm'
import * as tf from '@tensorflow/tfjs-core'

/** Rows from `top` to before `bottom`. */
export type Rows = { top: number; bottom: number }

/** Some rows of a map of one picture. */
export type Part = { map: tf.Tensor4D; rows: Rows }

/** Joins rows of maps of one width, from top to bottom. */
export function joinRows(parts: readonly Part[]): tf.Tensor4D {
  const [first] = parts
  if (first === undefined) throw new Error('At least one part must be joined.')
  // Shares the memory if all rows of one map are taken.
  if (parts.length === 1 && isWhole(first)) return first.map.clone()
  return tf.getBackend() === 'wasm' ? copyInMemory(first.map, parts) : sliceAndJoin(parts)
}

function isWhole({ map, rows: { top, bottom } }: Part): boolean {
  return top === 0 && bottom === map.shape[1]
}

function sliceAndJoin(parts: readonly Part[]): tf.Tensor4D {
  return tf.tidy(() =>
    tf.concat(
      parts.map(({ map, rows: { top, bottom } }) =>
        tf.slice(map, [0, top, 0, 0], [-1, bottom - top, -1, -1]),
      ),
      1,
    ),
  )
}

/** Copies rows within the memory of the backend: its own operations first copy the whole map out of it. */
function copyInMemory({ shape }: tf.Tensor4D, parts: readonly Part[]): tf.Tensor4D {
  const backend = tf.backend() as BackendWasm
  const [, , width, channels] = shape
  const height = parts.reduce((sum, { rows: { top, bottom } }) => sum + bottom - top, 0)
  const joined = backend.makeOutput([1, height, width, channels], 'float32')
  const to = backend.typedArrayFromHeap(joined)
  const memory = new Uint8Array(to.buffer)
  const rowBytes = width * channels * to.BYTES_PER_ELEMENT
  let at = to.byteOffset
  for (const { map, rows } of parts) {
    const from = backend.typedArrayFromHeap(map).byteOffset
    memory.copyWithin(at, from + rows.top * rowBytes, from + rows.bottom * rowBytes)
    at += (rows.bottom - rows.top) * rowBytes
  }
  // A map has four dimensions.
  return tf.engine().makeTensorFromTensorInfo(joined) as tf.Tensor4D
}
