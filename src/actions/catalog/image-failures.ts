import { ServiceError } from '#rules/primitives/errors.ts'

/** `missing`: its host has none, or none that is read; `unreachable`: the host could not be asked. */
type Fault = 'missing' | 'unreachable'

/** Remembers which pictures could not be had, so that not every visitor has their hosts asked again. */
export function openPictureFaults(now: () => Date) {
  const known = new Map<string, { fault: Fault; untilMs: number }>()

  return {
    /** @throws ServiceError NOT_FOUND or UNAVAILABLE while this picture is not asked for again */
    check(address: string): void {
      const found = known.get(address)
      if (found === undefined) return
      const leftMs = found.untilMs - now().getTime()
      if (leftMs > 0) throw refusal(found.fault, leftMs)
      known.delete(address)
    },
    /** @returns the refusal */
    note(address: string, fault: Fault): ServiceError {
      known.delete(address)
      known.set(address, { fault, untilMs: now().getTime() + PAUSE_MS[fault] })
      const [oldest = address] = known.keys()
      if (known.size > KNOWN_MAX) known.delete(oldest)
      return refusal(fault, PAUSE_MS[fault])
    },
    /** The refusal of a picture that was not asked for, as its host wants to be left alone. */
    whileItRests: (restMs: number) => refusal('unreachable', restMs),
  }
}

/** Until a picture is asked for again: a day, or ten minutes. */
const PAUSE_MS: Record<Fault, number> = { missing: 86_400_000, unreachable: 600_000 }

/** Some megabytes of addresses. */
const KNOWN_MAX = 10_000

function refusal(fault: Fault, leftMs: number): ServiceError {
  return fault === 'missing'
    ? new ServiceError('NOT_FOUND', 'Where this picture should be there is none: show the name.')
    : new ServiceError(
        'UNAVAILABLE',
        'The place of this picture does not answer. Ask again when Retry-After says.',
        { retryAfter: Math.ceil(leftMs / 1_000) },
      )
}
