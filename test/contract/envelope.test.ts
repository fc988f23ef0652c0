import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { TIERS } from '#rules/accounts/tiers.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import {
  createTestApp,
  QUOTA_RESET,
  SECONDS_TO_RESET,
  type TestApp,
  type TestUser,
} from '../support/test-app.ts'
import type { TestRequestOptions, TestResponse } from '../support/test-client.ts'
import { callCatalog } from './catalog-calls.ts'
import {
  ENDPOINTS,
  ENVELOPED,
  type Endpoint,
  GETS,
  KEYED,
  named,
  POSTS,
  PUBLIC,
} from './endpoints.ts'

let testApp: TestApp

beforeAll(async () => {
  testApp = await createTestApp({ bulkFiles: true })
})
afterAll(() => testApp.close())

const { get, head, request } = {
  get: (...of: Parameters<TestApp['client']['get']>) => testApp.client.get(...of),
  head: (...of: Parameters<TestApp['client']['head']>) => testApp.client.head(...of),
  request: (...of: Parameters<TestApp['client']['request']>) => testApp.client.request(...of),
}

/** Calls an endpoint with its sample. */
const sampleOf = (endpoint: Endpoint, of: TestRequestOptions = {}) =>
  callCatalog(testApp, endpoint, { as: accountOf(endpoint), ...of })

const accountOf = ({ lowest }: Endpoint): TestUser | undefined => (lowest ? 'business' : undefined)

const FILES = ENDPOINTS.filter(({ file }) => file !== undefined)
const KEYED_GETS = KEYED.filter((endpoint) => GETS.includes(endpoint))
const KEYED_ENVELOPED = KEYED.filter((endpoint) => ENVELOPED.includes(endpoint))

const PAGED = new Set([
  '/v1/games',
  '/v1/games/{slug}/sets',
  '/v1/sets',
  '/v1/sets/{id}/cards',
  '/v1/cards/{id}/reprints',
  '/v1/migrations',
])
const WITH_META = new Set([
  ...PAGED,
  '/v1/search',
  '/v1/cards/{id}',
  '/v1/cards/{id}/history',
  '/v1/sets/{id}/history',
  '/v1/prices/top-movers',
  '/v1/bulk/prices',
  '/v1/bulk/cards',
  '/v1/bulk/history',
  ...POSTS.map(({ path }) => path),
  '/v1/bulk-data',
])

const QUOTA_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
]

/** Each kind of refusal, and whether its caller is known by then. */
const REFUSALS = [
  ['400 of a stranger', '/v1/games?page=0', undefined, 400, false],
  ['404 of a stranger', '/v1/games/no-such-game', undefined, 404, false],
  ['404 of an unknown address', '/v1/no-such-thing', undefined, 404, false],
  ['401 without a key', '/v1/sets', undefined, 401, false],
  ['401 with a wrong key', '/v1/sets', 'unknown', 401, false],
  ['403', '/v1/cards/900401/history', 'free', 403, true],
  ['400 of a caller', '/v1/sets?page=0', 'pro', 400, true],
  ['404 of a caller', '/v1/sets/1', 'pro', 404, true],
  ['429', '/v1/sets', 'exhausted', 429, true],
] as const satisfies readonly (readonly [string, string, TestUser | undefined, number, boolean])[]

describe('a successful response', () => {
  test.each(named(ENVELOPED))(
    'of %s has `data`, `meta` if documented, and `rate_limit` for a known client',
    async (path, e) => {
      const { status, body } = await sampleOf(e)
      expect(status).toBe(200)
      const members = ['data', ...(WITH_META.has(path) ? ['meta'] : [])]
      expect(Object.keys(body)).toEqual([...members, ...(e.lowest ? ['rate_limit'] : [])])
    },
  )

  test.each(named(ENDPOINTS.filter(({ path }) => PAGED.has(path) || path === '/v1/search')))(
    'of %s has the page in `meta`',
    async (_path, e) => {
      const { body } = await sampleOf(e)
      expect(body.meta).toMatchObject({
        total: expect.any(Number),
        page: 1,
        per_page: expect.any(Number),
        has_more: expect.any(Boolean),
      })
    },
  )

  test.each(named(KEYED_GETS))('of %s is private to its caller', async (_path, e) => {
    const { headers } = await sampleOf(e)
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('vary')?.toLowerCase()).toContain('x-api-key')
  })

  test.each(named(POSTS))('of %s is never cached', async (_path, e) => {
    const { headers } = await sampleOf(e)
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
  })

  test.each(named(FILES))(
    'of %s is a file: without an envelope, with a file name',
    async (_path, e) => {
      const { text, headers } = await sampleOf(e)
      expect(text).not.toContain('"rate_limit"')
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/)
      expect(headers.get('accept-ranges')).toBe(e.file === 'stored' ? 'bytes' : null)
    },
  )

  test.each(named(PUBLIC))('of %s may be cached publicly and revalidated', async (_path, e) => {
    const { headers } = await sampleOf(e)
    expect(headers.get('cache-control')).toBe('public, no-cache')
  })
})

