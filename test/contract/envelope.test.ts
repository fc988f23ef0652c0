/** Members and headers of every response: data, errors, the quota, request IDs and security. */
import { describe, expect, test } from 'bun:test'
import { expectRefusal } from '../support/refusal.ts'
import {
  createTestApp,
  emailOf,
  PASSWORD,
  QUOTA_RESET,
  SECONDS_TO_RESET,
} from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'
import { call, createContractApp, credentialsFor, expectReply } from './calls.ts'
import {
  ENDPOINTS,
  type Endpoint,
  hasParameter,
  isCatalog,
  isFile,
  isStored,
  named,
} from './endpoints.ts'
import { ACCOUNT_KINDS, CATALOG_REFUSALS, type Kind, namedKinds, sendKind } from './kinds.ts'
import { malformedRequests } from './malformed.ts'

const testApp = await createContractApp({ bulkFiles: true })
const session = await testApp.createSession('pro')

const HSTS = 'max-age=31536000; includeSubDomains'
const QUOTA_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
]

/** Calls an endpoint of the catalog with its sample. */
const callCatalog = (endpoint: Endpoint) =>
  call(testApp, endpoint, endpoint.auth === 'anyone' ? {} : { as: 'business' })

/** Sends the request of a kind; only those of accounts have a session. */
const send = (kind: Kind) =>
  sendKind(testApp, kind, ACCOUNT_KINDS.includes(kind) ? { session } : {})

const KINDS = [...CATALOG_REFUSALS, ...ACCOUNT_KINDS]

const WITH_META = [
  'GET /v1/search',
  'GET /v1/cards/{id}',
  'GET /v1/cards/{id}/history',
  'GET /v1/sets/{id}/history',
  'GET /v1/prices/top-movers',
  'GET /v1/bulk/prices',
  'GET /v1/bulk/cards',
  'GET /v1/bulk/history',
  'GET /v1/bulk-data',
]

const isPaged = hasParameter('per_page')
const isEnvelope = (endpoint: Endpoint) => isCatalog(endpoint) && !isFile(endpoint)

describe('a success', () => {
  test.each(named(isEnvelope))(
    'of %s has `data`, `meta` if documented, and `rate_limit` for a known client',
    async (name, endpoint) => {
      const reply = await callCatalog(endpoint)
      const hasMeta = WITH_META.includes(name) || isPaged(endpoint) || endpoint.method === 'POST'
      expectReply(endpoint, reply, 200)
      expect(Object.keys(reply.body)).toEqual([
        'data',
        ...(hasMeta ? ['meta'] : []),
        ...(endpoint.auth === 'anyone' ? [] : ['rate_limit']),
      ])
      if (endpoint.auth === 'key') expectSameQuota(reply)
    },
  )

  test.each(named((one) => isPaged(one) && isCatalog(one)))(
    'of %s has the page in `meta`',
    async (_, endpoint) => {
      const { body } = await callCatalog(endpoint)
      const { searchParams } = new URL(endpoint.sample.path, 'http://localhost')
      expect(body.meta).toMatchObject({
        total: expect.any(Number),
        page: Number(searchParams.get('page') ?? 1),
        per_page: Number(searchParams.get('per_page') ?? 50),
        has_more: expect.any(Boolean),
      })
    },
  )

  test.each(named((one) => isCatalog(one) && isFile(one)))(
    'of %s is a file: without an envelope, with a file name and the quota in headers',
    async (_, endpoint) => {
      const { text, headers } = await callCatalog(endpoint)
      expect(text).not.toContain('"rate_limit"')
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/)
      expect(headers.get('accept-ranges')).toBe(isStored(endpoint) ? 'bytes' : null)
      expect(QUOTA_HEADERS.filter((name) => !headers.has(name))).toEqual([])
    },
  )

  test.each(named(isCatalog))('of %s has the headers of the catalog', async (_, endpoint) => {
    const { headers } = await callCatalog(endpoint)
    const isGet = endpoint.method === 'GET'
    const scope = endpoint.auth === 'anyone' ? 'public' : 'private'
    expect(headers.get('cache-control')).toBe(isGet ? `${scope}, no-cache` : 'no-store')
    expect(headers.has('etag')).toBe(isGet)
    if (isGet) expect(headers.get('vary')?.toLowerCase()).toContain('x-api-key')
    expectSafe({ headers })
  })

  test.each(named((one) => !isCatalog(one)))(
    'of %s is not cached, never compressed, and free',
    async (_, endpoint) => {
      const own = await createContractApp()
      const credentials = await credentialsFor(own, endpoint, 'pro')
      const coded = { 'accept-encoding': 'zstd, gzip, identity;q=0' }
      const reply = await call(own, endpoint, { ...credentials, headers: coded })
      const { headers, body } = reply
      expectReply(endpoint, reply, endpoint.status)
      expect(headers.get('content-encoding')).toBeNull()
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('etag')).toBeNull()
      if (endpoint.auth !== 'optional session') {
        expect(headers.get('x-ratelimit-remaining')).toBe('10000')
        if (!isFile(endpoint)) expect(body.rate_limit.daily_remaining).toBe(10_000)
      } else expect(body.rate_limit).toBeUndefined()
      expect(headers.has('x-scans-remaining')).toBe(/identify|photos/.test(endpoint.path))
      expectSafe({ headers })
    },
  )
})

