/**
 * Compiles `src/vision/retrieval/int8-search.wasm` from its source, `int8-search.wat`. Run it after a change of the
 * source: a test fails if they differ.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'

const SOURCE = new URL('../../src/vision/retrieval/int8-search.wat', import.meta.url)
const PROGRAM = new URL('../../src/vision/retrieval/int8-search.wasm', import.meta.url)

/** Compiles the source. The result has the same bytes on every machine. */
export async function compileSearch(): Promise<Uint8Array> {
  const { parseWat } = await wabt()
  const parsed = parseWat('int8-search.wat', readFileSync(SOURCE, 'utf8'), { simd: true })
  try {
    parsed.validate()
    return parsed.toBinary({}).buffer
  } finally {
    parsed.destroy()
  }
}

if (import.meta.main) writeFileSync(PROGRAM, await compileSearch())
