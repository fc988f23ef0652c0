import { errorCode } from '#rules/primitives/system-errors.ts'
import { ipLiteral } from '#rules/primitives/webhook-url.ts'

/** Request to addresses that were checked. */
export type PinnedRequest = {
  headers: HeadersInit
  signal: AbortSignal
  method?: string
  body?: string | Uint8Array<ArrayBuffer>
  /** Defaults to true, as for `fetch`. */
  keepalive?: boolean
  /** Defaults to true, as for `fetch`. */
  decompress?: boolean
  /** PEM certificate of the only trusted authority, instead of the system's authorities. */
  ca?: string | undefined
}

/**
 * Requests a URL at the given addresses in turn, until a connection opens. The name is not resolved again, so that
 * the connection goes to a checked address. Host header and certificate are those of the name. Redirects are
 * returned, not followed.
 *
 * @param addresses not empty; the first three are tried
 * @throws errors of the connection
 */
export async function fetchPinned(
  url: URL,
  addresses: readonly string[],
  request: PinnedRequest,
): Promise<Response> {
  const tried = addresses.slice(0, ADDRESSES_MAX)
  for (const [index, address] of tried.entries()) {
    try {
      return await fetchAt(address, url, request)
    } catch (cause) {
      // If a connection was opened, the request may have arrived, and must not be sent again.
      const isLast = index === tried.length - 1
      if (isLast || request.signal.aborted || !NOT_CONNECTED.has(errorCode(cause))) throw cause
    }
  }
  throw new Error('fetchPinned needs an address')
}

const ADDRESSES_MAX = 3

const NOT_CONNECTED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'])

function fetchAt(
  address: string,
  url: URL,
  { headers, ca, ...request }: PinnedRequest,
): Promise<Response> {
  const target = new URL(url)
  target.hostname = address.includes(':') ? `[${address}]` : address
  const own = new Headers(headers)
  own.set('host', url.host)
  return fetch(target, {
    ...request,
    headers: own,
    redirect: 'manual',
    tls: {
      // Regardless of the environment.
      rejectUnauthorized: true,
      ...(ipLiteral(url) === undefined && { serverName: url.hostname }),
      ...(ca !== undefined && { ca }),
    },
  })
}
