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
  lookup: HostLookup = resolveHost,
): UrlGuard {
  async function resolveAddresses(url: URL, signal: AbortSignal): Promise<string[]> {
    const literal = ipLiteral(url)
    if (literal !== undefined) return [literal]
    return (await abortable(lookup(url.hostname), signal)).map(({ address }) => address)
  }

  async function isUpstreamPrivate(signal: AbortSignal): Promise<boolean> {
    if (upstreamUrl === undefined) return false
    const url = new URL(upstreamUrl)
    return url.protocol === 'file:' || !(await resolveAddresses(url, signal)).every(isPublic)
  }

  return async (url, signal) => {
    const addresses = await resolveAddresses(url, signal)
    // Without an address, the connection would resolve the name again, unchecked.
    if (addresses.length === 0) throw new WebError('has no IP address.')
    if (!addresses.every(isPublic)) {
      if (await isUpstreamPrivate(signal)) return { url }
      throw new WebError('is in a private network, which a public upstream may not refer to.')
    }
    // With TLS, a name that resolves elsewhere later fails the certificate check.
    return url.protocol === 'https:' ? { url } : pin(url, addresses)
  }
}

function isPublic(address: string): boolean {
  return isAllowedAddress(address, 'public')
}

/** Connects to a checked address. IPv4 comes first, because more networks reach it. */
function pin(url: URL, addresses: readonly string[]) {
  const [address = url.hostname] = addresses.toSorted(
    (a, b) => Number(a.includes(':')) - Number(b.includes(':')),
  )
  const target = new URL(url)
  if (ipLiteral(url) === undefined)
    target.hostname = address.includes(':') ? `[${address}]` : address
  return { url: target, host: url.host }
}