describe('an error response', () => {
  test.each(REFUSALS)(
    '(%s) is `error` with a message and a code',
    async (_, path, as, status, known) => {
      const testResponse = await get(path, { as })
      expect(testResponse.status).toBe(status)
      expect(testResponse.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(Object.keys(testResponse.body)).toEqual(known ? ['error', 'rate_limit'] : ['error'])
      expect(testResponse.body.error).toEqual({
        message: expect.stringMatching(/^.{10,300}$/s),
        code: expect.stringMatching(/^[A-Z_]+$/),
      })
    },
  )

  test.each(REFUSALS)('(%s) is never cached', async (_, path, as) => {
    const { headers } = await get(path, { as })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.has('etag')).toBe(false)
  })
})

describe('the quota', () => {
  test.each(named(KEYED_ENVELOPED))(
    'is equal in the headers and the body of %s',
    async (_path, e) => {
      expectSameQuota(await sampleOf(e))
    },
  )

  test.each(named(FILES))('is in the headers of the file of %s', async (_path, e) => {
    const { headers } = await sampleOf(e)
    expect(QUOTA_HEADERS.filter((name) => !headers.has(name))).toEqual([])
  })

  test.each(REFUSALS.filter(([, , , , known]) => known))(
    'is in every error for a known client (%s)',
    async (_, path, as) => {
      expectSameQuota(await get(path, { as }))
    },
  )

  test.each(REFUSALS.filter(([, , , , known]) => !known))(
    'is in no response to unknown clients (%s)',
    async (_, path, as) => {
      const { headers, body } = await get(path, { as })
      expect(QUOTA_HEADERS.filter((name) => headers.has(name))).toEqual([])
      expect(body.rate_limit).toBeUndefined()
    },
  )

  test.each([
    ['free', 100],
    ['hobby', 1_000],
    ['starter', 2_500],
    ['pro', 10_000],
    ['business', 50_000],
  ] as const)('of the tier %s is %i requests a day', async (as, limit) => {
    const own = await createTestApp()
    const { body, headers } = await own.client.get('/v1/sets', { as })
    expect(body.rate_limit).toEqual({
      daily_limit: limit,
      daily_remaining: limit - 1,
      daily_reset: QUOTA_RESET,
    })
    expect(headers.get('ratelimit-policy')).toBe(`"daily";q=${limit};w=86400`)
    expect(headers.get('ratelimit')).toBe(`"daily";r=${limit - 1};t=${SECONDS_TO_RESET}`)
    own.close()
  })

  test('of 100 allows exactly 100 requests, then returns 429 with Retry-After', async () => {
    const own = await createTestApp()
    const replies = await Promise.all(
      Array.from({ length: 130 }, () => own.client.get('/v1/sets/90011', { as: 'free' })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(100)
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(30)
    for (const { body, headers } of refused) {
      expect(body.error.code).toBe('RATE_LIMIT_EXCEEDED')
      expect(body.error.message).toContain('midnight UTC')
      expect(body.rate_limit.daily_remaining).toBe(0)
      expect(headers.get('retry-after')).toBe(String(SECONDS_TO_RESET))
    }
    const left = replies.map(({ body }) => body.rate_limit.daily_remaining)
    expect(left.slice(0, 100).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 100 }, (_, index) => 99 - index),
    )
    own.close()
  })

  test('resets at midnight UTC', async () => {
    const own = await createTestApp()
    expect((await own.client.get('/v1/sets', { as: 'exhausted' })).status).toBe(429)
    own.setClock('2026-11-15T23:59:59.999Z')
    const late = await own.client.get('/v1/sets', { as: 'exhausted' })
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1'])
    own.setClock(QUOTA_RESET)
    const { status, body } = await own.client.get('/v1/sets', { as: 'exhausted' })
    expect(status).toBe(200)
    expect(body.rate_limit).toEqual({
      daily_limit: 100,
      daily_remaining: 99,
      daily_reset: '2026-11-17T00:00:00.000Z',
    })
    own.close()
  })

  test('is shared by all keys of an account and by no other account', async () => {
    const own = await createTestApp()
    for (const as of TIERS) await own.client.get('/v1/sets', { as })
    for (const as of TIERS) {
      const { body } = await own.client.get('/v1/sets', { as })
      expect(body.rate_limit.daily_remaining).toBe(body.rate_limit.daily_limit - 2)
    }
    own.close()
  })

  test('is charged for a 404', async () => {
    const before = await get('/v1/sets/90011', { as: 'pro' })
    await get('/v1/sets/1', { as: 'pro' })
    const after = await get('/v1/sets/90011', { as: 'pro' })
    expect(remaining(before) - remaining(after)).toBe(2)
  })

  test('is not charged for a rejected request', async () => {
    const before = await get('/v1/sets', { as: 'starter' })
    const refused = await get('/v1/cards/900401/history/detailed', { as: 'starter' })
    const malformed = await get('/v1/sets?page=0', { as: 'starter' })
    expect([remaining(refused), remaining(malformed)]).toEqual([
      remaining(before),
      remaining(before),
    ])
  })

  test('is complete when the first request is rejected', async () => {
    const own = await createTestApp()
    const { body } = await own.client.get('/v1/sets?page=0', { as: 'hobby' })
    expect(body.rate_limit.daily_remaining).toBe(1_000)
    own.close()
  })
})

