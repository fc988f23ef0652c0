import { dns } from 'bun'
import { ipLiteral } from '#rules/primitives/webhook-url.ts'

/** Returns every address of a host name. Throws, as `Bun.dns` does, if it has no address. */
export type HostLookup = (name: string) => Promise<readonly { address: string }[]>

/**
 * Uses c-ares instead of node:dns, whose few threads also serve file reads. Name servers that never
 * answer would block them.
 */
export const resolveHost: HostLookup = (name) => dns.lookup(name, { backend: 'c-ares' })

/**
 * Returns the addresses of a URL's host, each once. IPv4 comes first, because more networks reach it.
 *
 * @throws as `lookup` does, or the signal's reason
 */
export async function resolveAddresses(
  url: URL,
  { lookup = resolveHost, signal }: { lookup?: HostLookup | undefined; signal: AbortSignal },
): Promise<string[]> {
  const literal = ipLiteral(url)
  if (literal !== undefined) return [literal]
  const found = await abortable(lookup(url.hostname), signal)
  const isIpv6 = (address: string) => address.includes(':')
  const addresses = new Set(found.map(({ address }) => address))
  return [...addresses].sort((a, b) => Number(isIpv6(a)) - Number(isIpv6(b)))
}

/** Rejects with the signal's reason once it aborts. The work itself cannot be canceled. */
function abortable<T>(work: Promise<T>, ending: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(ending.reason)
    ending.addEventListener('abort', end, { once: true })
    work.then(resolve, reject).finally(() => ending.removeEventListener('abort', end))
  })
}
