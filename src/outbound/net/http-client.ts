// Rules for clients of third-party web servers: safe redirects, size limits and back-off.

import { errorCode } from '#rules/primitives/system-errors.ts'
import { fetchPinned } from './pinned-fetch.ts'

/** A server's response cannot be used. The message is a clause that follows the server's name. */
export class WebError extends Error {
  override readonly name = 'WebError'
}

/**
 * Checks a URL before the request, and returns the addresses to connect to; undefined if the name is trusted and need
 * not be resolved.
 *
 * @throws WebError if the URL may not be requested
 */
export type UrlGuard = (url: URL, signal: AbortSignal) => Promise<readonly string[] | undefined>

/**
 * Fetches a URL and follows up to five redirects, never from HTTPS to HTTP.
 *
 * @throws WebError if a redirect is refused; errors of the connection
 */
export async function fetchWithRedirects(
  start: URL,
  options: { headers: Headers; signal: AbortSignal; guard?: UrlGuard | undefined },
): Promise<Response> {
  const { signal, guard } = options
  const headers = new Headers(options.headers)
  headers.set('accept-encoding', 'gzip')
  const request = { headers, signal, decompress: false }
  let url = start
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const addresses = await guard?.(url, signal)
    const response =
      addresses === undefined
        ? await fetch(url, { ...request, redirect: 'manual' })
        : await fetchPinned(url, addresses, request)
    if (!REDIRECTS.has(response.status)) return decompress(response)
    await response.body?.cancel()
    url = nextHop(url, response.headers.get('location'))
  }
  throw new WebError(`redirects more than ${REDIRECTS_MAX} times.`)
}

/**
 * Decompresses a body as it is read. `fetch` would decompress bytes as they arrive, before a limit applies: 64 KiB
 * can become 64 MiB of memory.
 *
 * @throws WebError for an encoding that was not requested
 */
function decompress(response: Response): Response {
  const encoding = response.headers.get('content-encoding') ?? 'identity'
  if (encoding === 'identity' || response.body === null) return response
  if (!/^(x-)?gzip$/i.test(encoding)) throw new WebError('uses a compression other than gzip.')
  const { status, headers, body } = response
  return new Response(body.pipeThrough(new DecompressionStream('gzip')), { status, headers })
}

const REDIRECTS_MAX = 5
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function nextHop(from: URL, location: string | null): URL {
  const next = location === null ? null : URL.parse(location, from)
  if (next === null) throw new WebError('redirects without a valid Location header.')
  if (next.username !== '' || next.password !== '') {
    throw new WebError('redirects to a URL with a user name or password, which is not allowed.')
  }
  if (next.protocol === 'https:' || next.protocol === from.protocol) return next
  if (next.protocol === 'http:') {
    throw new WebError('redirects from https:// to http://, which is not allowed.')
  }
  // Not quoted, because the scheme is text from another server.
  throw new WebError('redirects to a URL that is not https:// or http://, which is not allowed.')
}

/** Returns the decompressed body; undefined if it exceeds the limit. The rest is not read. */
export async function readBody(
  response: Response,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const chunk = await reader?.read()
    if (chunk?.value === undefined) return Buffer.concat(chunks, size)
    size += chunk.value.length
    chunks.push(chunk.value)
    if (size <= bytesMax) continue
    await reader?.cancel()
    return undefined
  }
}

/**
 * Returns the delay before a retry, which doubles with each one. Half of it is random, to spread the retries of many
 * installations.
 */
export function backoffMs(firstMs: number, tries: number): number {
  return Math.min(firstMs * 2 ** (tries - 1), BACKOFF_MS_MAX) * (0.5 + Math.random() / 2)
}

const BACKOFF_MS_MAX = 60_000

/** Returns true if the error of a status may be temporary. */
export function isTransient(status: number): boolean {
  return status === 429 || status === 408 || status >= 500
}

/**
 * Parses Retry-After, in seconds or as a date, into milliseconds; 0 if it is missing.
 *
 * @param msMax upper bound of the result
 */
export function retryAfterMs(response: Response, msMax = RETRY_AFTER_MS_MAX): number {
  const header = response.headers.get('retry-after') ?? ''
  // Uses the server's own clock if the response states it, because clocks differ.
  const now = Date.parse(response.headers.get('date') ?? '') || Date.now()
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), msMax)
}

// Some servers ban clients for ten minutes; waiting longer would not help.
const RETRY_AFTER_MS_MAX = 600_000

/** Describes a connection error as a clause that names the server. */
export function describeNetworkError(cause: unknown, server: string, timeoutMs: number): string {
  if (!(cause instanceof Error)) return 'the connection failed'
  if (cause.name === 'TimeoutError') return `${server} took more than ${timeoutText(timeoutMs)}`
  const code = errorCode(cause) || cause.name
  return `the connection failed or was cut off (${code})`
}

function timeoutText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`
}
