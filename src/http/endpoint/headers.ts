import type { Quota } from '#rules/accounts/tiers.ts'

// Creating a response copies its headers, which costs a fraction of setting each one again. So responses of a kind
// share one object, in which each sets only the headers that differ.

const SAFE = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
}

/**
 * Headers on which responses depend: the ones with an API key, because responses to a known key state its quota, even
 * on public endpoints; and the one with the accepted codings.
 */
const VARY = 'X-API-Key, Authorization, Accept-Encoding'

/** Headers that each response sets. They come first, because Bun searches headers that it does not know in order. */
const OWN = ['x-request-id']
const OWN_QUOTA = ['x-ratelimit-remaining', 'ratelimit']

const KINDS = {
  /** Every cache may store it, but must revalidate it. */
  public: { ...SAFE, 'cache-control': 'public, no-cache', vary: VARY },
  /** Only the client with the key may store it, and must revalidate it. */
  keyed: { ...SAFE, 'cache-control': 'private, no-cache', vary: VARY },
  /** Errors, and everything else that must not be stored. */
  noStore: { ...SAFE, 'cache-control': 'no-store' },
  /** Responses to a browser session: not stored, and not readable by other sites. */
  session: { ...SAFE, 'cross-origin-resource-policy': 'same-site', 'cache-control': 'no-store' },
} as const

export type HeaderKind = keyof typeof KINDS

/** Returns the HSTS header, over HTTPS only: it has no meaning over HTTP. */
export function transportSecurity(publicUrl: string): Record<string, string> {
  if (!publicUrl.startsWith('https:')) return {}
  return { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
}

/** Creates response headers. */
export type ResponseHeaders = {
  /** Returns a copy of the headers without a quota. */
  plain(kind: HeaderKind): Headers
  /**
   * Returns the headers of a response, those of the specification and of the RateLimit draft. The next call may change
   * the same object, so copy it at once; creating a response copies it.
   */
  shared(kind: HeaderKind, response: HeaderInput): Headers
  secondsToReset(quota: Quota, nowMs: number): number
}

/** Members that differ between the responses of a kind. */
export type HeaderInput = {
  request_id: string
  quota: Quota | undefined
  nowMs: number
  /** Entity tag; undefined if no cache may store the response. */
  tag: string | undefined
}

/** Headers of all responses of a kind with a daily limit, and the tag of the last one. */
type SharedHeaders = { headers: Headers; tag: string | undefined }

/**
 * Keeps the headers that stay the same for a tier all day.
 *
 * @param publicUrl URL that clients use: with HTTPS, there is one more header
 */
export function createResponseHeaders(publicUrl: string): ResponseHeaders {
  const secure = transportSecurity(publicUrl)
  const kinds = Object.keys(KINDS) as HeaderKind[]
  const perKind = <T>(make: (kind: HeaderKind) => T) =>
    Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<HeaderKind, T>
  const templates = perKind((kind) => new Headers({ ...KINDS[kind], ...secure }))
  const byDailyLimit = perKind(() => new Map<number | undefined, SharedHeaders>())
  let resetAt = ''
  let resetMs = 0

  function sharedFor(kind: HeaderKind, quota: Quota | undefined): SharedHeaders {
    if (quota !== undefined) forgetDay(quota)
    const known = byDailyLimit[kind].get(quota?.daily_limit)
    if (known !== undefined) return known
    const own = quota === undefined ? OWN : [...OWN, ...OWN_QUOTA]
    const headers = new Headers(own.map((name) => [name, '']))
    for (const [name, value] of templates[kind]) headers.set(name, value)
    if (quota !== undefined) {
      headers.set('x-ratelimit-limit', String(quota.daily_limit))
      headers.set('x-ratelimit-reset', quota.daily_reset)
      headers.set('ratelimit-policy', `"daily";q=${quota.daily_limit};w=86400`)
    }
    const fresh = { headers, tag: undefined }
    byDailyLimit[kind].set(quota?.daily_limit, fresh)
    return fresh
  }

  /** Drops the headers of the previous day. */
  function forgetDay({ daily_reset }: Quota): void {
    if (daily_reset === resetAt) return
    for (const kind of kinds) byDailyLimit[kind].clear()
    resetAt = daily_reset
    resetMs = Date.parse(resetAt)
  }

  function secondsToReset(quota: Quota, nowMs: number): number {
    forgetDay(quota)
    return Math.max(0, Math.ceil((resetMs - nowMs) / 1000))
  }

  return {
    secondsToReset,
    plain: (kind) => new Headers(templates[kind]),
    shared(kind, { request_id, quota, nowMs, tag }) {
      const shared = sharedFor(kind, quota)
      const { headers } = shared
      if (quota !== undefined) {
        const seconds = secondsToReset(quota, nowMs)
        headers.set('x-ratelimit-remaining', String(quota.daily_remaining))
        headers.set('ratelimit', `"daily";r=${quota.daily_remaining};t=${seconds}`)
      }
      headers.set('x-request-id', request_id)
      if (shared.tag === tag) return headers
      if (tag === undefined) headers.delete('etag')
      else headers.set('etag', tag)
      shared.tag = tag
      return headers
    },
  }
}

/**
 * Pages of other origins that may read a response.
 *
 * - `public`: all. Browsers never send an API key by themselves, so there is nothing to protect. - `trusted`: those
 * in CORS_ORIGINS, with the session of their visitor. - `public or trusted`: all, and those in CORS_ORIGINS with the
 * session.
 */
export type CorsPolicy = 'none' | 'public' | 'trusted' | 'public or trusted'

export function addCors(
  headers: Headers,
  origin: string | null,
  policy: CorsPolicy,
  trusted: readonly string[],
): void {
  const varies = policy === 'trusted' ? trusted.length > 0 : policy !== 'public' && origin !== null
  if (varies) headers.append('vary', 'Origin')
  if (origin === null) return
  if (policy !== 'public' && trusted.includes(origin)) {
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-allow-credentials', 'true')
  } else if (policy !== 'trusted') {
    headers.set('access-control-allow-origin', '*')
  } else return
  headers.set('access-control-expose-headers', EXPOSED)
}

/** Completes the response to a preflight, if its origin is allowed. */
export function addPreflight(headers: Headers, methods: string, policy: CorsPolicy): void {
  if (!headers.has('access-control-allow-origin')) return
  headers.set('access-control-allow-methods', methods)
  headers.set('access-control-allow-headers', policy === 'trusted' ? 'Content-Type' : ALLOWED)
  headers.set('access-control-max-age', '86400')
}

// Clients of x402 send the last one, although it is a response header. Headers that begin with Mcp are for /mcp.
const ALLOWED = [
  'X-API-Key',
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'If-Range',
  'Range',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'PAYMENT-SIGNATURE',
  'Access-Control-Expose-Headers',
].join(', ')

const EXPOSED = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Link',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'X-Scans-Remaining',
].join(', ')

/** Returns true if `If-None-Match` names an entity tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((known) => known.trim().replace(/^W\//, '') === tag)
}
