import { createHash } from 'node:crypto'

/** A photo that has ended so many threads is refused for a while. */
const DEATHS_MOST = 2

/**
 * Photos that end the thread that reads them, whoever sends them: without this, one caller who sends
 * the same photo again and again keeps the reader busy with starting.
 */
export function createPoisonPhotos(refusedMs: number) {
  const deaths = new Map<string, { count: number; until: number }>()

  function forget(now: number): void {
    for (const [photo, { until }] of deaths) if (until <= now) deaths.delete(photo)
  }

  return {
    /** To be called when a thread died while it was reading this photo. */
    recordCrash(photo: Uint8Array): void {
      const now = performance.now()
      forget(now)
      const name = nameOf(photo)
      const count = (deaths.get(name)?.count ?? 0) + 1
      deaths.set(name, { count, until: now + refusedMs })
    },
    /** Milliseconds for which this photo is refused still; undefined where it may be read. */
    refusedForMs(photo: Uint8Array): number | undefined {
      // Nearly always so, and the name of a large photo takes milliseconds.
      if (deaths.size === 0) return undefined
      const { count, until } = deaths.get(nameOf(photo)) ?? { count: 0, until: 0 }
      const left = until - performance.now()
      return count >= DEATHS_MOST && left > 0 ? left : undefined
    },
  }
}

const nameOf = (photo: Uint8Array) => createHash('sha256').update(photo).digest('base64')
