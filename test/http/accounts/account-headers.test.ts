import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { call, pathFor } from '../../contract/account-calls.ts'
import { ACCOUNT_ENDPOINTS, namedAccount, SESSIONED } from '../../contract/endpoints.ts'
import { createAlertTestApp } from '../../support/alerts/webhook-fixtures.ts'
import {
  createTestApp,
  emailOf,
  PASSWORD,
  QUOTA_RESET,
  SECONDS_TO_RESET,
  type TestApp,
} from '../../support/test-app.ts'
import type { TestRequestOptions, TestResponse } from '../../support/test-client.ts'

// Headers of account endpoints, on responses of every kind.

const TRUSTED = 'https://shop.example'
const HSTS = 'max-age=31536000; includeSubDomains'
const QUOTA_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

const JSON_TYPE = { 'content-type': 'application/json' }
const WRONG = { email: emailOf('pro'), password: 'wrong password' }

/** A response of each kind: its request, the session that it needs, and its status. */
const KINDS: [string, string, string, TestRequestOptions, number][] = [
  ['200 of a session', 'GET', '/v1/auth/me', {}, 200],
  ['201', 'POST', '/v1/keys', {}, 201],
  ['400', 'POST', '/v1/keys', { json: { name: 7 } }, 400],
  ['401 of wrong credentials', 'POST', '/v1/auth/login', { json: WRONG }, 401],
  ['403', 'POST', '/v1/keys', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
  ['404', 'DELETE', '/v1/keys/no-such-key', {}, 404],
  ['409', 'POST', '/v1/auth/register', { json: { ...WRONG } }, 409],
  ['413', 'POST', '/v1/keys', { body: 'x'.repeat(20_000), headers: JSON_TYPE }, 413],
  ['415', 'POST', '/v1/keys', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
  ['405', 'PUT', '/v1/keys', {}, 405],
  ['HEAD', 'HEAD', '/v1/usage', {}, 200],
  ['OPTIONS', 'OPTIONS', '/v1/keys', {}, 204],
]

/** Kinds that are answered without authentication. */
const UNKNOWN_YET = new Set(['403', '405', 'OPTIONS', '401 of wrong credentials', '409'])

let testApp: TestApp
let session: string

beforeAll(async () => {
  testApp = await createAlertTestApp()
  await testApp.makeOperator('pro')
  session = await testApp.createSession('pro')
})
afterAll(() => testApp.close())

const request = (method: string, path: string, of: TestRequestOptions) =>
  testApp.client.request(method, path, { session, ...of })

describe('a response to a session', () => {
  test.each(KINDS)(
    'of the kind %s has the security headers and is never cached',
    async (_, method, path, of, status) => {
      const { headers, ...reply } = await request(method, path, of)
      expect(reply.status).toBe(status)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-site')
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
      )
      expect(headers.get('strict-transport-security')).toBe(HSTS)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.has('etag')).toBe(false)
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
    },
  )

  test.each(KINDS)(
    'of the kind %s has the quota in its headers and its body',
    async (kind, ...of) => {
      const [method, path, what] = of
      const testResponse = await request(method, path, what)
      if (UNKNOWN_YET.has(kind)) return expectNoQuota(testResponse)
      expect(QUOTA_HEADERS.map((name) => testResponse.headers.get(name))).toEqual([
        '10000',
        '10000',
        QUOTA_RESET,
      ])
      expect(testResponse.headers.get('ratelimit-policy')).toBe('"daily";q=10000;w=86400')
      expect(testResponse.headers.get('ratelimit')).toBe(`"daily";r=10000;t=${SECONDS_TO_RESET}`)
      if (method === 'HEAD') return
      expect(testResponse.body.rate_limit).toEqual({
        daily_limit: 10_000,
        daily_remaining: 10_000,
        daily_reset: QUOTA_RESET,
      })
    },
  )

  test('is not charged, and shows the usage of the keys', async () => {
    const own = await createAlertTestApp()
    // The one that an endpoint ends.
    await own.createSession('starter')
    const starter = await own.createSession('starter')
    await own.makeOperator('starter')
    await own.client.get('/v1/sets', { as: 'starter' })
    for (const endpoint of SESSIONED.filter(({ hashes, file }) => !hashes && !file)) {
      const reply = await call(own, endpoint, { session: starter, keyOf: 'starter' })
      expect(reply.body.rate_limit.daily_remaining).toBe(2_499)
      expect(reply.headers.get('x-ratelimit-remaining')).toBe('2499')
    }
    own.close()
  })

  test('has no quota without a session', async () => {
    expectNoQuota(await testApp.client.get('/v1/auth/me'))
    expectNoQuota(await testApp.client.post('/v1/auth/login', WRONG))
    expectNoQuota(await testApp.client.post('/v1/auth/logout'))
  })

  test('has a unique request ID', async () => {
    const replies = await Promise.all(
      KINDS.map(([, method, path, of]) => request(method, path, of)),
    )
    const ids = replies.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(KINDS.length)
  })
})