describe('a response', () => {
  test.each(namedKinds(KINDS))(
    '(%s) has its status and security headers, and is never cached',
    async (_, kind) => {
      const [, request, , status] = kind
      const reply = await send(kind)
      const { headers, body } = reply
      expect([reply.status, headers.get('content-type')]).toEqual([
        status,
        'application/json; charset=utf-8',
      ])
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.has('etag')).toBe(false)
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
      expectSafe(reply)
      if (status < 400 || request.startsWith('HEAD')) return
      expect(body.error).toEqual({
        message: expect.stringMatching(/^.{10,300}$/s),
        code: expect.stringMatching(/^[A-Z_]+$/),
      })
    },
  )

  test.each(namedKinds(KINDS))('(%s) states the quota if the caller is known', async (_, kind) => {
    const [, request, , status, known] = kind
    const reply = await send(kind)
    if (known === 'nobody') {
      expect(QUOTA_HEADERS.filter((name) => reply.headers.has(name))).toEqual([])
      expect(reply.body.rate_limit).toBeUndefined()
    } else if (request.startsWith('HEAD')) {
      expect(QUOTA_HEADERS.filter((name) => !reply.headers.has(name))).toEqual([])
    } else expectSameQuota(reply)
    if (status < 400) return
    expect(Object.keys(reply.body)).toEqual(
      known === 'nobody' ? ['error'] : ['error', 'rate_limit'],
    )
  })

  test('has a request ID that is unique in all processes', async () => {
    const ids: (string | null)[] = []
    const other = await createContractApp({ bulkFiles: true })
    for (const own of [testApp, other]) {
      for (const endpoint of ENDPOINTS) {
        const [malformed = endpoint.sample] = malformedRequests(endpoint)
        for (const request of [endpoint.sample, malformed]) {
          const { headers } = await call(own, endpoint, { request, as: 'business' })
          ids.push(headers.get('x-request-id'))
        }
      }
    }
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,64}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('an internal error', () => {
  test('returns 500 without details, and refunds the request', async () => {
    const own = await createTestApp()
    const before = await own.client.get('/v1/cards/900001', { as: 'pro' })
    own.deps.catalog.close()
    const { status, body, text, headers } = await own.client.get('/v1/cards/900002', { as: 'pro' })
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(text).not.toMatch(/database|sqlite|\.ts/i)
    const { daily_remaining } = before.body.rate_limit
    expect(body.rate_limit.daily_remaining).toBe(daily_remaining)
    expect(headers.get('x-ratelimit-remaining')).toBe(String(daily_remaining))

    const logged = own.log.filter(({ level }) => level === 'error')
    expect(logged).toHaveLength(1)
    expect(logged[0]?.facts).toMatchObject({
      request_id: headers.get('x-request-id'),
      error: expect.any(Error),
    })
    own.deps.ledger.close()
  })

  test('returns 500 if the quota cannot be charged', async () => {
    const own = await createTestApp()
    await own.client.get('/v1/cards/900001', { as: 'pro' })
    own.deps.ledger.close()
    expectRefusal(await own.client.get('/v1/cards/900001', { as: 'free' }), 500, 'INTERNAL_ERROR')
    own.deps.catalog.close()
  })

  test('does not log the key', async () => {
    const own = await createTestApp()
    own.deps.catalog.close()
    for (const as of ['free', 'unknown', 'deactivated'] as const) {
      await own.client.get('/v1/cards/900001', { as })
    }
    expect(own.log.length).toBeGreaterThan(0)
    const lines = own.log.map(({ event, facts }) => event + Bun.inspect(facts)).join()
    for (const key of Object.values(own.keys)) expect(lines).not.toContain(key)
    own.deps.ledger.close()
  })
})

describe('over TLS or plain HTTP', () => {
  test.each([
    ['https://cards.example', HSTS, true],
    ['http://cards.example', null, false],
    ['http://localhost:3000', null, false],
  ])('%s: Strict-Transport-Security is %p, Secure %p', async (PUBLIC_URL, hsts, isSecure) => {
    const own = await createTestApp({ env: { PUBLIC_URL } })
    const by = { session: await own.createSession('pro'), as: 'pro' } as const
    for (const path of PATHS) {
      const { headers } = await own.client.get(path, path === '/v1/auth/me' ? by : {})
      expect([path, headers.get('strict-transport-security')]).toEqual([path, hsts])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    const login = { email: emailOf('pro'), password: PASSWORD }
    const begun = await own.client.post('/v1/auth/login', login)
    const ended = await own.client.post('/v1/auth/logout')
    const secure = isSecure ? '; Secure' : ''
    const attributes = 'Path=/; HttpOnly; SameSite=Lax'
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^session=[\\w-]{43}; ${attributes}; Max-Age=2592000${secure}$`),
      ),
    ])
    expect(ended.headers.getSetCookie()).toEqual([`session=; ${attributes}; Max-Age=0${secure}`])
  })
})

/** A path of each kind. */
const PATHS = [
  '/v1/auth/me',
  '/v1/games',
  '/v1/sets',
  '/v1/no-such-thing',
  '/docs',
  '/openapi.json',
  '/llms.txt',
  '/guides/install.md',
  '/healthz',
  '/metrics',
]

function expectSafe({ headers }: Pick<TestResponse<unknown>, 'headers'>): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('strict-transport-security')).toBe(HSTS)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
  )
}

function expectSameQuota({ headers, body }: TestResponse<unknown>): void {
  const { daily_limit, daily_remaining, daily_reset } = body.rate_limit
  expect(headers.get('x-ratelimit-limit')).toBe(String(daily_limit))
  expect(headers.get('x-ratelimit-remaining')).toBe(String(daily_remaining))
  expect(headers.get('x-ratelimit-reset')).toBe(daily_reset)
  expect(headers.get('ratelimit-policy')).toBe(`"daily";q=${daily_limit};w=86400`)
  expect(headers.get('ratelimit')).toBe(`"daily";r=${daily_remaining};t=${SECONDS_TO_RESET}`)
  expect(daily_reset).toBe(QUOTA_RESET)
}
