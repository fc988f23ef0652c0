// Errors of delivery attempts, as the webhook's owner sees them. No message contains an address of
// the local network or an implementation detail.

import { errorCode } from '#rules/primitives/system-error-code.ts'

/** There is no address that may be connected to. */
export class BlockedError extends Error {
  override readonly name = 'BlockedError'

  /** @param kind unknown: the name does not resolve; private: its address is not allowed */
  constructor(readonly kind: 'unknown' | 'private') {
    super(kind)
  }
}

/** Describes why a status does not count as delivered; null if it does. */
export function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (REDIRECTS.has(status)) {
    return `It redirects (${status}), which is not followed: set the address it leads to.`
  }
  if (status === 410) return 'It answers 410: it is gone.'
  return `It answers ${status}.`
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Describes why there was no response.
 *
 * @param cause the error; `late` if the attempt timed out, `stopped` if it was cancelled
 */
export function describeFailure(
  cause: unknown,
  { hostname, timeoutMs }: { hostname: string; timeoutMs: number },
): string {
  if (cause === 'late') return `No answer within ${timeoutMs / 1_000} seconds.`
  if (cause === 'stopped') return 'Cardstock stopped before an answer came; it is sent again.'
  if (cause instanceof BlockedError && cause.kind === 'private') {
    return 'The address leads into a private network.'
  }
  if (cause instanceof BlockedError) return NOT_FOUND
  const code = networkCode(cause)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate is not for ${hostname}.`
  return SENTENCES.get(code) ?? 'The connection failed.'
}

/** Returns true if no connection was opened, so nothing was sent. */
export function isNotConnected(cause: unknown): boolean {
  return UNOPENED.has(networkCode(cause))
}

const UNOPENED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Bun prefixes the codes of node:dns. */
function networkCode(cause: unknown): string {
  return errorCode(cause).replace(/^DNS_/, '')
}

const NOT_FOUND = 'The name cannot be found.'
const NOT_TRUSTED = 'The certificate is not signed by an authority that is trusted.'
const CLOSED = 'The connection was closed before an answer came.'
const NOT_REACHED = 'Nothing can be reached at this address.'

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', NOT_FOUND],
  ['ENODATA', NOT_FOUND],
  ['EAI_AGAIN', 'The name cannot be looked up now.'],
  ['ETIMEOUT', 'The name cannot be looked up now.'],
  ['ESERVFAIL', 'The name cannot be looked up now.'],
  ['EREFUSED', 'The name cannot be looked up now.'],
  ['ECONNREFUSED', 'The connection is refused: nothing listens there.'],
  ['EHOSTUNREACH', NOT_REACHED],
  ['ENETUNREACH', NOT_REACHED],
  ['ECONNRESET', CLOSED],
  ['EPIPE', CLOSED],
  ['Malformed_HTTP_Response', 'What it answers is no HTTP.'],
  ['CERT_HAS_EXPIRED', 'The certificate has expired.'],
  ['CERT_NOT_YET_VALID', 'The certificate is not valid yet.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', NOT_TRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', NOT_TRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', NOT_TRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', NOT_TRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOT_TRUSTED],
])
