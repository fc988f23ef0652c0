import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { call, enterFor, stateOf } from '../../contract/account-calls.ts'
import { CHANGING, namedAccount } from '../../contract/endpoints.ts'
import { createAlertTestApp } from '../../support/alerts/webhook-fixtures.ts'
import { createTestApp, emailOf, PASSWORD, type TestApp } from '../../support/test-app.ts'

// Pages of other origins cannot make a browser change anything. Which combination of headers means
// what is tested on the rule (test/rules/primitives/cross-origin.test.ts); here they arrive at every endpoint.

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

describe.each(namedAccount(CHANGING))('%s', (_name, endpoint) => {
  let testApp: TestApp
  let session: string
  let hours = 0

  beforeAll(async () => {
    testApp = await createAlertTestApp({ env: { CORS_ORIGINS: `https://a.example,${TRUSTED}` } })
    session = await enterFor(testApp, endpoint, 'pro')
    // Later than the five minutes after which a use is written down: a refused one does not count.
    testApp.setClock(new Date(START).toISOString())
  })
  afterAll(() => testApp.close())

  test.each(REFUSED)('from %s returns 403 and changes nothing', async (_who, headers) => {
    const before = await stateOf(testApp)
    for (const of of [{ session }, {}]) {
      const reply = await call(testApp, endpoint, { ...of, headers: { ...HOST, ...headers } })
      expect([reply.status, reply.body.error?.code]).toEqual([403, 'CROSS_ORIGIN_REJECTED'])
      expect(Object.keys(reply.body)).toEqual(['error'])
      expect(reply.headers.getSetCookie()).toEqual([])
    }
    expect(await stateOf(testApp)).toBe(before)
    expect((await testApp.client.get('/v1/auth/me', { session })).status).toBe(200)
  })

  test.each(LET_IN)('from %s is accepted', async (_who, headers) => {
    // Mails to an address are limited per hour.
    testApp.setClock(new Date(START + ++hours * 3_600_000).toISOString())
    const own = await testApp.createSession('pro')
    // Without a password nothing is hashed; the status still shows that it was admitted.
    const made = endpoint.hashes ? { path: endpoint.path, json: {} } : endpoint.sample
    const reply = await call(testApp, endpoint, {
      session: own,
      made,
      headers: { ...HOST, ...headers },
    })
    expect(reply.status).toBe(endpoint.hashes ? 400 : endpoint.status)
  })

  test('is rejected before it is read: 403 comes before 401, 400, 413 and 415', async () => {
    const headers = { ...HOST, 'sec-fetch-site': 'cross-site' }
    for (const body of ['x', '{}', 'x'.repeat(20_000)]) {
      const reply = await testApp.client.request(endpoint.method, endpoint.path, { headers, body })
      expect(reply.status).toBe(403)
    }
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
  testApp.close()
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
  testApp.close()
})

test('the catalog is not affected: a browser never sends a key by itself', async () => {
  const testApp = await createTestApp()
  const headers = { ...HOST, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  expect((await testApp.client.get('/v1/sets', { as: 'pro', headers })).status).toBe(200)
  testApp.close()
})

test('no origin is trusted if the operator names none', async () => {
  const testApp = await createTestApp()
  const headers = { ...HOST, origin: TRUSTED }
  const json = { email: emailOf('pro'), password: PASSWORD }
  const reply = await testApp.client.post('/v1/auth/login', json, { headers })
  expect([reply.status, reply.body.error.code]).toEqual([403, 'CROSS_ORIGIN_REJECTED'])
  testApp.close()
})
