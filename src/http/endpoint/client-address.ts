import type { Config } from '#config.ts'

/** The part of Bun's server that knows the other end of a connection. */
type Server = { requestIP(request: Request): { address: string } | null }

/**
 * Creates the function that returns the client address of a request: the other end of the connection, or the address
 * that the operator's own proxies report. Each proxy appends the address of its client to `X-Forwarded-For`, so with
 * one proxy the last entry is reliable, with two the last but one. Entries before it are claims of the client.
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

/**
 * Reads the country of the client, as the operator's own proxy reports it; a client could claim any.
 *
 * @returns two capital letters; undefined if unknown
 */
export function clientCountry(
  { trustedProxies, countryHeader }: Pick<Config, 'trustedProxies' | 'countryHeader'>,
  { headers }: Request,
): string | undefined {
  if (trustedProxies === 0) return undefined
  return headers.get(countryHeader)?.trim().toUpperCase()
}
