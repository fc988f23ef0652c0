import { LRUCache } from 'lru-cache'
import { ServiceError } from '#rules/primitives/errors.ts'

/** `missing`: the host has no readable image; `unreachable`: the host does not answer. */
type ImageFailure = 'missing' | 'unreachable'

/** Caches failed fetches, so that not every request retries the image's host. */
export type ImageFailures = {
  /** @throws ServiceError NOT_FOUND or UNAVAILABLE while this image is not retried */
  check(url: string): void
  /** @returns the error to throw */
  record(url: string, failure: ImageFailure): ServiceError
  /** @returns the error for an image that was not fetched because its host asked for a pause */
  hostBackoff(restMs: number): ServiceError
}

export function createImageFailures(now: () => Date): ImageFailures {
  const known = new LRUCache<string, ImageFailure>({
    max: KNOWN_MAX,
    // Each entry has a time of its own.
    ttl: 1,
    ttlResolution: 0,
    perf: { now: () => now().getTime() },
  })

  return {
    check(url) {
      const failure = known.get(url)
      if (failure !== undefined) throw failureError(failure, known.getRemainingTTL(url))
    },
    record(url, failure) {
      known.set(url, failure, { ttl: PAUSE_MS[failure] })
      return failureError(failure, PAUSE_MS[failure])
    },
    hostBackoff: (restMs) => failureError('unreachable', restMs),
  }
}

/** Time until a retry: a day, or ten minutes. */
const PAUSE_MS: Record<ImageFailure, number> = { missing: 86_400_000, unreachable: 600_000 }

/** Some megabytes of URLs. */
const KNOWN_MAX = 10_000

function failureError(failure: ImageFailure, leftMs: number): ServiceError {
  return failure === 'missing'
    ? new ServiceError('NOT_FOUND', 'Image not found at its source. Show the name instead.')
    : new ServiceError(
        'UNAVAILABLE',
        'The image source is unavailable. Retry after the time in Retry-After.',
        { retryAfter: Math.ceil(leftMs / 1_000) },
      )
}
