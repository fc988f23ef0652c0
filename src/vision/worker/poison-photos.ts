import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Photos that have crashed a reader thread, or ended the connection to a worker. */
export type PoisonPhotos = {
  /** Records a crash while this photo was read. */
  recordCrash(photo: Uint8Array): void
  /** Returns the error for a photo that is still refused; undefined if it may be read. */
  refusalFor(photo: Uint8Array): ServiceError | undefined
}

/** A photo is refused after this number of crashes. */
const CRASHES_MAX = 2

/** Each crash takes a thread some seconds, so there are few photos. */
const PHOTOS_MAX = 1_000

/**
 * Refuses photos that repeatedly crash their thread. Otherwise a caller who resends such a photo keeps the
 * reader busy with restarts.
 */
export function createPoisonPhotos(refusalMs: number): PoisonPhotos {
  const crashes = new LRUCache<string, number>({
    max: PHOTOS_MAX,
    ttl: refusalMs,
    ttlResolution: 0,
  })

  return {
    recordCrash(photo) {
      crashes.purgeStale()
      const key = keyOf(photo)
      crashes.set(key, (crashes.get(key) ?? 0) + 1)
    },
    refusalFor(photo) {
      // Skips the hash, which takes milliseconds for a large photo.
      if (crashes.size === 0) return undefined
      const key = keyOf(photo)
      const count = crashes.get(key) ?? 0
      return count >= CRASHES_MAX ? refusal(crashes.getRemainingTTL(key)) : undefined
    },
  }
}

function refusal(ms: number): ServiceError {
  return new ServiceError(
    'IDENTIFY_UNAVAILABLE',
    'This photo cannot be read. Send another photo of the same card.',
    { retryAfter: Math.ceil(ms / 1000) },
  )
}

const keyOf = (photo: Uint8Array) => createHash('sha256').update(photo).digest('base64')
