import { dns } from 'bun'

/** Returns every address of a host name. Throws, as `Bun.dns` does, if it has no address. */
export type HostLookup = (name: string) => Promise<readonly { address: string }[]>

/**
 * Uses c-ares instead of node:dns, whose few threads also serve file reads. Name servers that never
 * answer would block them.
 */
export const resolveHost: HostLookup = (name) => dns.lookup(name, { backend: 'c-ares' })

/** Rejects with the signal's reason once it aborts. The work itself cannot be cancelled. */
export function abortable<T>(work: Promise<T>, ending: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(ending.reason)
    ending.addEventListener('abort', end, { once: true })
    work.then(resolve, reject).finally(() => ending.removeEventListener('abort', end))
  })
}
