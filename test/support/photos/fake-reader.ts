import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { PhotoReader } from '#vision/worker/photo-reader.ts'
import { OBSERVATION } from './reader-fixtures.ts'

/** Where in a photo its words begin. */
const HEAD = 'RIFF\0\0\0\0WEBP\0'

/** A photo that says itself what its reader does with it, and has a name to tell it from others. */
export type ScriptedPhoto = {
  name: string
  /** The card that it shows. */
  card?: number
  /** How long reading takes. */
  ms?: number
  /** How often it cannot be read before it can, whichever processes try; `always`: it never can. */
  fails?: number | 'always'
  /** It cannot be decoded. */
  broken?: boolean
}

export function scriptedPhoto(photo: ScriptedPhoto): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${HEAD}${JSON.stringify(photo)}`)
}

/** One photo that a process read, or failed to. */
export type ReadLine = { name: string; pid: number; outcome: 'read' | 'failed' | 'broken' }

/** Every photo that any process had, in order. */
export function readPhotoLog(logFile: string): ReadLine[] {
  if (!existsSync(logFile)) return []
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** A reader that does what photos say, and writes down each that it had, where a kill leaves it. */
export function createScriptedReader(logFile: string): PhotoReader {
  const failures = new Map<string, number>()
  const noteFailure = (name: string) => failures.set(name, (failures.get(name) ?? 0) + 1)
  for (const { name, outcome } of readPhotoLog(logFile)) if (outcome === 'failed') noteFailure(name)
  let reading = 0

  function outcomeOf({ name, fails = 0, broken = false }: ScriptedPhoto): ReadLine['outcome'] {
    if (broken) return 'broken'
    if (fails !== 'always' && (failures.get(name) ?? 0) >= fails) return 'read'
    noteFailure(name)
    return 'failed'
  }

  return {
    async read(bytes) {
      const photo: ScriptedPhoto = JSON.parse(new TextDecoder().decode(bytes).slice(HEAD.length))
      reading++
      await Bun.sleep(photo.ms ?? 0)
      reading--
      const outcome = outcomeOf(photo)
      const line: ReadLine = { name: photo.name, pid: process.pid, outcome }
      appendFileSync(logFile, `${JSON.stringify(line)}\n`)
      if (outcome === 'read') return observation(photo.card ?? 900401)
      if (outcome === 'broken') throw new ServiceError('INVALID_IMAGE', 'It cannot be decoded.')
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'Send it again.', { retryAfter: 1 })
    },
    state: () => ({ ready: true, waiting: 0, reading, replaced: 0, pictures: 1 }),
    close: async () => {},
  }
}

/** A sharp photo of one card. */
function observation(card_id: number): PhotoObservation {
  return { ...OBSERVATION, neighbors: [{ card_id, cosine: 0.96, distance: 60 }] }
}
