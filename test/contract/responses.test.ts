import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ServiceError } from '#rules/primitives/errors.ts'
import { createAlertTestApp, WEBHOOK_INPUT } from '../support/alerts/webhook-fixtures.ts'
import { fakeReader } from '../support/photos/reader-fixtures.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import type { TestRequestOptions, TestResponse } from '../support/test-client.ts'
import { call, enterFor } from './account-calls.ts'
import { callCatalog } from './catalog-calls.ts'
import {
  type AccountEndpoint,
  type Call,
  ENDPOINTS,
  type Endpoint,
  named,
  namedAccount,
  namedScan,
  type ScanEndpoint,
  SESSIONED,
} from './endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'
import { callScan, identifiedBy } from './scan-calls.ts'

let testApp: TestApp
let faultOf: ReturnType<typeof openBodyCheck>

beforeAll(async () => {
  testApp = await createAlertTestApp({ bulkFiles: true })
  faultOf = openBodyCheck(await documentOf(testApp))
})
afterAll(() => testApp.close())

async function expectDocumented(
  endpoint: Endpoint,
  made: Call,
  status: number,
  options: TestRequestOptions = {},
) {
  const testResponse = await callCatalog(testApp, endpoint, { made, ...options })
  expect(testResponse.status).toBe(status)
  const type = testResponse.headers.get('content-type') ?? ''
  if (status === 200 && testResponse.headers.has('content-disposition')) {
    expect(endpoint.answers).toContain(type.split(';')[0] ?? '')
  } else {
    expect(type).toBe('application/json; charset=utf-8')
    expect(faultOf(endpoint.path, status, testResponse.body, endpoint.method)).toBeUndefined()
  }
}

describe.each(named())('%s matches the API document', (_path, endpoint) => {
  const as = endpoint.lowest === undefined ? undefined : 'business'
  const { sample, golden, malformed, unknown } = endpoint

  test('200', async () => {
    await expectDocumented(endpoint, sample, 200, { as })
    await expectDocumented(endpoint, golden, 200, { as: golden.as ?? as })
    await expectDocumented(endpoint, sample, 200, { as: 'business' })
  })

  if (malformed !== undefined) {
    test('400', () => expectDocumented(endpoint, malformed, 400, { as }))
  }
  if (unknown !== undefined) {
    test('404', () => expectDocumented(endpoint, unknown, 404, { as }))
  }
  if (endpoint.file === 'stored') {
    test('416', async () => {
      const headers = { range: 'bytes=1000000-' }
      await expectDocumented(endpoint, sample, 416, { as, headers })
    })
  }
  if (endpoint.body !== undefined) {
    test('413 and 415', async () => {
      const headers = { 'content-type': endpoint.body === 'csv' ? 'text/csv' : 'application/json' }
      const tooLong = { as: 'business', headers, body: ' '.repeat(6_000_000) } as const
      await expectDocumented(endpoint, { path: sample.path }, 413, tooLong)
      const other = { ...tooLong, headers: { 'content-type': 'image/png' }, body: '{}' }
      await expectDocumented(endpoint, { path: sample.path }, 415, other)
    })
  }
  if (endpoint.lowest === undefined) return

  test('401', async () => {
    await expectDocumented(endpoint, sample, 401)
    await expectDocumented(endpoint, sample, 401, { as: 'deactivated' })
  })
  if (endpoint.lowest['five-tier'] !== 'free') {
    test('403', () => expectDocumented(endpoint, sample, 403, { as: 'free' }))
  }
  test('429', () => expectDocumented(endpoint, sample, 429, { as: 'exhausted_pro' }))
})

