import { ServiceError } from '#rules/primitives/errors.ts'

/** The part of Bun's server that knows the other end of a connection. */
type Server = { requestIP(request: Request): { address: string } | null }

/** Message for a path that no route has. */
export const NOT_FOUND_MESSAGE = 'Not found. See /docs for the available endpoints.'

/**
 * Creates a check of the target of a request. Its result is the error to throw, or undefined.
 *
 * A request reaches a route only with the exact spelling of its path. Bun's router compares the path as sent. All
 * other requests go to Elysia, with dots, backslashes and the host already interpreted. Elysia would find routes that
 * a proxy in front refuses, such as `/x/..\metrics`.
 *
 * @param server returns null before the app listens
 */
export function createTargetCheck(
  server: () => Server | null,
): (request: Request) => ServiceError | undefined {
  let lastHost = ''

  return (request) => {
    const host = request.headers.get('host')
    // HTTP/1.0 has no host; Bun rejects later versions without one.
    if (host !== null && host !== lastHost) {
      // Bun joins repeated headers with a comma, which no host contains.
      if (!HOST.test(host)) return new ServiceError('VALIDATION_ERROR', HOST_MESSAGE)
      lastHost = host
    }
    // Bun's router adds the parameters. A request without a connection comes from this process.
    const isRouted = 'params' in request || (server()?.requestIP(request) ?? null) === null
    return isRouted ? undefined : new ServiceError('NOT_FOUND', NOT_FOUND_MESSAGE)
  }
}

/** Name, IPv4 or IPv6 address, with an optional port (RFC 9112, 3.2). */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

const HOST_MESSAGE = 'The request must have exactly one valid Host header.'
