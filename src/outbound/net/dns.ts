import { dns } from 'bun'

/** Every address of a name; throws, as `Bun.dns` does, where there is none. */
export type HostLookup = (name: string) => Promise<readonly { address: string }[]>

/**
 * Not as node:dns does it, which has a few threads of the process wait for each name server: some that
 * never answer would hold up every other name, and whatever reads a file.
 */
export const resolveHost: HostLookup = (name) => dns.lookup(name, { backend: 'c-ares' })

/** What is asked of a name server cannot be called back, but need not be waited for. */
export function abortable<T>(work: Promise<T>, ending: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(ending.reason)
    ending.addEventListener('abort', end, { once: true })
    work.then(resolve, reject).finally(() => ending.removeEventListener('abort', end))
  })
}