describe('an internal error', () => {
  test('returns 500 without details, and refunds the request', async () => {
    const own = await createTestApp()
    const before = await own.client.get('/v1/cards/900001', { as: 'pro' })
    own.deps.catalog.close()
    const { status, body, text, headers } = await own.client.get('/v1/cards/900002', { as: 'pro' })
    expect(status).toBe(500)
    expect(body.error).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'Internal error. Try again later.',
    })
    expect(text).not.toMatch(/database|sqlite|\.ts/i)
    expect(body.rate_limit.daily_remaining).toBe(remaining(before))
    expect(headers.get('x-ratelimit-remaining')).toBe(String(remaining(before)))

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
    const { status, body } = await own.client.get('/v1/cards/900001', { as: 'free' })
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    own.deps.catalog.close()
  })

  test('does not log the key', async () => {
    const own = await createTestApp()
    own.deps.catalog.close()
    for (const as of ['free', 'unknown', 'deactivated'] as const) {
      await own.client.get('/v1/cards/900001', { as })
    }
    expect(own.log.length).toBeGreaterThan(0)
    const logged = own.log.map(({ event, facts }) => event + Bun.inspect(facts)).join()
    for (const key of Object.values(own.keys)) expect(logged).not.toContain(key)
    own.deps.ledger.close()
  })
})

describe('X-Request-Id', () => {
  test('is unique for each request of any process', async () => {
    const other = await createTestApp()
    const ids: (string | null)[] = []
    for (const one of [testApp, other]) {
      for (const endpoint of ENDPOINTS) {
        for (const made of [endpoint.sample, endpoint.malformed ?? endpoint.sample]) {
          const { headers } = await callCatalog(one, endpoint, { made, as: accountOf(endpoint) })
          ids.push(headers.get('x-request-id'))
        }
      }
    }
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,64}$/)
    expect(new Set(ids).size).toBe(ids.length)
    other.close()
  })

  test.each(REFUSALS)('is in every error response (%s)', async (_, path, as) => {
    const { headers } = await get(path, { as })
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
  })

  test('is in a 405 response', async () => {
    const { headers } = await request('POST', '/v1/games')
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
  })
})

describe('the security headers', () => {
  const expectSafe = ({ headers }: TestResponse<unknown>) => {
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }

  test.each(named())('are in the response of %s', async (_path, e) => {
    expectSafe(await sampleOf(e))
  })
  test.each(REFUSALS)('are in every error response (%s)', async (_, path, as) => {
    expectSafe(await get(path, { as }))
  })
  test('are in a 405 response', async () => expectSafe(await request('POST', '/v1/games')))
})

