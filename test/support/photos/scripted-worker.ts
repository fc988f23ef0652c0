// A reading thread whose eye does what the photo says, in words. Where the file EYE_FILE
// says `broken` or `never`, the eye does not open.
import { existsSync, readFileSync } from 'node:fs'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { CardObservation } from '#vision/observation.ts'
import type { Pipeline } from '#vision/pipeline.ts'
import { serveReader } from '#vision/worker/serve.ts'
import { PIPELINE_SCRIPT_FILE, scriptedVector } from './scripted-pipeline.ts'

serveReader(openScriptedEye)

async function openScriptedEye(): Promise<Pipeline> {
  const how = existsSync(PIPELINE_SCRIPT_FILE) ? readFileSync(PIPELINE_SCRIPT_FILE, 'utf8') : ''
  if (how === 'broken') throw new Error('no model')
  if (how === 'never') await new Promise(() => {})
  return {
    backend: 'wasm',
    run: async (photo) => look(wordsOf(photo)),
    fingerprint: () => Promise.reject(new Error('not for catalog pictures')),
    close() {},
  }
}

/** What stands behind the last NUL: before it are the first bytes of a picture, where they matter. */
function wordsOf(photo: Uint8Array): string[] {
  const words = photo.subarray(photo.lastIndexOf(0) + 1)
  return new TextDecoder().decode(words).split(' ')
}

async function look([deed, argument]: string[]): Promise<CardObservation> {
  switch (deed) {
    case 'hang':
      for (;;) {}
    case 'exit':
      process.exit(1)
      break
    case 'throw':
      throw new Error('a fault of ours')
    case 'stray':
      setTimeout(() => {
        throw new Error('a fault that nobody awaits')
      }, 0)
      await new Promise(() => {})
      break
    case 'refuse':
      throw new ServiceError('INVALID_IMAGE', 'This is no image.')
    case 'sleep':
      await Bun.sleep(Number(argument))
  }
  return sightOf(Number(argument ?? 0))
}

/** A sight that tells the number by its items, and sees what has the vector of that number. */
function sightOf(number: number): CardObservation {
  return {
    kind: 'raw',
    items: number,
    quality: undefined,
    readText: () => [],
    estimateFinish: () => ({ foilProbability: 0.1, stampProbability: 0.5 }),
    orientations: 2,
    embed: (way) => scriptedVector(way === 1 ? number : -1),
    hashes: (way) => (way === 1 ? [new Uint8Array(128).fill(0x0f), new Uint8Array(128)] : []),
  }
}
