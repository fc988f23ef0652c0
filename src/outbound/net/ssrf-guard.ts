import { isAllowedAddress } from '#rules/primitives/public-address.ts'
import { ipLiteral } from '#rules/primitives/webhook-url.ts'
import { abortable, type HostLookup, resolveHost } from './dns.ts'
import { type UrlGuard, WebError } from './http-client.ts'

/**
 * Creates the guard that keeps a public upstream's URLs out of the operator's network. An upstream
 * that is private or a folder belongs to the operator, and may use any URL.
 *
 * @param upstreamUrl undefined if the catalog has no upstream of its own
 */
export function createSsrfGuard(
  upstreamUrl: string | undefined,
  hostLookup: HostLookup = resolveHost,
): UrlGuard {
  async function addressesOf(url: URL, signal: AbortSignal): Promise<string[]> {
    const literal = ipLiteral(url)
    if (literal !== undefined) return [literal]
    return (await abortable(hostLookup(url.hostname), signal)).map(({ address }) => address)
  }

  async function isUpstreamPrivate(signal: AbortSignal): Promise<boolean> {
    if (upstreamUrl === undefined) return false
    const url = new URL(upstreamUrl)
    return url.protocol === 'file:' || !(await addressesOf(url, signal)).every(isPublic)
  }

  return async (url, signal) => {
    const addresses = await addressesOf(url, signal)
    // Without an address, the connection would resolve the name again, unchecked.
    if (addresses.length === 0) throw new WebError('has no address.')
    if (!addresses.every(isPublic)) {
      if (await isUpstreamPrivate(signal)) return { url }
      throw new WebError('is in a private network, which a public upstream may not name.')
    }
    // With TLS, a name that resolves elsewhere later fails the certificate check.
    return url.protocol === 'https:' ? { url } : pinned(url, addresses)
  }
}

function isPublic(address: string): boolean {
  return isAllowedAddress(address, 'public')
}

/** Connects to a checked address. IPv4 comes first, because more networks reach it. */
function pinned(url: URL, addresses: readonly string[]) {
  const [address = url.hostname] = addresses.toSorted(
    (a, b) => Number(a.includes(':')) - Number(b.includes(':')),
  )
  const place = new URL(url)
  if (ipLiteral(url) === undefined)
    place.hostname = address.includes(':') ? `[${address}]` : address
  return { url: place, host: url.host }
}
