import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Tells the threads of this process how their eye opens: a thread sees no later change of the environment. */
export const PIPELINE_SCRIPT_FILE = join(tmpdir(), `cardstock-scripted-eye-${process.pid}`)

/** A vector of its own for each number, the same in every thread. */
export function scriptedVector(number: number): Int8Array {
  let state = number
  return Int8Array.from({ length: 128 }, () => {
    state = Math.imul(state + 0x6d2b79f5, 0x9e3779b1)
    return state >> 24
  })
}
