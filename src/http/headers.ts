import type { Quota } from '#rules/quota.ts'

// Headers are copied from ready-made templates: copying costs a fraction of setting each anew.

const SAFE = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
}

/** Anyone may keep a public answer, if they ask whether it still holds. */
const PUBLIC = new Headers({ ...SAFE, 'cache-control': 'public, no-cache' })

/** An answer to a key may be kept by its caller alone, if they ask whether it still holds. */
const KEYED = new Headers({ ...SAFE, 'cache-control': 'private, no-cache', vary: 'X-API-Key' })

/** Errors and anything else that must not be kept. */
const UNKEPT = new Headers({ ...SAFE, 'cache-control': 'no-store' })

const TEMPLATES = { public: PUBLIC, keyed: KEYED, unkept: UNKEPT }

/** Headers of an answer that counts against no quota; a fresh copy that may be changed. */
export function headersFor(kind: keyof typeof TEMPLATES): Headers {
  return new Headers(TEMPLATES[kind])
}

/**
 * Makes the headers of answers to callers: the three of the specification and the two of the
 * RateLimit draft, all from one quota. What is the same for a tier's whole day is kept ready.
 */
export function openQuotaHeaders() {
  const ready = {
    public: new Map<number, Headers>(),
    keyed: new Map<number, Headers>(),
    unkept: new Map<number, Headers>(),
  }
  let resetAt = ''
  let resetMs = 0

  function templateOf(kind: keyof typeof TEMPLATES, quota: Quota): Headers {
    const known = ready[kind].get(quota.daily_limit)
    if (known !== undefined) return known
    const fresh = new Headers(TEMPLATES[kind])
    fresh.set('x-ratelimit-limit', String(quota.daily_limit))
    fresh.set('x-ratelimit-reset', quota.daily_reset)
    fresh.set('ratelimit-policy', `"daily";q=${quota.daily_limit};w=86400`)
    ready[kind].set(quota.daily_limit, fresh)
    return fresh
  }

  /** Seconds until the quota starts anew. */
  function secondsToReset(quota: Quota, nowMs: number): number {
    if (quota.daily_reset !== resetAt) {
      for (const templates of Object.values(ready)) templates.clear()
      resetAt = quota.daily_reset
      resetMs = Date.parse(resetAt)
    }
    return Math.max(0, Math.ceil((resetMs - nowMs) / 1000))
  }

  return {
    secondsToReset,
    headersFor(kind: keyof typeof TEMPLATES, quota: Quota, nowMs: number): Headers {
      const seconds = secondsToReset(quota, nowMs)
      const headers = new Headers(templateOf(kind, quota))
      headers.set('x-ratelimit-remaining', String(quota.daily_remaining))
      headers.set('ratelimit', `"daily";r=${quota.daily_remaining};t=${seconds}`)
      return headers
    },
  }
}

/**
 * Lets pages of any origin read catalog answers: a key is sent on purpose, never by the browser of
 * its own accord, so there is nothing to protect from another origin.
 */
export function setCors(headers: Headers): void {
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', EXPOSED)
}

/** The answer to a browser that asks before it sends a key. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': 'X-API-Key, Content-Type, If-None-Match',
      'access-control-max-age': '86400',
    },
  })
}

const EXPOSED = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ')

/** Whether `If-None-Match` names this entity tag (RFC 9110, 13.1.2: the weak comparison). */
export function isKnownTag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((known) => known.trim().replace(/^W\//, '') === tag)
}
