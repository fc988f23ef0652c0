import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'
import { namedScan, type ScanEndpoint } from './endpoints.ts'
import { callScan, identifiedBy } from './scan-calls.ts'

// Access to scan endpoints, and the headers of their responses.

let testApp: TestApp
let id: string
let session: string

beforeAll(async () => {
  testApp = await createTestApp({ env: { CORS_ORIGINS: 'https://shop.example' } })
  id = await identifiedBy(testApp, 'pro')
  session = await testApp.createSession('pro')
})
afterAll(() => testApp.close())

const QUOTA_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

describe.each(namedScan())('%s', (_name, endpoint) => {
  const call = (of: Partial<Parameters<typeof callScan>[2]> = {}) =>
    callScan(testApp, endpoint, { id, ...of })

  test('returns 401 API_KEY_REQUIRED without a key before any other check', async () => {
    expectStranger(await call(), 'API_KEY_REQUIRED')
    expectStranger(await call({ headers: { 'x-api-key': '' } }), 'API_KEY_REQUIRED')
    expectStranger(await call({ headers: { cookie: 'session=none' } }), 'API_KEY_REQUIRED')
    for (const made of endpoint.malformed) expectStranger(await call({ made }), 'API_KEY_REQUIRED')
  })

  test.each(['unknown', 'deactivated'] as const)(
    'returns 401 INVALID_API_KEY for a key that is %s, even with a session',
    async (as) => {
      expectStranger(await call({ as }), 'INVALID_API_KEY')
      expectStranger(await call({ as, session }), 'INVALID_API_KEY')
      for (const made of endpoint.malformed) {
        expectStranger(await call({ as, made }), 'INVALID_API_KEY')
      }
    },
  )

  test('accepts a key as a bearer token, and rejects two different keys with 400', async () => {
    const bearer = { authorization: `Bearer ${testApp.keys.pro}` }
    expect((await call({ headers: bearer })).status).toBe(200)
    expect((await call({ as: 'pro', headers: bearer })).status).toBe(200)
    const { status, body } = await call({ as: 'free', headers: bearer })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const preflight = await testApp.client.request('OPTIONS', endpoint.path, {
      headers: { origin: 'https://other.example' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
  })

  test('accepts a session only where documented', async () => {
    const testResponse = await call({ session })
    if (endpoint.access === 'key') return expectStranger(testResponse, 'API_KEY_REQUIRED')
    expect(testResponse.status).toBe(200)
    expect(testResponse.headers.get('cross-origin-resource-policy')).toBe('same-site')
  })

  test('returns quota and scans with every response to an account, and charges no request', async () => {
    const replies = [await call({ as: 'pro' }), await call({ as: 'pro' })]
    for (const made of endpoint.malformed) replies.push(await call({ as: 'pro', made }))
    for (const { headers, body } of replies) {
      expect(body.rate_limit).toMatchObject({ daily_limit: 10_000, daily_remaining: 10_000 })
      expect(QUOTA_HEADERS.map((name) => headers.get(name))).toEqual([
        '10000',
        '10000',
        body.rate_limit.daily_reset,
      ])
      expect(headers.get('x-scans-remaining')).toMatch(/^\d+$/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-request-id')).toBeString()
    }
  })

  test('works with an exhausted quota', async () => {
    const own = await createTestApp()
    const mine = await identifiedBy(own, 'exhausted')
    const { status, body } = await callScan(own, endpoint, { id: mine, as: 'exhausted' })
    expect([status, body.rate_limit.daily_remaining]).toEqual([200, 0])
    own.close()
  })

  test('lets any origin read responses to keys, but only trusted origins use sessions', async () => {
    const from = (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site' })
    const other = await call({ as: 'pro', headers: from('https://other.example') })
    expect([other.status, corsOf(other)]).toEqual([200, ['*', null]])
    expect(other.headers.get('access-control-expose-headers')).toContain('X-Scans-Remaining')
    const trusted = from('https://shop.example')
    const preflight = await testApp.client.request('OPTIONS', endpoint.path, { headers: trusted })
    expect([preflight.status, corsOf(preflight)]).toEqual([204, ['https://shop.example', 'true']])
    if (endpoint.access === 'key') return
    const shop = await call({ session, headers: trusted })
    expect([shop.status, corsOf(shop)]).toEqual([200, ['https://shop.example', 'true']])
    const forged = await call({ session, headers: from('https://other.example') })
    expect([forged.status, corsOf(forged)]).toEqual([
      endpoint.method === 'GET' ? 200 : 403,
      ['*', null],
    ])
  })

  test('answers HEAD as GET, and returns 405 for every other method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await testApp.client.request(method, pathOf(endpoint), { as: 'pro' })
      const isOwn = method === endpoint.method || (method === 'HEAD' && endpoint.method === 'GET')
      if (isOwn) expect(reply.status).not.toBe(405)
      else {
        expect([method, reply.status]).toEqual([method, 405])
        expect(reply.headers.get('allow')).toContain(endpoint.method)
      }
      if (method === 'HEAD' && isOwn) expect(reply.text).toBe('')
    }
  })

  function pathOf({ path }: ScanEndpoint): string {
    return path.replace('{id}', id)
  }
})

function corsOf({ headers }: TestResponse<unknown>) {
  return [
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
  ]
}

function expectStranger(testResponse: TestResponse<unknown>, code: string): void {
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([401, code])
  expect(Object.keys(testResponse.body)).toEqual(['error'])
  for (const name of [...QUOTA_HEADERS, 'x-scans-remaining']) {
    expect([name, testResponse.headers.get(name)]).toEqual([name, null])
  }
}
