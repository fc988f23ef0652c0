import { beforeEach, describe, expect, test } from 'bun:test'
import { DAILY_REQUESTS, type Tier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { call } from '../../contract/calls.ts'
import { ENDPOINTS } from '../../contract/endpoints.ts'
import { fakeReader, PHOTO } from '../../support/photos/reader-fixtures.ts'
import {
  createTestApp,
  PUBLIC_URL,
  QUOTA_RESET,
  SECONDS_TO_RESET,
  type TestApp,
  type TestAppOptions,
} from '../../support/test-app.ts'
import type { TestRequestOptions, TestResponse } from '../../support/test-client.ts'

// Requests of the dashboard without a key: permissions and quotas.

const CARD = '/v1/cards/900001'
const HISTORY = `${CARD}/history?range=all`
const HOST = 'cards.example'
const OWN = PUBLIC_URL
const TRUSTED = 'https://shop.example'
const PAGE = { 'x-cardstock-page': '1', host: HOST }

let testApp: TestApp

async function open(
  env: Record<string, string> = {},
  options: TestAppOptions = {},
): Promise<TestApp> {
  testApp = await createTestApp({ env: { TRUST_PROXY: '1', ...env }, ...options })
  return testApp
}
beforeEach(() => open())

/** Sends a request like the dashboard, from the given address. */
function page<Data = unknown>(
  path: string,
  { from = '192.0.2.1', headers, ...request }: TestRequestOptions & { from?: string } = {},
) {
  const sent = { ...PAGE, 'x-forwarded-for': from, ...headers }
  return testApp.client.get<Data>(path, { ...request, headers: sent })
}

const identify = (options: TestRequestOptions = {}) =>
  testApp.client.request('POST', '/v1/identify', {
    ...options,
    body: PHOTO.jpeg,
    headers: { 'content-type': 'image/jpeg', ...PAGE, ...options.headers },
  })

function expectRefusal(testResponse: TestResponse<unknown>, status: number, code: string): void {
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([status, code])
  expect(testResponse.body.data).toBeUndefined()
  expect(testResponse.headers.get('cache-control')).toBe('no-store')
}

const left = ({ body }: TestResponse<unknown>) => [
  body.rate_limit.daily_limit,
  body.rate_limit.daily_remaining,
]

const named = <Headers extends object>(all: readonly Headers[]) =>
  all.map((headers) => [JSON.stringify(headers), headers] as const)

const corsOf = ({ headers }: TestResponse<unknown>) =>
  [...headers].filter(([name]) => name.startsWith('access-control-'))

describe('200 to a visitor', () => {
  test('shows the catalog and 90 days of history, and counts in body and headers', async () => {
    const shown = await page(CARD)
    expect([shown.status, left(shown)]).toEqual([200, [500, 499]])
    const history = await page(HISTORY)
    expect([history.body.meta.from, left(history)]).toEqual(['2026-08-17', [500, 498]])
    expect(history.body.rate_limit.daily_reset).toBe(QUOTA_RESET)
    expect(history.headers.get('x-ratelimit-limit')).toBe('500')
    expect(history.headers.get('x-ratelimit-remaining')).toBe('498')
    expect(history.headers.get('ratelimit')).toBe(`"daily";r=498;t=${SECONDS_TO_RESET}`)
  })

  test('has the same content as with a key', async () => {
    const history = `${CARD}/history?range=quarter`
    for (const path of [CARD, history, '/v1/sets?per_page=2', '/v1/search?q=marigold&per_page=2']) {
      const keyed = await testApp.client.get(path, { as: 'pro' })
      const shown = await page(path)
      expect(shown.body.data).toEqual(keyed.body.data)
      expect(shown.body.meta).toEqual(keyed.body.meta)
      expect(shown.headers.get('link')).toBe(keyed.headers.get('link'))
    }
  })

  test('shows the history depth of the visitor tier', async () => {
    await open({ VISITOR_TIER: 'hobby' })
    expect((await page(HISTORY)).body.meta.from).toBe('2026-11-08')
  })

  test('shows histories under the strict access policy too', async () => {
    await open({}, { accessPolicy: 'strict' })
    expect((await page(HISTORY)).status).toBe(200)
  })

  test('is never cached, and no other origin can read it', async () => {
    for (const options of [{}, { session: await testApp.createSession('free') }]) {
      const headers = { origin: OWN, 'if-none-match': '*' }
      for (const path of [CARD, '/v1/cards/1', '/v1/cards/x']) {
        const testResponse = await page(path, { ...options, headers })
        expect(testResponse.status).not.toBe(304)
        expect(testResponse.headers.get('cache-control')).toBe('no-store')
        expect(testResponse.headers.get('cross-origin-resource-policy')).toBe('same-site')
        expect(testResponse.headers.has('etag')).toBe(false)
        expect(corsOf(testResponse)).toEqual([])
      }
    }
  })

  test('answers HEAD without a body, and counts it', async () => {
    const headers = { ...PAGE, 'x-forwarded-for': '192.0.2.1' }
    const reply = await testApp.client.head(CARD, { headers })
    expect([reply.status, reply.text, reply.headers.get('x-ratelimit-remaining')]).toEqual([
      200,
      '',
      '499',
    ])
  })
})

describe('200 with a session', () => {
  test("is charged to the account like a key's, and counted in no key's statistics", async () => {
    const session = await testApp.createSession('hobby')
    const limit = DAILY_REQUESTS.hobby
    expect(left(await page(CARD, { session }))).toEqual([limit, limit - 1])
    expect(left(await testApp.client.get(CARD, { as: 'hobby' }))).toEqual([limit, limit - 2])
    expect(left(await page(CARD, { session }))).toEqual([limit, limit - 3])
    const { body } = await testApp.client.get<{
      account: { today_requests: number }
      days: { requests: number }[]
    }>('/v1/usage', { session })
    expect(body.data.account.today_requests).toBe(3)
    expect(body.data.days.at(-1)?.requests).toBe(1)
    expect(left(await page(CARD))).toEqual([500, 499])
  })

  test.each([
    ['pro', '2026-08-17', '2026-08-17', '2026-08-17'],
    ['starter', '2026-10-16', '2026-10-16', '2026-10-16'],
    ['hobby', '2026-11-08', '2026-11-08', '2026-10-16'],
  ] as const)(
    "with VISITOR_TIER=%s shows histories as deep as for visitors, or as the account's tier",
    async (visitors, free, hobby, starter) => {
      await open({ VISITOR_TIER: visitors })
      const from = async (testAccount: Tier) =>
        (await page(HISTORY, { session: await testApp.createSession(testAccount) })).body.meta.from
      expect(await from('free')).toBe(free)
      expect(await from('hobby')).toBe(hobby)
      expect(await from('starter')).toBe(starter)
      expect(await from('pro')).toBeNull()
      expect(await from('business')).toBeNull()
      expect((await page(HISTORY)).body.meta.from).toBe(free)
    },
  )

  test('has no deeper history with the quota of visitors than with that of the account', async () => {
    const session = await testApp.createSession('exhausted')
    expect((await page(HISTORY, { session })).body.meta.from).toBe('2026-08-17')
    const pro = await testApp.createSession('exhausted_pro')
    expect((await page(HISTORY, { session: pro })).body.meta.from).toBeNull()
  })

  test("shows visitor pages up to the account's tier even without visitors", async () => {
    await open({ VISITOR_TIER: 'off' })
    expect((await page(CARD, { session: await testApp.createSession('free') })).status).toBe(200)
    const session = await testApp.createSession('hobby')
    expect((await page(HISTORY, { session })).body.meta.from).toBe('2026-11-08')
    expectRefusal(
      await page(HISTORY, { session: await testApp.createSession('free') }),
      403,
      'TIER_REQUIRED',
    )
  })

  test("reaches every other feature of the account's tier, including POST", async () => {
    const session = await testApp.createSession('starter')
    const headers = { ...PAGE, 'sec-fetch-site': 'same-origin', origin: OWN }
    const json = { items: [{ name: 'Charizard' }] }
    const testResponse = await testApp.client.post('/v1/bulk/resolve/name', json, {
      session,
      headers,
    })
    expect(testResponse.status).toBe(200)
    expect(testResponse.headers.get('cache-control')).toBe('no-store')
    expect(corsOf(testResponse)).toEqual([])
    expect((await page('/v1/bulk/prices?ids=900001', { session })).status).toBe(403)
  })

  test("continues with the visitor quota of the address when the account's is exhausted", async () => {
    await open({ VISITOR_DAILY_REQUESTS: '2' })
    const session = await testApp.createSession('exhausted')
    expect(left(await page(CARD, { session }))).toEqual([2, 1])
    expect(left(await page(CARD))).toEqual([2, 0])
    const refused = await page(CARD, { session })
    expectRefusal(refused, 429, 'RATE_LIMIT_EXCEEDED')
    expect(left(refused)).toEqual([DAILY_REQUESTS.free, 0])
    expect(refused.headers.get('retry-after')).toBe(String(SECONDS_TO_RESET))
    expect((await page(CARD, { session, from: '192.0.2.2' })).status).toBe(200)
  })

  test('does not continue with requests that visitors may not send, or without visitors', async () => {
    const session = await testApp.createSession('exhausted_pro')
    const prices = '/v1/bulk/prices?ids=900001'
    expectRefusal(await page(prices, { session }), 429, 'RATE_LIMIT_EXCEEDED')
    await open({ VISITOR_TIER: 'off' })
    const other = await testApp.createSession('exhausted')
    expectRefusal(await page(CARD, { session: other }), 429, 'RATE_LIMIT_EXCEEDED')
  })
})

describe('401', () => {
  const HEADERS = [{}, { 'x-cardstock-page': '' }, { 'x-cardstock-page': '0' }]

  test.each(named(HEADERS))(
    'a cookie without the header is ignored: %s',
    async (_headers, given) => {
      const headers = { host: HOST, 'sec-fetch-site': 'same-origin', ...given }
      for (const session of [undefined, await testApp.createSession('pro')]) {
        for (const path of [CARD, HISTORY, '/v1/bulk/prices?ids=1']) {
          expectRefusal(
            await testApp.client.get(path, { session, headers }),
            401,
            'API_KEY_REQUIRED',
          )
        }
        const photo = { session, headers: { 'x-cardstock-page': '', ...given } }
        expectRefusal(await identify(photo), 401, 'API_KEY_REQUIRED')
      }
    },
  )

  test('visitors reach only catalog and history, and none of their files', async () => {
    const beyond = ENDPOINTS.filter(
      ({ auth, method, lowest, path }) =>
        auth === 'key' &&
        lowest !== undefined &&
        (method === 'POST' || lowest['five-tier'] !== 'free' || path.startsWith('/v1/bulk-data')) &&
        !['/v1/cards/{id}/history', '/v1/sets/{id}/history'].includes(path),
    )
    expect(beyond.length).toBeGreaterThan(7)
    for (const endpoint of beyond) {
      const testResponse = await call(testApp, endpoint, { headers: PAGE })
      expectRefusal(testResponse, 401, 'API_KEY_REQUIRED')
      expect(testResponse.body.rate_limit).toBeUndefined()
    }
  })

  test('without visitors the message says to log in', async () => {
    await open({ VISITOR_TIER: 'off' })
    const reply = await page(CARD)
    expectRefusal(reply, 401, 'SESSION_REQUIRED')
  })

  test('an ended session does not count', async () => {
    const session = await testApp.createSession('pro')
    await testApp.client.post('/v1/auth/logout', undefined, { session, headers: PAGE })
    expect(left(await page(CARD, { session }))).toEqual([500, 499])
    expectRefusal(await page('/v1/sets/9101/prices', { session }), 401, 'API_KEY_REQUIRED')
  })
})

describe('a key beside the header', () => {
  test('counts, regardless of header and session', async () => {
    const session = await testApp.createSession('pro')
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const testResponse = await page(CARD, { as: 'free', session, headers })
    expect([testResponse.status, left(testResponse)]).toEqual([200, [100, 99]])
    expect(testResponse.headers.get('cache-control')).toBe('private, no-cache')
    expect(testResponse.headers.get('vary')).toBe('X-API-Key, Authorization, Accept-Encoding')
    expect(testResponse.headers.get('access-control-allow-origin')).toBe('*')
    expectRefusal(await page(CARD, { as: 'unknown', session }), 401, 'INVALID_API_KEY')
  })

  test('is ignored if it is empty', async () => {
    expect((await page(CARD, { headers: { 'x-api-key': '' } })).status).toBe(200)
  })
})

describe('403: another origin', () => {
  const REFUSED: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', origin: OWN },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${OWN}:8443` },
    { origin: TRUSTED },
    { origin: TRUSTED, 'sec-fetch-site': 'cross-site' },
  ]

  test.each(named(REFUSED))('%s', async (_headers, headers) => {
    await open({ CORS_ORIGINS: TRUSTED })
    const session = await testApp.createSession('pro')
    const post = { session, headers: { ...PAGE, ...headers } }
    const replies = [
      await page(CARD, { headers }),
      await page(CARD, { session, headers }),
      await testApp.client.post('/v1/bulk/resolve/name', { items: [] }, post),
      await identify({ session, headers }),
    ]
    for (const testResponse of replies) {
      expectRefusal(testResponse, 403, 'CROSS_ORIGIN_REJECTED')
      expect(corsOf(testResponse)).toEqual([])
    }
    expect(left(await page(CARD))).toEqual([500, 499])
    expect(left(await page(CARD, { session }))).toEqual([10_000, 9_999])
  })

  const LET_IN: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: OWN },
    { origin: OWN },
    { origin: OWN, host: 'behind-a-proxy:3000' },
    { origin: 'http://192.168.0.7:3000', host: '192.168.0.7:3000' },
  ]

  test.each(named(LET_IN))('the own origin is accepted: %s', async (_headers, headers) => {
    const session = await testApp.createSession('free')
    expect((await page(CARD, { headers })).status).toBe(200)
    expect((await page(CARD, { session, headers })).status).toBe(200)
    expect((await identify({ session, headers })).status).toBe(200)
  })

  test('may send the header to no endpoint: no preflight allows it', async () => {
    await open({ CORS_ORIGINS: TRUSTED })
    for (const path of new Set(ENDPOINTS.map(({ path }) => path))) {
      for (const origin of ['https://evil.example', TRUSTED]) {
        const reply = await testApp.client.request('OPTIONS', path.replaceAll(/{\w+}/g, '1'), {
          headers: {
            origin,
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'x-cardstock-page',
          },
        })
        const allowed = reply.headers.get('access-control-allow-headers') ?? ''
        expect([path, reply.status]).toEqual([path, 204])
        expect(allowed.toLowerCase()).not.toMatch(/x-cardstock-page|\*/)
      }
    }
  })
})