describe('HEAD', () => {
  test.each(
    namedAccount(ACCOUNT_ENDPOINTS.filter(({ method, file }) => method === 'GET' && !file)),
  )('for %s returns the headers of GET without a body', async (_name, endpoint) => {
    const path = await pathFor(testApp, endpoint.path, 'pro')
    const [getResponse, headResponse] = [
      await request('GET', path, {}),
      await request('HEAD', path, {}),
    ]
    expect([headResponse.status, headResponse.text]).toEqual([200, ''])
    for (const name of ['content-type', 'cache-control', 'x-ratelimit-remaining']) {
      expect([name, headResponse.headers.get(name)]).toEqual([name, getResponse.headers.get(name)])
    }
    expect(headResponse.headers.get('content-length')).toBe(
      String(Buffer.byteLength(getResponse.text)),
    )
    const stranger = endpoint.access === 'open' ? 200 : 401
    expect((await testApp.client.head(path)).status).toBe(stranger)
  })
})

describe('an unsupported method', () => {
  test.each([
    ['/v1/auth/register', 'POST, OPTIONS'],
    ['/v1/auth/login', 'POST, OPTIONS'],
    ['/v1/auth/logout', 'POST, OPTIONS'],
    ['/v1/auth/password', 'POST, OPTIONS'],
    ['/v1/auth/me', 'GET, HEAD, OPTIONS'],
    ['/v1/usage', 'GET, HEAD, OPTIONS'],
    ['/v1/keys', 'GET, HEAD, POST, OPTIONS'],
    ['/v1/keys/no-such-key', 'DELETE, OPTIONS'],
    ['/v1/webhooks', 'POST, GET, HEAD, OPTIONS'],
    ['/v1/webhooks/no-such-webhook', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['/v1/webhooks/no-such-webhook/deliveries', 'GET, HEAD, OPTIONS'],
    ['/v1/webhooks/no-such-webhook/test', 'POST, OPTIONS'],
    ['/v1/webhooks/no-such-webhook/redeliver/no-such-delivery', 'POST, OPTIONS'],
  ])('for %s returns 405 with the allowed methods: %s', async (path, allowed) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allowed.split(', ').includes(method)) continue
      const testResponse = await request(method, path, {})
      expect([method, testResponse.status, testResponse.headers.get('allow')]).toEqual([
        method,
        405,
        allowed,
      ])
      if (method !== 'HEAD') expect(testResponse.body.error.code).toBe('METHOD_NOT_ALLOWED')
    }
    expect((await request('OPTIONS', path, {})).headers.get('allow')).toBe(allowed)
  })
})

