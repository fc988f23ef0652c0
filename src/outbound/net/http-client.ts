// What every polite client of somebody else's web server does alike: follow redirects with care, stop
// reading what grows too large, come back later and later, and when it is told to.

import { errorCode } from '#rules/primitives/system-error-code.ts'

/** Another machine did what a client cannot go on with; the message is a plain clause. */
export class WebError extends Error {
  override readonly name = 'WebError'
}

/**
 * Judges an address before it is asked, and says where to connect; `host` is what is asked for there.
 *
 * @throws WebError where it may not be asked
 */
export type UrlGuard = (url: URL, signal: AbortSignal) => Promise<{ url: URL; host?: string }>

/**
 * Asks for a page, through up to five redirects, none of them to an unprotected place.
 *
 * @throws WebError for redirects that are not followed; what the connection throws
 */
export async function fetchWithRedirects(
  start: URL,
  {
    headers,
    signal,
    guard,
  }: { headers: Headers; signal: AbortSignal; guard?: UrlGuard | undefined },
): Promise<Response> {
  let url = start
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const way = guard === undefined ? { url } : await guard(url, signal)
    const own = new Headers(headers)
    if (way.host !== undefined) own.set('host', way.host)
    const response = await fetch(way.url, { headers: own, signal, redirect: 'manual' })
    if (!REDIRECTS.has(response.status)) return response
    await response.body?.cancel()
    url = nextHop(url, response.headers.get('location'))
  }
  throw new WebError(`redirects more than ${REDIRECTS_MAX} times.`)
}

const REDIRECTS_MAX = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function nextHop(from: URL, location: string | null): URL {
  const next = location === null ? null : URL.parse(location, from)
  if (next === null) throw new WebError('redirects without saying where to.')
  const isSafe =
    next.protocol === 'https:' || (next.protocol === 'http:' && from.protocol === 'http:')
  if (isSafe) return next
  throw new WebError(`redirects to ${next.protocol}//, which is not followed.`)
}

/** The unpacked body; undefined where it is larger than the limit: the rest is not read. */
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

/** Doubles with each try; the random half keeps many installations from coming back at once. */
export function backoffMs(firstMs: number, tries: number): number {
  return Math.min(firstMs * 2 ** (tries - 1), BACKOFF_MS_MAX) * (0.5 + Math.random() / 2)
}

const BACKOFF_MS_MAX = 60_000

/** Whether the fault that a status tells of may pass. */
export function isTransient(status: number): boolean {
  return status === 429 || status === 408 || status >= 500
}

/**
 * Milliseconds that a server asks to be left alone for, from seconds or a date; 0 when none.
 *
 * @param msMax what asks for more gets this
 */
export function retryAfterMs(response: Response, msMax = RETRY_AFTER_MS_MAX): number {
  const header = response.headers.get('retry-after') ?? ''
  // Against the server's own clock where it tells it, which may differ from ours.
  const now = Date.parse(response.headers.get('date') ?? '') || Date.now()
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), msMax)
}

// Some shut out who asks too much for ten minutes; waiting longer than that helps nobody.
const RETRY_AFTER_MS_MAX = 600_000

/** What became of a connection, as a clause about its other end. */
export function describeNetworkError(cause: unknown, who: string, timeoutMs: number): string {
  if (!(cause instanceof Error)) return 'the connection failed'
  if (cause.name === 'TimeoutError') return `${who} took more than ${timeoutMs} ms`
  const code = errorCode(cause) || cause.name
  return `the connection failed or was cut off (${code})`
}
