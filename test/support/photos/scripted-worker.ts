// A reading thread whose eye does what the photo says, in words. Where the file EYE_FILE
// says `broken` or `never`, the eye does not open.
import { existsSync, readFileSync } from 'node:fs'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Eye, Sight } from '#vision/pipeline.ts'
import { serveEye } from '#vision/worker/serve.ts'
import { EYE_FILE, vectorOf } from './scripted-pipeline.ts'

serveEye(openScriptedEye)

async function openScriptedEye(): Promise<Eye> {
  const how = existsSync(EYE_FILE) ? readFileSync(EYE_FILE, 'utf8') : ''
  if (how === 'broken') throw new Error('no model')
  if (how === 'never') await new Promise(() => {})
  return {
    backend: 'wasm',
    look: async (photo) => look(wordsOf(photo)),
    pictureOf: () => Promise.reject(new Error('not for catalog pictures')),
    close() {},
  }
}

/** What stands behind the last NUL: before it are the first bytes of a picture, where they matter. */
function wordsOf(photo: Uint8Array): string[] {
  const words = photo.subarray(photo.lastIndexOf(0) + 1)
  return new TextDecoder().decode(words).split(' ')
}

async function look([deed, argument]: string[]): Promise<Sight> {
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
function sightOf(number: number): Sight {
  return {
    kind: 'raw',
    items: number,
    quality: undefined,
    print: () => [],
    surface: () => ({ foil: 0.1, stamped: 0.5 }),
    ways: 2,
    vector: (way) => vectorOf(way === 1 ? number : -1),
    hashes: (way) => (way === 1 ? [new Uint8Array(128).fill(0x0f), new Uint8Array(128)] : []),
  }
}