test('405 reveals nothing to another origin', async () => {
  const headers = { ...PAGE, origin: OWN }
  const testResponse = await testApp.client.request('PUT', CARD, { headers })
  expectRefusal(testResponse, 405, 'METHOD_NOT_ALLOWED')
  expect(corsOf(testResponse)).toEqual([])
})

describe('429', () => {
  test('applies to an address, with instructions', async () => {
    await open({ VISITOR_DAILY_REQUESTS: '1' })
    expect((await page(CARD, { from: '192.0.2.1' })).status).toBe(200)
    const refused = await page(CARD, { from: '192.0.2.1' })
    expectRefusal(refused, 429, 'RATE_LIMIT_EXCEEDED')
    expect(left(refused)).toEqual([1, 0])
    expect(refused.headers.get('retry-after')).toBe(String(SECONDS_TO_RESET))
    expect((await page(CARD, { from: '192.0.2.2' })).status).toBe(200)
  })

  test.each([
    ['an IPv6 /64', (at: number) => `2001:db8:0:1::${at}`, 1],
    ['an IPv6 /56', (at: number) => `2001:db8:0:1${at}::1`, 2],
    ['an IPv6 /48', (at: number) => `2001:db8:0:${at}00::1`, 4],
    ['an IPv4 /24', (at: number) => `192.0.2.${at}`, 4],
  ])('applies to %s', async (_name, addressAt, multiple) => {
    await open({ VISITOR_DAILY_REQUESTS: '1' })
    const statuses: number[] = []
    for (let at = 10; at < 16; at++) {
      statuses.push((await page(CARD, { from: addressAt(at) })).status)
    }
    expect(statuses.filter((status) => status === 200).length).toBe(multiple)
    expect(statuses.lastIndexOf(200)).toBe(multiple - 1)
    expect((await page(CARD, { from: '2a00:1::1' })).status).toBe(200)
  })

  test('applies to the data that a visitor receives, but not to that of an account', async () => {
    await open({ VISITOR_DAILY_CARDS: '3' })
    const list = '/v1/search?q=ma&per_page=3'
    const seen = await page<{ id: number }[]>(list)
    expect([seen.status, seen.body.data.length]).toEqual([200, 3])
    // Cards that were sent stay accessible, others do not.
    expect((await page(`/v1/cards/${seen.body.data[0]?.id}`)).status).toBe(200)
    const refused = await page(`${list}&page=2`)
    expectRefusal(refused, 429, 'RATE_LIMIT_EXCEEDED')
    expect(refused.headers.get('retry-after')).toBe(String(SECONDS_TO_RESET))
    expect((await page(`${list}&page=2`, { from: '198.51.100.1' })).status).toBe(200)

    const session = await testApp.createSession('free')
    for (const at of [1, 2, 3])
      expect((await page(`${list}&page=${at}`, { session })).status).toBe(200)
    // With the quota of visitors, their limits apply.
    const exhausted = await testApp.createSession('exhausted')
    expectRefusal(await page(`${list}&page=3`, { session: exhausted }), 429, 'RATE_LIMIT_EXCEEDED')
    testApp.setClock(QUOTA_RESET)
    expect((await page(`${list}&page=2`)).status).toBe(200)
  })

  test('counts all addresses together, without requests of accounts', async () => {
    await open({ VISITOR_DAILY_REQUESTS_ALL: '2' })
    expect(left(await page(CARD, { from: '192.0.2.1' }))).toEqual([500, 0])
    expectRefusal(await page(CARD, { from: '192.0.2.1' }), 429, 'RATE_LIMIT_EXCEEDED')
    // The second half is reserved for addresses that were not seen today.
    expect(left(await page(CARD, { from: '198.51.100.1' }))).toEqual([500, 0])
    expectRefusal(await page(CARD, { from: '203.0.113.1' }), 429, 'RATE_LIMIT_EXCEEDED')
    const session = await testApp.createSession('free')
    expect((await page(CARD, { session, from: '203.0.113.1' })).status).toBe(200)
    expect((await testApp.client.get(CARD, { as: 'free' })).status).toBe(200)
  })

  test('ends at midnight UTC', async () => {
    await open({ VISITOR_DAILY_REQUESTS: '1', VISITOR_DAILY_REQUESTS_ALL: '1' })
    expect((await page(CARD)).status).toBe(200)
    testApp.setClock('2026-11-15T23:59:59.999Z')
    expect((await page(CARD)).headers.get('retry-after')).toBe('1')
    testApp.setClock(QUOTA_RESET)
    expect(left(await page(CARD))).toEqual([1, 0])
  })

  test('comes after 400, which is free; 404 costs one', async () => {
    const malformed = await page('/v1/cards/x')
    expect([malformed.status, left(malformed)]).toEqual([400, [500, 500]])
    const unknown = await page('/v1/cards/1')
    expect([unknown.status, left(unknown)]).toEqual([404, [500, 499]])
  })
})

