// A reader thread whose pipeline executes a command in the photo. PIPELINE_SCRIPT_FILE with `broken` or `never`
// prevents the pipeline from loading.
import { existsSync, readFileSync } from 'node:fs'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { CardObservation } from '#vision/observation.ts'
import type { VisionPipeline } from '#vision/pipeline.ts'
import { serveReader } from '#vision/worker/serve.ts'
import { printedLine } from './candidate-fixtures.ts'
import { cutCardAt } from './reader-fixtures.ts'
import { LINES, PIPELINE_SCRIPT_FILE, scriptedVector } from './scripted-pipeline.ts'

serveReader(loadScriptedPipeline)

async function loadScriptedPipeline(): Promise<VisionPipeline> {
  const mode = existsSync(PIPELINE_SCRIPT_FILE) ? readFileSync(PIPELINE_SCRIPT_FILE, 'utf8') : ''
  if (mode === 'broken') throw new Error('no model')
  if (mode === 'never') await new Promise(() => {})
  return {
    backend: 'wasm',
    run: async (photo) => execute(commandOf(photo)),
    cut: async (photo) => ({
      size: { width: 3000, height: 4000 },
      cards: new TextDecoder()
        .decode(photo.subarray(photo.lastIndexOf(0) + 1))
        .split(', ')
        .map((command, index) => cutCardAt(new TextEncoder().encode(`RIFF\0${command}`), index)),
    }),
    fingerprint: () => Promise.reject(new Error('not for catalog pictures')),
    close() {},
  }
}

/** Returns the words after the last NUL. Photos may start with the first bytes of an image. */
function commandOf(photo: Uint8Array): string[] {
  const words = photo.subarray(photo.lastIndexOf(0) + 1)
  return new TextDecoder().decode(words).split(' ')
}

async function execute([command, argument]: string[]): Promise<CardObservation> {
  switch (command) {
    case 'hang':
      for (;;) {}
    case 'exit':
      process.exit(1)
      break
    case 'throw':
      await Bun.sleep(Number(argument ?? 0))
      throw new Error('internal error')
    case 'stray':
      setTimeout(() => {
        throw new Error('unhandled error')
      }, 0)
      await new Promise(() => {})
      break
    case 'refuse':
      throw new ServiceError('INVALID_IMAGE', 'The image could not be decoded.')
    case 'sleep':
      await Bun.sleep(Number(argument))
      break
    case 'collected':
      return cardWith(earlier.filter((card) => card.deref() === undefined).length)
  }
  const card = cardWith(Number(argument ?? 0))
  earlier.push(new WeakRef(card))
  return card
}

/** Cards of earlier photos, until the garbage collector frees them. */
const earlier: WeakRef<CardObservation>[] = []

/** Creates a card with this number of items, which matches the vector of the number in orientation 1. */
function cardWith(number: number): CardObservation {
  const hashes = [new Uint8Array(128).fill(0x0f), new Uint8Array(128)]
  return {
    photo: { width: 600, height: 800 },
    kind: 'raw',
    items: number,
    quality: undefined,
    // The number of lines without text shows how much was read.
    readText: (_, detail = 'all') =>
      Array.from({ length: LINES[detail] }, () => printedLine('', { kind: 'number' })),
    estimateFinish: () => ({ foilProbability: 0.1 }),
    orientations: 2,
    embed: (orientation) => scriptedVector(orientation === 1 ? number : -1),
    hashes: (orientation) => (orientation === 1 ? hashes : []),
  }
}
