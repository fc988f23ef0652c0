import { createHash } from 'node:crypto'

/** Photos that have crashed a reader thread. */
export type PoisonPhotos = {
  /** Records that a thread crashed while reading this photo. */
  recordCrash(photo: Uint8Array): void
  /** Returns the milliseconds for which the photo is still refused; undefined if it may be read. */
  refusedForMs(photo: Uint8Array): number | undefined
}

/** A photo is refused after this number of crashes. */
const CRASHES_MAX = 2

/**
 * Refuses photos that repeatedly crash their thread. Otherwise a caller who resends such a photo keeps the
 * reader busy with restarts.
 */
export function createPoisonPhotos(refusalMs: number): PoisonPhotos {
  const crashes = new Map<string, { count: number; until: number }>()

  return {
    recordCrash(photo) {
      const now = performance.now()
      for (const [key, { until }] of crashes) if (until <= now) crashes.delete(key)
      const key = keyOf(photo)
      const count = (crashes.get(key)?.count ?? 0) + 1
      crashes.set(key, { count, until: now + refusalMs })
    },
    refusedForMs(photo) {
      // Skips the hash, which takes milliseconds for a large photo.
      if (crashes.size === 0) return undefined
      const { count, until } = crashes.get(keyOf(photo)) ?? { count: 0, until: 0 }
      const remaining = until - performance.now()
      return count >= CRASHES_MAX && remaining > 0 ? remaining : undefined
    },
  }
}

const keyOf = (photo: Uint8Array) => createHash('sha256').update(photo).digest('base64')