describe('500', () => {
  test('is refunded: to a visitor, to an account, or to its visitor quota', async () => {
    await open({ VISITOR_DAILY_REQUESTS: '9' })
    const { cards } = testApp.deps.catalog
    const { getById } = cards
    const payers = [
      [undefined, 9],
      [await testApp.createSession('free'), DAILY_REQUESTS.free],
      [await testApp.createSession('exhausted'), 9],
    ] as const
    for (const [index, [session, before]] of payers.entries()) {
      const options = { session, from: `192.0.2.${index}` }
      cards.getById = () => {
        throw new Error('the disk is gone')
      }
      const failed = await page(CARD, options)
      expect([failed.status, left(failed)[1]]).toEqual([500, before])
      cards.getById = getById
      expect(left(await page(CARD, options))[1]).toBe(before - 1)
    }
  })

  test('is sent with the charged quota if the counts of visitors cannot be changed', async () => {
    await open({ VISITOR_DAILY_REQUESTS: '9' })
    const { catalog, ledger } = testApp.deps
    catalog.cards.getById = () => {
      ledger.dailyCounts.update = async () => {
        throw new ServiceError('UNAVAILABLE', 'Try again soon.')
      }
      throw new Error('the disk is gone')
    }
    const failed = await page(CARD)
    expect([failed.status, left(failed)[1]]).toEqual([500, 8])
    expectRefusal(await page(CARD), 503, 'UNAVAILABLE')
  })
})

