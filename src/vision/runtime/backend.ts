import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import * as tf from '@tensorflow/tfjs-core'

/** The TensorFlow backend: native or WASM/XNNPACK. */
export type Backend = 'tensorflow' | 'wasm'

let opened: Promise<Backend> | undefined

/** Activates the fastest available backend for this thread, once. */
export function loadBackend(): Promise<Backend> {
  opened ??= chooseBackend()
  return opened
}

async function chooseBackend(): Promise<Backend> {
  const backend = (await loadNative()) ? 'tensorflow' : 'wasm'
  if (backend === 'wasm') setWasmPaths(join(dirname(packageFile()), '/'))
  if (!(await tf.setBackend(backend)))
    throw new Error(`The TensorFlow backend "${backend}" failed to start.`)
  return backend
}

/** The native backend is optional and not a dependency, see decision 10. */
async function loadNative(): Promise<boolean> {
  // A variable, so that the compiler does not resolve the package.
  const name = '@tensorflow/tfjs-node'
  try {
    await import(name)
    return tf.findBackend('tensorflow') !== null
  } catch {
    return false
  }
}

/** Returns the entry of the package; the WASM modules are beside it. */
function packageFile(): string {
  return fileURLToPath(import.meta.resolve('@tensorflow/tfjs-backend-wasm'))
}
