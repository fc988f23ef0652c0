/** The little of Bun's server that knows who is at the other end. */
type Server = { requestIP(request: Request): { address: string } | null }

/**
 * Tells which address a request comes from: the other end of the connection, or what the operator's
 * own proxies say of it. Each proxy appends to `X-Forwarded-For` the address it was asked from, so
 * with one proxy the last entry is true, with two the last but one; what stands before is what
 * the client says of itself.
 *
 * @param server asked with each request: there is none before the app listens
 * @param proxies how many proxies stand before the service (`TRUST_PROXY`)
 */
export function createClientAddressReader(server: () => Server | null, proxies: number) {
  return (request: Request): string => {
    const peer = server()?.requestIP(request)?.address ?? UNKNOWN
    if (proxies === 0) return peer
    const told = (request.headers.get('x-forwarded-for') ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
    return told.at(-proxies) ?? peer
  }
}

/** Of requests that came over no connection. */
const UNKNOWN = 'unknown'
