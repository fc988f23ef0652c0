import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { PhotoReader } from '#vision/worker/photo-reader.ts'
import { cutCardAt, OBSERVATION } from './reader-fixtures.ts'

/** Valid first bytes of a photo, followed by its script. */
const HEAD = 'RIFF\0\0\0\0WEBP\0'

/** A photo that scripts its own reading. */
export type ScriptedPhoto = {
  name: string
  /** Id of the card in the photo. */
  card?: number
  /** Reading time in milliseconds. */
  ms?: number
  /** Number of failed reads over all processes before the first success. */
  fails?: number | 'always'
  /** True if it cannot be decoded. */
  broken?: boolean
  /** Photos of single cards, if it is a page. */
  cards?: ScriptedPhoto[]
}

export function scriptedPhoto(photo: ScriptedPhoto): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${HEAD}${JSON.stringify(photo)}`)
}

/** A log entry of one read. */
export type ReadLine = { name: string; pid: number; outcome: 'read' | 'failed' | 'broken' }

/** Returns the reads of all processes, in order. */
export function readPhotoLog(logFile: string): ReadLine[] {
  if (!existsSync(logFile)) return []
  // The last line may not be complete yet.
  const lines = readFileSync(logFile, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

/** Creates a reader that follows the scripts of its photos, and logs each read to a file that survives a kill. */
export function createScriptedReader(logFile: string): PhotoReader {
  const failures = new Map<string, number>()
  const countFailure = (name: string) => failures.set(name, (failures.get(name) ?? 0) + 1)
  for (const { name, outcome } of readPhotoLog(logFile))
    if (outcome === 'failed') countFailure(name)
  let reading = 0

  function outcomeOf({ name, fails = 0, broken = false }: ScriptedPhoto): ReadLine['outcome'] {
    if (broken) return 'broken'
    if (fails !== 'always' && (failures.get(name) ?? 0) >= fails) return 'read'
    countFailure(name)
    return 'failed'
  }

  const parse = (bytes: Uint8Array): ScriptedPhoto =>
    JSON.parse(new TextDecoder().decode(bytes).slice(HEAD.length))

  return {
    async cut(bytes) {
      const { cards = [] } = parse(bytes)
      return { size: { width: 3000, height: 4000 }, cards: cards.map(scriptedPhoto).map(cutCardAt) }
    },
    async read(bytes) {
      const photo = parse(bytes)
      reading++
      await Bun.sleep(photo.ms ?? 0)
      reading--
      const outcome = outcomeOf(photo)
      const line: ReadLine = { name: photo.name, pid: process.pid, outcome }
      appendFileSync(logFile, `${JSON.stringify(line)}\n`)
      if (outcome === 'read') return observation(photo.card ?? 900401)
      if (outcome === 'broken')
        throw new ServiceError('INVALID_IMAGE', 'The image could not be decoded.')
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'Try again.', { retryAfter: 1 })
    },
    assertRoom() {},
    state: () => ({ ready: true, threads: 1, waiting: 0, reading, replaced: 0, pictures: 1 }),
    close: async () => {},
  }
}

/** Observation of a sharp photo of one card. */
function observation(card_id: number): PhotoObservation {
  return { ...OBSERVATION, neighbors: [{ card_id, cosine: 0.96, distance: 60 }] }
}