describe('the ETag', () => {
  test.each(named(GETS))(
    'of %s is strong, and If-None-Match with it returns 304',
    async (_path, e) => {
      const first = await sampleOf(e)
      const tag = first.headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/)

      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await sampleOf(e, { headers: { 'if-none-match': known } })
        expect([known, again.status, again.text]).toEqual([known, 304, ''])
        expect(again.headers.get('etag')).toBe(tag)
        expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
        expect(again.headers.get('vary')).toBe(first.headers.get('vary'))
      }
      for (const unknown of ['"other"', tag.slice(1, -1), `${tag.slice(0, -1)}x"`, '']) {
        const again = await sampleOf(e, { headers: { 'if-none-match': unknown } })
        expect([unknown, again.status]).toEqual([unknown, 200])
      }
    },
  )

  test.each(named(KEYED_GETS))(
    'of %s saves the transfer, not the request: a 304 is charged',
    async (_path, e) => {
      const first = await sampleOf(e)
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
      const again = await sampleOf(e, { headers })
      expect(again.status).toBe(304)
      const left = Number(first.headers.get('x-ratelimit-remaining')) - 1
      expect(again.headers.get('x-ratelimit-remaining')).toBe(String(left))
      expect(QUOTA_HEADERS.filter((name) => !again.headers.has(name))).toEqual([])
    },
  )

  test('does not grant access: 401, 403 and 429 come before 304', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await get('/v1/sets', { headers })).status).toBe(401)
    expect((await get('/v1/sets', { as: 'deactivated', headers })).status).toBe(401)
    expect((await get('/v1/cards/900401/history', { as: 'free', headers })).status).toBe(403)
    expect((await get('/v1/sets', { as: 'exhausted', headers })).status).toBe(429)
    expect((await get('/v1/sets/1', { as: 'pro', headers })).status).toBe(404)
  })

  test('of a history differs by depth and by day', async () => {
    const own = await createTestApp()
    const path = '/v1/cards/900401/history?range=all'
    const tagOf = async (as: TestUser) => (await own.client.get(path, { as })).headers.get('etag')
    const tags = [await tagOf('hobby'), await tagOf('starter'), await tagOf('pro')]
    own.setClock('2026-11-16T00:00:01Z')
    tags.push(await tagOf('hobby'))
    expect(new Set(tags).size).toBe(4)
    own.close()
  })

  test('of a new version is never sent with data of the previous one', async () => {
    const own = await createTestApp({ onDisk: true })
    own.setClock('2026-12-01T21:30:00Z')
    const realNow = performance.now.bind(performance)
    let passed = 0
    const clock = spyOn(performance, 'now').mockImplementation(() => realNow() + passed)
    const path = '/v1/cards/900081/history?range=all'
    const request = async (headers = {}) => {
      const { headers: answered, body } = await own.client.get<{ date: string }[]>(path, {
        as: 'pro',
        headers,
      })
      return { tag: answered.get('etag'), newest: body.data?.at(-1)?.date }
    }
    const before = await request()

    const intake = openCatalogWriter(own.deps.config.dataDir)
    const price = { card_id: 900081, printing: 'Normal', market_price: 30_000 }
    intake.history.putDay(dayOf(new Date('2026-12-01')), [[{ ...NOTHING_KNOWN, ...price }]])
    intake.history.recount(() => new Date('2026-12-01T21:00:00Z'))
    intake.close()
    passed = 1_000

    const first = await request()
    const second = await request()
    expect(second.newest).toBe('2026-12-01')
    expect(second.tag).not.toBe(before.tag)
    // A client that caches the first response by its tag would otherwise keep old data.
    if (first.newest !== second.newest) expect(first.tag).not.toBe(second.tag)
    clock.mockRestore()
    own.close()
  })

  test('of the freshness changes when the data becomes stale', async () => {
    const own = await createTestApp()
    const fresh = (await own.client.get('/v1/meta')).headers.get('etag')
    own.setClock('2027-03-01T00:00:00Z')
    expect((await own.client.get('/v1/meta')).headers.get('etag')).not.toBe(fresh)
    own.close()
  })
})

