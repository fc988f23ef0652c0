import { dns } from 'bun'
import { isAllowedAddress } from '#rules/primitives/public-address.ts'
import { ipLiteral } from '#rules/primitives/webhook-url.ts'
import { type UrlGuard, WebError } from './http-client.ts'

/**
 * Creates the guard for images. It keeps a public upstream's URLs out of the operator's network. An upstream that is
 * private or a folder belongs to the operator, and may use any URL.
 *
 * @param upstreamUrl undefined if the catalog has no own upstream
 */
export function createSsrfGuard(upstreamUrl: string | undefined, lookup?: HostLookup): UrlGuard {
  async function isUpstreamPrivate(signal: AbortSignal): Promise<boolean> {
    if (upstreamUrl === undefined) return false
    const url = new URL(upstreamUrl)
    if (url.protocol === 'file:') return true
    return !(await resolveAddresses(url, { lookup, signal })).every(isPublic)
  }

  return async (url, signal) => {
    const addresses = await resolveSome(url, signal, lookup)
    if (addresses.every(isPublic) || (await isUpstreamPrivate(signal))) return addresses
    throw new WebError('is in a private network, which a public upstream may not refer to.')
  }
}

/**
 * Creates the guard for the files of a mirror. The operator chose the mirror, so its own address may be anywhere. It
 * may redirect only to public addresses, even if it is private itself, because the operator did not choose the
 * targets. Other files at an address chosen by the operator have the same guard.
 *
 * @param root URL of the mirror, with its origin
 * @param setting name of the setting that has the URL, for messages
 */
export function createMirrorGuard(
  root: URL,
  { setting, lookup }: { setting: string; lookup?: HostLookup },
): UrlGuard {
  const secure = new URL(root)
  secure.protocol = 'https:'
  const own = [root.origin, secure.origin]

  return async (url, signal) => {
    if (own.includes(url.origin)) return undefined
    const addresses = await resolveSome(url, signal, lookup)
    if (addresses.every(isPublic)) return addresses
    const remedy = `If that is the correct server, set ${setting} to it.`
    throw new WebError(`redirects to another server in a private network. ${remedy}`)
  }
}

async function resolveSome(url: URL, signal: AbortSignal, lookup: HostLookup | undefined) {
  const addresses = await resolveAddresses(url, { lookup, signal })
  // With an empty list, the connection would resolve the name again, unchecked.
  if (addresses.length === 0) throw new WebError('has no IP address.')
  return addresses
}

function isPublic(address: string): boolean {
  return isAllowedAddress(address, 'public')
}

/** Returns every address of a host name. Throws, as `Bun.dns` does, if it has no address. */
export type HostLookup = (name: string) => Promise<readonly { address: string }[]>

/**
 * Uses c-ares instead of node:dns, whose few threads also serve file reads. Unresponsive name servers would block
 * them.
 */
const resolveHost: HostLookup = (name) => dns.lookup(name, { backend: 'c-ares' })

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