describe('over TLS or plain HTTP', () => {
  test.each([
    ['https://cards.example', HSTS, true],
    ['http://cards.example', null, false],
    ['http://localhost:3000', null, false],
  ])('%s: Strict-Transport-Security is %p, Secure %p', async (PUBLIC_URL, hsts, isSecure) => {
    const own = await createTestApp({ env: { PUBLIC_URL } })
    const token = await own.createSession('pro')
    const replies: TestResponse<unknown>[] = [
      await own.client.get('/v1/auth/me', { session: token }),
      await own.client.get('/v1/auth/me'),
      await own.client.get('/v1/games'),
      await own.client.get('/v1/sets', { as: 'pro' }),
      await own.client.get('/v1/no-such-thing'),
      await own.client.get('/docs'),
      await own.client.get('/openapi.json'),
      await own.client.get('/llms.txt'),
      await own.client.get('/guides/install.md'),
      await own.client.get('/healthz'),
      await own.client.get('/metrics'),
    ]
    for (const { headers } of replies) {
      expect(headers.get('strict-transport-security')).toBe(hsts)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    const login = { email: emailOf('pro'), password: PASSWORD }
    const begun = await own.client.post('/v1/auth/login', login)
    const ended = await own.client.post('/v1/auth/logout')
    const secure = isSecure ? '; Secure' : ''
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^session=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000${secure}$`,
        ),
      ),
    ])
    expect(ended.headers.getSetCookie()).toEqual([
      `session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure}`,
    ])
    own.close()
  })
})

describe('another origin', () => {
  const requestFrom = (origin: string, method = 'GET') => ({
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'content-type',
  })
  const corsOf = (headers: Headers) => [...headers].filter(([name]) => name.startsWith('access-'))

  test.each(KINDS)('cannot read a response of the kind %s', async (_, method, path, of) => {
    const headers = { origin: 'https://evil.example', ...of.headers }
    const testResponse = await request(method, path, { ...of, headers })
    expect(corsOf(testResponse.headers)).toEqual([])
  })

  test.each(namedAccount())('that is not trusted may not call %s', async (_name, e) => {
    const named = await createTestApp({ env: { CORS_ORIGINS: TRUSTED } })
    for (const own of [testApp, named]) {
      for (const origin of [
        'https://evil.example',
        `${TRUSTED}:8443`,
        'http://shop.example',
        'null',
        '*',
      ]) {
        const path = e.path.replace('{id}', 'x')
        const reply = await own.client.request('OPTIONS', path, {
          headers: requestFrom(origin, e.method),
        })
        expect([reply.status, reply.text, corsOf(reply.headers)]).toEqual([204, '', []])
      }
    }
    named.close()
  })

  test.each(namedAccount())('that is trusted may call %s with the session', async (_name, e) => {
    const own = await createTestApp({ env: { CORS_ORIGINS: `https://a.example, ${TRUSTED}` } })
    const path = e.path.replace('{id}', 'x')
    const reply = await own.client.request('OPTIONS', path, {
      headers: requestFrom(TRUSTED, e.method),
    })
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(reply.headers.get('access-control-allow-origin')).toBe(TRUSTED)
    expect(reply.headers.get('access-control-allow-credentials')).toBe('true')
    expect(reply.headers.get('access-control-allow-methods')?.split(', ')).toContain(e.method)
    expect(reply.headers.get('access-control-allow-headers')).toBe('Content-Type')
    expect(Number(reply.headers.get('access-control-max-age'))).toBeGreaterThan(0)
    expect(reply.headers.get('vary')).toBe('Origin')
    own.close()
  })

  test('that is trusted can read every response and its headers', async () => {
    const own = await createTestApp({ env: { CORS_ORIGINS: TRUSTED } })
    const token = await own.createSession('pro')
    for (const [kind, method, path, of] of KINDS) {
      const headers = { ...of.headers, origin: TRUSTED }
      const reply = await own.client.request(method, path, { session: token, ...of, headers })
      expect([kind, reply.headers.get('access-control-allow-origin')]).toEqual([kind, TRUSTED])
      expect(reply.headers.get('access-control-allow-credentials')).toBe('true')
      expect(reply.headers.get('vary')).toBe('Origin')
      const exposed = reply.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
      for (const name of [...QUOTA_HEADERS, 'retry-after', 'x-request-id']) {
        expect(exposed).toContain(name)
      }
    }
    own.close()
  })

  test('is reflected: a response without an origin has Vary', async () => {
    const own = await createTestApp({ env: { CORS_ORIGINS: TRUSTED } })
    const { headers } = await own.client.get('/v1/auth/me')
    expect([headers.get('vary'), corsOf(headers)]).toEqual(['Origin', []])
    own.close()
  })

  test('that is trusted reads the catalog without the session, like any origin', async () => {
    const own = await createTestApp({ env: { CORS_ORIGINS: TRUSTED } })
    for (const path of ['/v1/games', '/v1/sets']) {
      const { headers } = await own.client.get(path, { as: 'pro', headers: { origin: TRUSTED } })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
    own.close()
  })
})

function expectNoQuota({ headers, body }: TestResponse<unknown>): void {
  expect(QUOTA_HEADERS.filter((name) => headers.has(name))).toEqual([])
  expect(body.rate_limit).toBeUndefined()
}