describe.each(namedAccount())('%s matches the API document', (_name, endpoint) => {
  const { method, path, body, malformed, status } = endpoint
  const json = { 'content-type': 'application/json' }

  test(String(status), async () => {
    const own = await createAlertTestApp()
    const session = await enterFor(own, endpoint, 'pro')
    expectAccountReply(endpoint, status, await call(own, endpoint, { session }))
    own.close()
  })

  if (malformed.length > 0) {
    test('400', async () => {
      const session = await enterFor(testApp, endpoint, 'pro')
      for (const made of malformed) {
        expectAccountReply(endpoint, 400, await call(testApp, endpoint, { made, session }))
      }
    })
  }
  if (SESSIONED.includes(endpoint)) {
    test('401', async () => expectAccountReply(endpoint, 401, await call(testApp, endpoint)))
  }
  if (endpoint.lowest !== undefined) {
    test('403 for a lower tier', async () => {
      const session = await testApp.createSession('starter')
      expectAccountReply(
        endpoint,
        403,
        await call(testApp, endpoint, { session, keyOf: 'starter' }),
      )
    })
  }
  if (endpoint.operator) {
    test('403 for an account without the operator role', async () => {
      const session = await testApp.createSession('business')
      expectAccountReply(endpoint, 403, await call(testApp, endpoint, { session }))
    })
  }
  if (path.includes('{webhook_id}')) {
    test('404', async () => {
      const session = await testApp.createSession('business')
      expectAccountReply(endpoint, 404, await call(testApp, endpoint, { session, keyOf: 'pro' }))
    })
  }
  if (method !== 'GET') {
    test('403', async () => {
      const headers = { 'sec-fetch-site': 'cross-site' }
      expectAccountReply(endpoint, 403, await call(testApp, endpoint, { headers }))
    })
  }
  if (body === undefined) return

  test('413 and 415', async () => {
    const session = await enterFor(testApp, endpoint, 'pro')
    const request = (of: TestRequestOptions) =>
      testApp.client.request(method, path, { session, ...of })
    const tooLong = await request({ body: 'x'.repeat(20_000), headers: json })
    expectAccountReply(endpoint, 413, tooLong)
    expectAccountReply(endpoint, 415, await request({ body: '{}' }))
  })
})

describe.each(namedScan())('%s matches the API document', (_name, endpoint) => {
  const { method, path, access, malformed } = endpoint
  let id: string

  beforeAll(async () => {
    id = await identifiedBy(testApp, 'pro')
  })

  test('200', async () => {
    expectScanReply(endpoint, 200, await callScan(testApp, endpoint, { id, as: 'pro' }))
    if (access === 'key') return
    const session = await testApp.createSession('pro')
    expectScanReply(endpoint, 200, await callScan(testApp, endpoint, { id, session }))
  })

  if (malformed.length > 0) {
    test('400', async () => {
      for (const made of malformed) {
        const testResponse = await callScan(testApp, endpoint, { id, as: 'pro', made })
        expectScanReply(endpoint, 400, testResponse)
        expect(testResponse.body.error.message).toContain(`"${made.names}"`)
      }
    })
  }
  test('401', async () => {
    expectScanReply(endpoint, 401, await callScan(testApp, endpoint, { id }))
    expectScanReply(endpoint, 401, await callScan(testApp, endpoint, { id, as: 'deactivated' }))
  })
  if (path.includes('{id}')) {
    test('404', async () => {
      expectScanReply(endpoint, 404, await callScan(testApp, endpoint, { id, as: 'starter' }))
    })
  }
  test('500', async () => {
    const own = await createTestApp()
    await own.client.get('/v1/identify/usage', { as: 'pro' })
    own.deps.ledger.close()
    expectScanReply(endpoint, 500, await callScan(own, endpoint, { id, as: 'pro' }))
    own.deps.catalog.close()
  })
  if (endpoint.body === undefined || endpoint.takesPhoto) return

  test('403, 413 and 415', async () => {
    const at = path.replace('{id}', id)
    const session = await testApp.createSession('pro')
    const request = (of: TestRequestOptions) =>
      testApp.client.request(method, at, { session, ...of })
    const headers = { 'content-type': 'application/json' }
    const body = 'x'.repeat(20_000)
    expectScanReply(endpoint, 403, await request({ headers: { 'sec-fetch-site': 'cross-site' } }))
    expectScanReply(endpoint, 413, await request({ body, headers }))
    expectScanReply(endpoint, 415, await request({ body: '{}' }))
  })
})

test('every error for a photo matches the API document', async () => {
  const env = { IDENTIFY_BLOCKED_COUNTRIES: 'FR', TRUST_PROXY: '1' }
  const reader = fakeReader()
  const own = await createTestApp({ env, reader })
  const [, identify] = namedScan()[0] ?? fail('/v1/identify')
  const request = (of: TestRequestOptions = {}) =>
    callScan(own, identify, { id: '', as: 'free', ...of })
  for (let left = 25; left > 0; left--) expectScanReply(identify, 200, await request())
  expectScanReply(identify, 402, await request())
  expectScanReply(identify, 403, await request({ headers: { 'cf-ipcountry': 'FR' } }))
  reader.script(() => {
    throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader is busy.', { retryAfter: 2 })
  })
  expectScanReply(identify, 503, await request({ as: 'pro' }))
  own.close()
})