describe('HEAD', () => {
  test.each(named(GETS))('returns the headers of GET %s without a body', async (_path, e) => {
    const getResponse = await sampleOf(e)
    const headResponse = await head(e.sample.path, { as: accountOf(e) })
    expect([headResponse.status, headResponse.text]).toEqual([200, ''])
    const names = ['content-type', 'etag', 'cache-control', 'vary', 'x-ratelimit-limit']
    for (const name of [...names, 'content-disposition', 'accept-ranges']) {
      expect([name, headResponse.headers.get(name)]).toEqual([name, getResponse.headers.get(name)])
    }
  })

  test('is rejected and charged as GET is', async () => {
    expect(await head('/v1/sets')).toMatchObject({ status: 401, text: '' })
    expect(await head('/v1/sets?page=0', { as: 'pro' })).toMatchObject({ status: 400, text: '' })
    expect(await head('/v1/sets/1', { as: 'pro' })).toMatchObject({ status: 404, text: '' })
    expect((await head('/v1/no-such-thing')).status).toBe(404)
    const before = await get('/v1/sets', { as: 'pro' })
    await head('/v1/sets', { as: 'pro' })
    const after = await get('/v1/sets', { as: 'pro' })
    expect(remaining(before) - remaining(after)).toBe(2)
  })
})

describe('an unsupported method', () => {
  test.each(named())('for %s returns 405 with the allowed methods', async (_path, e) => {
    const allowed = e.method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : ['OPTIONS', 'POST']
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (method) => !allowed.includes(method),
    )
    for (const method of others) {
      const testResponse = await request(method, e.sample.path, { as: accountOf(e) })
      const { status, headers, body } = testResponse
      expect([method, status]).toEqual([method, 405])
      if (method !== 'HEAD') expect(body.error.code).toBe('METHOD_NOT_ALLOWED')
      expect(headers.get('allow')?.split(', ').sort()).toEqual(allowed)
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('is not charged', async () => {
    const before = await get('/v1/sets', { as: 'pro' })
    await request('POST', '/v1/sets', { as: 'pro' })
    const after = await get('/v1/sets', { as: 'pro' })
    expect(remaining(before) - remaining(after)).toBe(1)
  })
})

describe('another origin', () => {
  const origin = { origin: 'https://shop.example' }

  test.each(named())('may call %s after a preflight without a key', async (_path, e) => {
    const { status, headers, text } = await request('OPTIONS', e.sample.path, {
      headers: {
        ...origin,
        'access-control-request-method': e.method,
        'access-control-request-headers': 'x-api-key',
      },
    })
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(list(headers.get('access-control-allow-methods'))).toContain(e.method.toLowerCase())
    const allowed = list(headers.get('access-control-allow-headers'))
    for (const name of ['x-api-key', 'content-type', 'range', 'if-range']) {
      expect(allowed).toContain(name)
    }
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0)
  })

  test.each(named())('can read the response of %s and its headers', async (_path, e) => {
    expectReadable(await sampleOf(e, { headers: origin }))
  })

  test.each(REFUSALS)('can read every error response (%s)', async (_, path, as) => {
    expectReadable(await get(path, { as, headers: origin }))
  })

  test('can read a 405 response', async () => {
    expectReadable(await request('POST', '/v1/games', { headers: origin }))
  })

  test('can read a 304 response', async () => {
    const testResponse = await get('/v1/games', { headers: { ...origin, 'if-none-match': '*' } })
    expect(testResponse.status).toBe(304)
    expectReadable(testResponse)
  })

  test('is never allowed to send credentials', async () => {
    const { headers } = await get('/v1/games', { headers: origin })
    expect(headers.has('access-control-allow-credentials')).toBe(false)
  })

  test.each(named())('needs no CORS headers if it is the same origin (%s)', async (_path, e) => {
    const { headers } = await sampleOf(e)
    expect(headers.has('access-control-allow-origin')).toBe(false)
  })

  function expectReadable({ headers }: TestResponse<unknown>): void {
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const exposed = list(headers.get('access-control-expose-headers'))
    const ofFiles = ['accept-ranges', 'content-disposition', 'content-range']
    const names = [...QUOTA_HEADERS, 'retry-after', 'x-request-id', 'etag', 'link', ...ofFiles]
    for (const name of names) {
      expect(exposed).toContain(name)
    }
  }

  function list(header: string | null): string[] {
    return (header ?? '').toLowerCase().split(/\s*,\s*/)
  }
})

const NOTHING_KNOWN = {
  low_price: null,
  median_price: null,
  lowest_with_shipping: null,
  buylist_price: null,
  avg_sales_price: null,
  sales_volume: null,
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

function remaining({ body }: TestResponse<unknown>): number {
  return body.rate_limit.daily_remaining
}
