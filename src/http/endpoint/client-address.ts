/** The part of Bun's server that knows the other end of a connection. */
type Server = { requestIP(request: Request): { address: string } | null }

/**
 * Returns the client address of a request: the other end of the connection, or what the operator's own
 * proxies report. Each proxy appends the address of its client to `X-Forwarded-For`, so with one proxy the
 * last entry is true, with two the last but one. Entries before it are claims of the client.
 *
 * @param server returns null before the app listens
 * @param proxies number of proxies before the service (`TRUST_PROXY`)
 */
export function createClientAddressReader(
  server: () => Server | null,
  proxies: number,
): (request: Request) => string {
  return (request) => {
    const peer = server()?.requestIP(request)?.address ?? UNKNOWN
    if (proxies === 0) return peer
    const forwarded = (request.headers.get('x-forwarded-for') ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
    return forwarded.at(-proxies) ?? peer
  }
}

/** Address of requests without a connection. */
const UNKNOWN = 'unknown'
