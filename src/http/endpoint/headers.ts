import type { Quota } from '#rules/accounts/quota.ts'

// Headers are copied from ready-made templates: copying costs a fraction of setting each anew.

const SAFE = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
}

const KINDS = {
  /** Anyone may keep a public answer, if they ask whether it still holds. */
  public: { ...SAFE, 'cache-control': 'public, no-cache' },
  /** An answer to a key may be kept by its caller alone, if they ask whether it still holds. */
  keyed: { ...SAFE, 'cache-control': 'private, no-cache', vary: 'X-API-Key' },
  /** Errors and anything else that must not be kept. */
  unkept: { ...SAFE, 'cache-control': 'no-store' },
  /** What a browser's own session is answered is nobody else's. */
  session: { ...SAFE, 'cross-origin-resource-policy': 'same-site', 'cache-control': 'no-store' },
} as const

export type HeaderKind = keyof typeof KINDS

/** Tells browsers that reached this over TLS never to come without it; over http it means nothing. */
export function transportSecurity(publicUrl: string): Record<string, string> {
  if (!publicUrl.startsWith('https:')) return {}
  return { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
}

/**
 * Makes the headers of answers. To callers they tell the quota: the three of the specification and
 * the two of the RateLimit draft. What is the same for a tier's whole day is kept ready.
 *
 * @param publicUrl the address that clients use: headers differ over https
 */
export function createResponseHeaders(publicUrl: string) {
  const secure = transportSecurity(publicUrl)
  const kinds = Object.keys(KINDS) as HeaderKind[]
  const perKind = <T>(make: (kind: HeaderKind) => T) =>
    Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<HeaderKind, T>
  const templates = perKind((kind) => new Headers({ ...KINDS[kind], ...secure }))
  const ready = perKind(() => new Map<number, Headers>())
  let resetAt = ''
  let resetMs = 0

  function templateOf(kind: HeaderKind, quota: Quota): Headers {
    const known = ready[kind].get(quota.daily_limit)
    if (known !== undefined) return known
    const fresh = new Headers(templates[kind])
    fresh.set('x-ratelimit-limit', String(quota.daily_limit))
    fresh.set('x-ratelimit-reset', quota.daily_reset)
    fresh.set('ratelimit-policy', `"daily";q=${quota.daily_limit};w=86400`)
    ready[kind].set(quota.daily_limit, fresh)
    return fresh
  }

  /** Seconds until the quota starts anew. */
  function secondsToReset(quota: Quota, nowMs: number): number {
    if (quota.daily_reset !== resetAt) {
      for (const kind of kinds) ready[kind].clear()
      resetAt = quota.daily_reset
      resetMs = Date.parse(resetAt)
    }
    return Math.max(0, Math.ceil((resetMs - nowMs) / 1000))
  }

  return {
    secondsToReset,
    /** Headers of an answer that counts against no quota; a fresh copy that may be changed. */
    plain: (kind: HeaderKind): Headers => new Headers(templates[kind]),
    /** The same with a caller's quota. */
    withQuota(kind: HeaderKind, quota: Quota, nowMs: number): Headers {
      const seconds = secondsToReset(quota, nowMs)
      const headers = new Headers(templateOf(kind, quota))
      headers.set('x-ratelimit-remaining', String(quota.daily_remaining))
      headers.set('ratelimit', `"daily";r=${quota.daily_remaining};t=${seconds}`)
      return headers
    },
  }
}

export type ResponseHeaders = ReturnType<typeof createResponseHeaders>

/**
 * Lets pages of any origin read catalog answers: a key is sent on purpose, never by the browser of
 * its own accord, so there is nothing to protect from another origin.
 */
export function setCors(headers: Headers): void {
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', EXPOSED)
}

/**
 * Lets pages of an origin that the operator named use the account endpoints with its visitors'
 * sessions. Everybody else's pages are told nothing, so the browser keeps the answer from them.
 */
export function setTrustedCors(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-allow-credentials', 'true')
  headers.set('access-control-expose-headers', EXPOSED)
}

/** The answer to a browser that asks before it sends a key. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': ALLOWED,
      'access-control-max-age': '86400',
    },
  })
}

// The last is sent by clients of x402, as if it were a header of requests.
const ALLOWED = [
  'X-API-Key',
  'Content-Type',
  'If-None-Match',
  'If-Range',
  'Range',
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
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'X-Scans-Remaining',
].join(', ')

/** Whether `If-None-Match` names this entity tag (RFC 9110, 13.1.2: the weak comparison). */
export function matchesEtag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((known) => known.trim().replace(/^W\//, '') === tag)
}
