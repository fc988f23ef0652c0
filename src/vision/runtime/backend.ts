import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import * as tf from '@tensorflow/tfjs-core'

/** What computes: TensorFlow's own library, or XNNPACK in WebAssembly. */
export type Backend = 'tensorflow' | 'wasm'

let opened: Promise<Backend> | undefined

/** Makes the fastest backend there is the current one of this thread. Decided once. */
export function loadBackend(): Promise<Backend> {
  opened ??= chooseBackend()
  return opened
}

async function chooseBackend(): Promise<Backend> {
  const backend = (await loadNative()) ? 'tensorflow' : 'wasm'
  if (backend === 'wasm') setWasmPaths(join(dirname(packageFile()), '/'))
  if (!(await tf.setBackend(backend))) throw new Error(`TensorFlow's backend ${backend} failed.`)
  return backend
}

/** The native backend is not among our packages: who has installed it gets it, see decision 10. */
async function loadNative(): Promise<boolean> {
  // A variable, because the compiler would look for the package otherwise.
  const name = '@tensorflow/tfjs-node'
  try {
    await import(name)
    return tf.findBackend('tensorflow') !== null
  } catch {
    return false
  }
}

/** The WebAssembly modules lie beside the package's own entry. */
function packageFile(): string {
  return fileURLToPath(import.meta.resolve('@tensorflow/tfjs-backend-wasm'))
}
