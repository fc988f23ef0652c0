import { isAllowedAddress } from '#rules/primitives/public-address.ts'
import { ipLiteral } from '#rules/primitives/webhook-url.ts'
import { abortable, type HostLookup, resolveHost } from './dns.ts'
import { type UrlGuard, WebError } from './http-client.ts'

/**
 * Keeps addresses that a public upstream names out of the operator's own network. An upstream that is
 * private itself, or a folder, is the operator's own, and may name what it likes.
 *
 * @param upstreamUrl undefined: what the catalog names came from somebody else
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
    // Whoever connects would look for one elsewhere, which nobody has judged.
    if (addresses.length === 0) throw new WebError('has no address.')
    if (!addresses.every(isPublic)) {
      if (await isUpstreamPrivate(signal)) return { url }
      throw new WebError('is in a private network, which a public upstream may not name.')
    }
    // Over TLS a name that suddenly leads elsewhere finds nobody there who can prove to be it.
    return url.protocol === 'https:' ? { url } : pinned(url, addresses)
  }
}

function isPublic(address: string): boolean {
  return isAllowedAddress(address, 'public')
}

/** What was judged is what is connected to. IPv4 first, which more can reach. */
function pinned(url: URL, addresses: readonly string[]) {
  const [address = url.hostname] = addresses.toSorted(
    (a, b) => Number(a.includes(':')) - Number(b.includes(':')),
  )
  const place = new URL(url)
  if (ipLiteral(url) === undefined)
    place.hostname = address.includes(':') ? `[${address}]` : address
  return { url: place, host: url.host }
}
