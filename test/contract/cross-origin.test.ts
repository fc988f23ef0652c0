/** Pages of other origins: what they can call and read, and that they change nothing with a session. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, emailOf, PASSWORD, type TestApp } from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'
import { call, createContractApp, expectAdmitted, expectReply, stateOf } from './calls.ts'
import { type Endpoint, hashes, isCatalog, isChange, isForSessions, named } from './endpoints.ts'
import { prepareHoldings } from './holdings.ts'
import { ACCOUNT_KINDS, CATALOG_REFUSALS, namedKinds, sendKind } from './kinds.ts'

// Combinations of headers are tested on the rule (test/rules/primitives/cross-origin.test.ts); this file tests that
// the rule applies to every endpoint.

const HOST = { host: 'cards.example' }
const TRUSTED = 'https://shop.example'
const START = Date.parse('2026-11-15T21:45:00Z')

const REFUSED: [string, Record<string, string>][] = [
  ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a page of another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
  ['a page of a subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://a.cards.example' }],
  [
    'a page that claims our origin',
    { 'sec-fetch-site': 'cross-site', origin: 'https://cards.example' },
  ],
  ['a word that nobody knows', { 'sec-fetch-site': 'own' }],
  ['an old browser, another origin', { origin: 'https://evil.example' }],
  ['an old browser, a frame without an origin', { origin: 'null' }],
  ['an old browser, another port', { origin: 'https://cards.example:8443' }],
  ['an old browser, a trusted host by http', { origin: 'http://shop.example' }],
]

const LET_IN: [string, Record<string, string>][] = [
  ['a program', {}],
  ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'https://cards.example' }],
  ['the visitor themselves', { 'sec-fetch-site': 'none' }],
  ['an old browser, our own page', { origin: 'https://cards.example' }],
  ['a trusted page', { 'sec-fetch-site': 'cross-site', origin: TRUSTED }],
  ['an old browser, a trusted page', { origin: TRUSTED }],
]

const CHANGES = named((one) => isChange(one) && one.auth !== 'payer')
const env = { CORS_ORIGINS: `https://a.example,${TRUSTED}` }

describe('a page of another origin', () => {
  let testApp: TestApp
  let session: string
  let hours = 0

  beforeAll(async () => {
    testApp = await createContractApp({ env })
    await testApp.makeOperator('pro')
    await prepareHoldings(testApp)
    session = await testApp.createSession('pro')
  })

  test.each(CHANGES)('is refused with 403 by %s, and changes nothing', async (_, endpoint) => {
    // More than the five minutes after which use is recorded; a refused request does not count.
    testApp.setClock(new Date(START + ++hours * 3_600_000).toISOString())
    const before = await stateOf(testApp)
    for (const [who, headers] of REFUSED) {
      const options = { session, headers: { ...HOST, ...headers } }
      const reply = await call(testApp, endpoint, options)
      expect([who, reply.status]).toEqual([who, 403])
      expectReply(endpoint, reply, 403, 'CROSS_ORIGIN_REJECTED')
      expect(Object.keys(reply.body)).toEqual(['error'])
      expect(reply.headers.getSetCookie()).toEqual([])
    }
    expect(await stateOf(testApp)).toBe(before)
    expect((await testApp.client.get('/v1/auth/me', { session })).status).toBe(200)
  })

  test.each(CHANGES.filter(([, one]) => isForSessions(one)))(
    'is rejected by %s before it is read: 403 comes before 401, 400, 413 and 415',
    async (_, endpoint) => {
      const headers = { ...HOST, 'sec-fetch-site': 'cross-site' }
      for (const body of ['x', '{}', 'x'.repeat(20_000)]) {
        const options = { headers, body }
        const reply = await testApp.client.request(endpoint.method, endpoint.path, options)
        expectReply(endpoint, reply, 403, 'CROSS_ORIGIN_REJECTED')
      }
    },
  )
})

describe.each(CHANGES)('%s', (_, endpoint) => {
  let testApp: TestApp
  let hours = 0

  beforeAll(async () => {
    testApp = await createContractApp({ env })
    await testApp.makeOperator('pro')
  })

  test.each(LET_IN)('is accepted from %s', async (_who, headers) => {
    // Mails to an address are limited per hour.
    testApp.setClock(new Date(START + ++hours * 3_600_000).toISOString())
    const session = await testApp.createSession('pro')
    // Without a password nothing is hashed, but the status still shows that the request was admitted.
    const request = hashes(endpoint) ? { path: endpoint.path, json: {} } : endpoint.sample
    const options = { session, request, headers: { ...HOST, ...headers } }
    const reply = await call(testApp, endpoint, options)
    if (hashes(endpoint)) expectReply(endpoint, reply, 400, 'VALIDATION_ERROR')
    else expectAdmitted(endpoint, reply)
  })
})

test('a trusted origin can register, log in and change a password', async () => {
  const testApp = await createTestApp({ env: { CORS_ORIGINS: TRUSTED } })
  const headers = { ...HOST, 'sec-fetch-site': 'cross-site', origin: TRUSTED }
  const { post } = testApp.client
  const email = 'new@guests.example'
  expect((await post('/v1/auth/register', { email, password: PASSWORD }, { headers })).status).toBe(
    201,
  )
  const login = await post('/v1/auth/login', { email, password: PASSWORD }, { headers })
  expect(login.status).toBe(200)
  expect(login.headers.getSetCookie()).toHaveLength(1)
  expect(login.headers.get('access-control-allow-origin')).toBe(TRUSTED)
})

test('reading is allowed from everywhere: the browser hides the response from other origins', async () => {
  const testApp = await createTestApp()
  const session = await testApp.createSession('pro')
  const headers = { ...HOST, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  for (const path of ['/v1/auth/me', '/v1/keys', '/v1/usage', '/v1/webhooks']) {
    const reply = await testApp.client.get(path, { session, headers })
    expect(reply.status).toBe(200)
    expect(reply.headers.has('access-control-allow-origin')).toBe(false)
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('same-site')
  }
})

test('the catalog is not affected: a browser never sends a key by itself', async () => {
  const testApp = await createTestApp()
  const headers = { ...HOST, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  expect((await testApp.client.get('/v1/sets', { as: 'pro', headers })).status).toBe(200)
})

test('no origin is trusted if the operator names none', async () => {
  const testApp = await createTestApp()
  const headers = { ...HOST, origin: TRUSTED }
  const json = { email: emailOf('pro'), password: PASSWORD }
  const reply = await testApp.client.post('/v1/auth/login', json, { headers })
  expect([reply.status, reply.body.error.code]).toEqual([403, 'CROSS_ORIGIN_REJECTED'])
})

describe('another origin', () => {
  let testApp: TestApp
  let session: string
  const other = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }
  const trusted = { origin: TRUSTED, 'sec-fetch-site': 'cross-site' }

  beforeAll(async () => {
    testApp = await createContractApp({
      bulkFiles: true,
      env: { CORS_ORIGINS: `https://a.example, ${TRUSTED}` },
    })
    session = await testApp.createSession('pro')
  })

  const preflight = (endpoint: Endpoint, origin: string, headers = 'content-type') =>
    testApp.client.request('OPTIONS', endpoint.path.replaceAll(/\{\w+\}/g, 'x'), {
      headers: {
        origin,
        'access-control-request-method': endpoint.method,
        'access-control-request-headers': headers,
      },
    })

  test.each(named((one) => !isForSessions(one)))('may call %s with a key', async (_, endpoint) => {
    const { status, headers, text } = await preflight(endpoint, other.origin, 'x-api-key')
    expect([status, text, corsOf({ headers })]).toEqual([204, '', ['*', null]])
    expect(list(headers.get('access-control-allow-methods'))).toContain(
      endpoint.method.toLowerCase(),
    )
    const allowed = list(headers.get('access-control-allow-headers'))
    for (const name of ['x-api-key', 'authorization', 'content-type']) {
      expect(allowed).toContain(name)
    }
    if (isCatalog(endpoint)) {
      for (const name of ['range', 'if-range']) expect(allowed).toContain(name)
    }
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0)
    const reply = await call(testApp, endpoint, {
      as: 'business',
      owner: 'business',
      headers: other,
    })
    expectAdmitted(endpoint, reply)
    expectReadable(reply)
    const same = await call(testApp, endpoint, { as: 'business', owner: 'business' })
    if (isCatalog(endpoint)) expect(same.headers.has('access-control-allow-origin')).toBe(false)
  })

  test.each(named(({ auth }) => auth === 'account'))(
    'can use a session for %s only if it is trusted',
    async (_, endpoint) => {
      const allowed = await preflight(endpoint, TRUSTED)
      expect([allowed.status, corsOf(allowed)]).toEqual([204, [TRUSTED, 'true']])
      const shop = await call(testApp, endpoint, { session, headers: trusted })
      expectAdmitted(endpoint, shop)
      expect(corsOf(shop)).toEqual([TRUSTED, 'true'])
      const forged = await call(testApp, endpoint, { session, headers: other })
      expect([forged.status, corsOf(forged)]).toEqual([
        endpoint.method === 'GET' ? 200 : 403,
        ['*', null],
      ])
    },
  )

  test.each(named(isForSessions))('may call %s only if it is trusted', async (_, endpoint) => {
    for (const origin of [
      'https://evil.example',
      `${TRUSTED}:8443`,
      'http://shop.example',
      'null',
      '*',
    ]) {
      const refused = await preflight(endpoint, origin)
      expect([refused.status, refused.text, corsOf(refused)]).toEqual([204, '', [null, null]])
    }
    const { headers, ...reply } = await preflight(endpoint, TRUSTED)
    expect([reply.status, reply.text, corsOf({ headers })]).toEqual([204, '', [TRUSTED, 'true']])
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(endpoint.method)
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type')
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0)
    expect(headers.get('vary')).toBe('Origin')
  })

  test.each(namedKinds(CATALOG_REFUSALS))(
    'can read every refusal of the catalog (%s)',
    async (_, kind) => {
      expectReadable(await sendKind(testApp, kind, { headers: other }))
    },
  )

  test('can read a 304 response', async () => {
    const headers = { ...other, 'if-none-match': '*' }
    const reply = await testApp.client.get('/v1/games', { headers })
    expect(reply.status).toBe(304)
    expectReadable(reply)
  })

  test.each(namedKinds(ACCOUNT_KINDS))('can read %s only if it is trusted', async (_, kind) => {
    const hidden = await sendKind(testApp, kind, { session, headers: { origin: other.origin } })
    expect([...hidden.headers].filter(([name]) => name.startsWith('access-'))).toEqual([])
    expect(hidden.headers.get('cross-origin-resource-policy')).toBe('same-site')
    const own = await testApp.createSession('pro')
    const { headers } = await sendKind(testApp, kind, {
      session: own,
      headers: { origin: TRUSTED },
    })
    expect(corsOf({ headers })).toEqual([TRUSTED, 'true'])
    expect(headers.get('vary')).toBe('Origin')
    const exposed = list(headers.get('access-control-expose-headers'))
    for (const name of [...QUOTA_HEADERS, 'retry-after', 'x-request-id']) {
      expect(exposed).toContain(name)
    }
  })

  test('is reflected: a response without an origin has Vary', async () => {
    const { headers } = await testApp.client.get('/v1/auth/me')
    expect([headers.get('vary'), corsOf({ headers })]).toEqual(['Origin', [null, null]])
  })

  test('that is trusted reads the catalog without the session, like any origin', async () => {
    for (const path of ['/v1/games', '/v1/sets']) {
      const reply = await testApp.client.get(path, { as: 'pro', headers: { origin: TRUSTED } })
      expect(corsOf(reply)).toEqual(['*', null])
    }
  })
})

const QUOTA_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

function corsOf({ headers }: Pick<TestResponse<unknown>, 'headers'>): (string | null)[] {
  return [
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
  ]
}

function expectReadable(reply: TestResponse<unknown>): void {
  expect(corsOf(reply)).toEqual(['*', null])
  const exposed = list(reply.headers.get('access-control-expose-headers'))
  const ofFiles = ['accept-ranges', 'content-disposition', 'content-range']
  const ofQuota = [...QUOTA_HEADERS, 'ratelimit', 'ratelimit-policy', 'x-scans-remaining']
  for (const name of [...ofQuota, 'retry-after', 'x-request-id', 'etag', 'link', ...ofFiles]) {
    expect(exposed).toContain(name)
  }
}

function list(header: string | null): string[] {
  return (header ?? '').toLowerCase().split(/\s*,\s*/)
}
