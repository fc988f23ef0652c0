import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Controls how the pipeline of reader threads loads. A file, because threads do not see later changes of the environment. */
export const PIPELINE_SCRIPT_FILE = join(tmpdir(), `cardstock-scripted-pipeline-${process.pid}`)

/** Returns a unique vector for a number, equal in every thread. */
export function scriptedVector(number: number): Int8Array {
  let state = number
  return Int8Array.from({ length: 128 }, () => {
    state = Math.imul(state + 0x6d2b79f5, 0x9e3779b1)
    return state >> 24
  })
}

/** Lines that the scripted pipeline reads, by the detail that is wanted. */
export const LINES = { all: 0, certain: 1, brief: 2 }