describe('a photo from the dashboard', () => {
  test('costs one scan of the account, as with its key', async () => {
    const reader = fakeReader()
    await open({}, { reader })
    const session = await testApp.createSession('free')
    const testResponse = await identify({ session })
    expect([testResponse.status, testResponse.body.meta.charged]).toEqual([200, 'scan'])
    expect(testResponse.headers.get('x-scans-remaining')).toBe('24')
    expect(testResponse.headers.get('cache-control')).toBe('no-store')
    expect(corsOf(testResponse)).toEqual([])
    expect(left(testResponse)).toEqual([100, 100])
    const keyed = await testApp.client.request('POST', '/v1/identify', {
      as: 'free',
      body: PHOTO.jpeg,
      headers: { 'content-type': 'image/jpeg' },
    })
    expect(keyed.headers.get('x-scans-remaining')).toBe('23')
    const { id } = testResponse.body.data
    expect((await testApp.client.get(`/v1/identify/${id}`, { as: 'free' })).status).toBe(200)
    expect(reader.requests).toHaveLength(2)
  })

  test('of a visitor returns 401 without being read', async () => {
    const reader = fakeReader()
    await open({}, { reader })
    expectRefusal(await identify(), 401, 'API_KEY_REQUIRED')
    expect(reader.requests).toEqual([])
  })

  test("with a key is charged to the key's account", async () => {
    const session = await testApp.createSession('pro')
    const reply = await identify({ as: 'free', session, headers: { origin: TRUSTED } })
    expect([reply.status, left(reply)]).toEqual([200, [100, 100]])
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  })
})