function expectScanReply(
  { method, path }: ScanEndpoint,
  status: number,
  testResponse: TestResponse<unknown>,
) {
  expect([path, testResponse.status]).toEqual([path, status])
  expect(testResponse.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(faultOf(path, status, testResponse.body, method)).toBeUndefined()
}

test('every other error of accounts matches the API document', async () => {
  const env = { LOGIN_FAILURES_PER_EMAIL_AND_IP: '1', REGISTRATIONS_PER_IP: '2' }
  const own = await createTestApp({ env })
  const session = await own.createSession('pro')
  const of = (path: string, method = 'POST') => {
    const found = namedAccount().find(([name]) => name === `${method} ${path}`)
    return found?.[1] ?? fail(path)
  }
  const [register, login] = [of('/v1/auth/register'), of('/v1/auth/login')]
  const password = of('/v1/auth/password')
  const wrong = {
    path: password.path,
    json: { current_password: 'wrong', new_password: 'another of them' },
  }
  const failed = { path: login.path, json: { email: 'no@body.example', password: 'wrong' } }

  expectAccountReply(register, 201, await call(own, register))
  expectAccountReply(register, 409, await call(own, register))
  expectAccountReply(register, 429, await call(own, register))
  expectAccountReply(login, 401, await call(own, login, { made: failed }))
  expectAccountReply(login, 429, await call(own, login, { made: failed }))
  expectAccountReply(password, 401, await call(own, password, { made: wrong, session }))
  expectAccountReply(password, 429, await call(own, password, { made: wrong, session }))
  const remove = of('/v1/keys/{id}', 'DELETE')
  expectAccountReply(remove, 404, await call(own, remove, { session, keyOf: 'starter' }))
  const make = of('/v1/keys')
  for (let more = 1; more < 25; more++) await call(own, make, { session })
  expectAccountReply(make, 409, await call(own, make, { session }))
  const watch = of('/v1/webhooks')
  const nowhere = { path: watch.path, json: { ...WEBHOOK_INPUT, card_id: 1 } }
  expectAccountReply(watch, 404, await call(own, watch, { made: nowhere, session }))
  const inside = { path: watch.path, json: { ...WEBHOOK_INPUT, url: 'https://10.0.0.1/' } }
  expectAccountReply(watch, 400, await call(own, watch, { made: inside, session }))
  for (let more = 0; more < 100; more++) await call(own, watch, { session })
  expectAccountReply(watch, 409, await call(own, watch, { session }))
  own.deps.ledger.close()
  for (const endpoint of [register, login, make]) {
    const made = { ...endpoint.sample, path: endpoint.path }
    const testResponse = await own.client.request('POST', made.path, { session, json: made.json })
    expectAccountReply(endpoint, 500, testResponse)
  }
  own.deps.catalog.close()
})

function expectAccountReply(
  { method, path, file }: AccountEndpoint,
  status: number,
  testResponse: TestResponse<unknown>,
): void {
  expect([path, testResponse.status]).toEqual([path, status])
  expect(testResponse.headers.get('content-type')).toBe('application/json; charset=utf-8')
  // The document describes a file as text.
  if (file && status === 200) return
  expect(faultOf(path, status, testResponse.body, method)).toBeUndefined()
}

test('every card of the sample, in each representation, matches the API document', async () => {
  const of = (path: string) => ENDPOINTS.find((one) => one.path === path) ?? fail(path)
  const expectAt = (path: string, sentPath: string) =>
    expectDocumented(of(path), { path: sentPath }, 200, { as: 'business' })
  const sets = [90011, 90012, 90021, 90022, 90031]
  for (const set of sets) {
    await expectAt('/v1/sets/{id}', `/v1/sets/${set}`)
    await expectAt('/v1/sets/{id}/cards', `/v1/sets/${set}/cards`)
    await expectAt('/v1/sets/{id}/prices', `/v1/sets/${set}/prices`)
    const { body } = await testApp.client.get<{ id: number }[]>(`/v1/sets/${set}/cards`, {
      as: 'business',
    })
    for (const { id } of body.data) {
      const card = `/v1/cards/${id}`
      await expectAt('/v1/cards/{id}', card)
      await expectAt('/v1/cards/{id}/prices', `${card}/prices`)
      await expectAt('/v1/cards/{id}/history', `${card}/history`)
    }
  }
})

function fail(path: string): never {
  throw new Error(`${path} is not in the contract`)
}
