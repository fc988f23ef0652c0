import { ServiceError } from '#rules/primitives/errors.ts'

/** `missing`: its host has none, or none that is read; `unreachable`: the host could not be asked. */
type ImageFailure = 'missing' | 'unreachable'

/** Remembers which pictures could not be had, so that not every visitor has their hosts asked again. */
export function createImageFailures(now: () => Date) {
  const known = new Map<string, { fault: ImageFailure; untilMs: number }>()

  return {
    /** @throws ServiceError NOT_FOUND or UNAVAILABLE while this picture is not asked for again */
    check(address: string): void {
      const found = known.get(address)
      if (found === undefined) return
      const leftMs = found.untilMs - now().getTime()
      if (leftMs > 0) throw failureError(found.fault, leftMs)
      known.delete(address)
    },
    /** @returns the refusal */
    record(address: string, imageFailure: ImageFailure): ServiceError {
      known.delete(address)
      known.set(address, { fault: imageFailure, untilMs: now().getTime() + PAUSE_MS[imageFailure] })
      const [oldest = address] = known.keys()
      if (known.size > KNOWN_MAX) known.delete(oldest)
      return failureError(imageFailure, PAUSE_MS[imageFailure])
    },
    /** The refusal of a picture that was not asked for, as its host wants to be left alone. */
    hostBackoff: (restMs: number) => failureError('unreachable', restMs),
  }
}

/** Until a picture is asked for again: a day, or ten minutes. */
const PAUSE_MS: Record<ImageFailure, number> = { missing: 86_400_000, unreachable: 600_000 }

/** Some megabytes of addresses. */
const KNOWN_MAX = 10_000

function failureError(imageFailure: ImageFailure, leftMs: number): ServiceError {
  return imageFailure === 'missing'
    ? new ServiceError('NOT_FOUND', 'Where this picture should be there is none: show the name.')
    : new ServiceError(
        'UNAVAILABLE',
        'The place of this picture does not answer. Ask again when Retry-After says.',
        { retryAfter: Math.ceil(leftMs / 1_000) },
      )
}
