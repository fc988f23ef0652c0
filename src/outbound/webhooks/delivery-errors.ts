// Errors of delivery attempts, as the webhook's owner sees them. No message contains an address of
// the local network or an implementation detail.

import { errorCode } from '#rules/primitives/system-errors.ts'
import { REDIRECTS } from '../net/http-client.ts'

/** The host has no address to which connections are allowed. */
export class BlockedError extends Error {
  override readonly name = 'BlockedError'

  /** @param kind unknown: the name has no address; private: its address is not allowed */
  constructor(readonly kind: 'unknown' | 'private') {
    super(kind)
  }
}

/** Describes why a status does not count as delivered; null if it does. */
export function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (REDIRECTS.has(status)) {
    return `The receiver redirects (${status}), which is not followed. Set the URL that it redirects to.`
  }
  if (status === 410) return 'The receiver responded with 410 Gone.'
  return `The receiver responded with ${status}.`
}

/**
 * Describes why there was no response.
 *
 * @param cause the error; `late` if the attempt timed out, `stopped` if it was canceled
 */
export function describeFailure(
  cause: unknown,
  { hostname, timeoutMs }: { hostname: string; timeoutMs: number },
): string {
  if (cause === 'late') return `No response within ${timeoutMs / 1_000} seconds.`
  if (cause === 'stopped')
    return 'Cardstock stopped before the response. The message will be sent again.'
  if (cause instanceof BlockedError && cause.kind === 'private') {
    return 'The URL resolves to a private network.'
  }
  if (cause instanceof BlockedError) return NOT_FOUND
  const code = networkCode(cause)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate is not for ${hostname}.`
  return SENTENCES.get(code) ?? 'The connection failed.'
}

/** Bun prefixes the codes of node:dns. */
function networkCode(cause: unknown): string {
  return errorCode(cause).replace(/^DNS_/, '')
}

const NOT_FOUND = 'The host name does not exist.'
const NOT_TRUSTED = 'The certificate is not signed by a trusted authority.'
const CLOSED = 'The connection was closed before a response.'
const NOT_REACHED = 'The host cannot be reached.'

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', NOT_FOUND],
  ['ENODATA', NOT_FOUND],
  ['EAI_AGAIN', 'The host name could not be resolved. The DNS server did not respond.'],
  ['ETIMEOUT', 'The host name could not be resolved. The DNS server did not respond.'],
  ['ESERVFAIL', 'The host name could not be resolved. The DNS server did not respond.'],
  ['EREFUSED', 'The host name could not be resolved. The DNS server did not respond.'],
  ['ECONNREFUSED', 'The connection was refused. Check that the receiver is running.'],
  ['EHOSTUNREACH', NOT_REACHED],
  ['ENETUNREACH', NOT_REACHED],
  ['ECONNRESET', CLOSED],
  ['EPIPE', CLOSED],
  ['Malformed_HTTP_Response', 'The response is not valid HTTP.'],
  ['CERT_HAS_EXPIRED', 'The certificate has expired.'],
  ['CERT_NOT_YET_VALID', 'The certificate is not valid yet.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', NOT_TRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', NOT_TRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', NOT_TRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', NOT_TRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOT_TRUSTED],
])
