import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type TestAccount, type TestApp } from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'
import {
  callCollection,
  createHeldCollection,
  type HeldCollection,
  namedCollection,
} from './collection-endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'

// Access to the endpoints of collections, and that their responses match the API document.

let testApp: TestApp
let faultOf: ReturnType<typeof openBodyCheck>
let held: HeldCollection
let session: string

beforeAll(async () => {
  testApp = await createTestApp({ env: { CORS_ORIGINS: 'https://shop.example' } })
  faultOf = openBodyCheck(await documentOf(testApp))
  held = await createHeldCollection(testApp, 'pro')
  session = await testApp.createSession('pro')
})
afterAll(() => testApp.close())

describe.each(namedCollection())('%s', (_name, endpoint) => {
  const ask = (of: Partial<Parameters<typeof callCollection>[2]> = {}) =>
    callCollection(testApp, endpoint, { held, ...of })

  function expectDocumented(status: number, reply: TestResponse<unknown>): void {
    expect([status, reply.text.slice(0, 300)]).toEqual([reply.status, expect.any(String)])
    const type = reply.headers.get('content-type') ?? ''
    if (endpoint.answers !== undefined && status === 200) {
      expect(endpoint.answers).toContain(type.split(';')[0] ?? '')
      return
    }
    expect(type).toBe('application/json; charset=utf-8')
    expect(faultOf(endpoint.path, status, reply.body, endpoint.method)).toBeUndefined()
  }

  test('returns 401 without a valid key or session before any other check', async () => {
    for (const made of [endpoint.sample, ...endpoint.malformed]) {
      for (const [of, code] of [
        [{}, 'API_KEY_REQUIRED'],
        [{ headers: { cookie: 'session=none' } }, 'API_KEY_REQUIRED'],
        [{ as: 'unknown' }, 'INVALID_API_KEY'],
        [{ as: 'deactivated', session }, 'INVALID_API_KEY'],
      ] as const) {
        const reply = await ask({ made, ...of })
        expectDocumented(401, reply)
        expect(reply.body.error.code).toBe(code)
      }
    }
  })

  test('succeeds with a key and with a session, without a cost, also with an exhausted quota', async () => {
    for (const of of ['key', 'session', 'exhausted'] as const) {
      const own = await createTestApp()
      const as: TestAccount = of === 'exhausted' ? 'exhausted_pro' : 'pro'
      const mine = await createHeldCollection(own, as)
      const who = of === 'session' ? { session: await own.createSession(as) } : { as }
      const reply = await callCollection(own, endpoint, { held: mine, ...who })
      expectDocumented(endpoint.status, reply)
      expect(reply.headers.get('cache-control')).toMatch(/no-store/)
      expect(reply.headers.get('x-ratelimit-remaining')).toBe(of === 'exhausted' ? '0' : '10000')
      own.close()
    }
  })

  if (endpoint.malformed.length > 0) {
    test('returns 400 that names the field', async () => {
      for (const made of endpoint.malformed) {
        const reply = await ask({ made, as: 'pro' })
        expectDocumented(400, reply)
        expect(reply.body.error.message).toContain(made.names)
      }
    })
  }

  if (endpoint.path.includes('{id}')) {
    test('returns 404 for the collection of another account, as for an unknown one', async () => {
      const unknown = await ask({ as: 'business', held: { id: 'col_0', item_id: 'item_0' } })
      expectDocumented(404, unknown)
      const theirs = await ask({ as: 'business' })
      expect([theirs.status, theirs.body.error]).toEqual([404, unknown.body.error])
    })
  }

  if (endpoint.method !== 'GET') {
    test('returns 403 for a session that a page of another origin uses', async () => {
      const headers = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }
      expectDocumented(403, await ask({ session, headers }))
    })
  }

  if (endpoint.body !== undefined) {
    test('returns 413 for a body that is too large, and 415 for another type', async () => {
      const type = endpoint.body === 'file' ? 'text/csv' : 'application/json'
      const body = ' '.repeat(22_000_000)
      const path = endpoint.path.replace('{id}', held.id).replace('{item_id}', held.item_id)
      const at = { session, headers: { 'content-type': type } }
      expectDocumented(413, await testApp.client.ask(endpoint.method, path, { ...at, body }))
      const other = { session, headers: { 'content-type': 'image/png' }, body: '{}' }
      expectDocumented(415, await testApp.client.ask(endpoint.method, path, other))
    })
  }

  test('returns 500 without details when the ledger fails', async () => {
    const own = await createTestApp()
    await own.client.get('/v1/collections', { as: 'pro' })
    own.deps.ledger.close()
    expectDocumented(500, await callCollection(own, endpoint, { held, as: 'pro' }))
    own.deps.catalog.close()
  })
})
