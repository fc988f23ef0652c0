import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'
import {
  ALERT_APP,
  callAlert,
  createHeldAlerts,
  type HeldAlerts,
  namedAlert,
} from './alert-endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'

// Access to the endpoints of price alerts, and that their responses match the API document.

let testApp: TestApp
let faultOf: ReturnType<typeof openBodyCheck>
let held: HeldAlerts
let session: string

beforeAll(async () => {
  testApp = await createTestApp(ALERT_APP)
  faultOf = openBodyCheck(await documentOf(testApp))
  held = await createHeldAlerts(testApp, 'pro')
  session = await testApp.createSession('pro')
})
afterAll(() => testApp.close())

describe.each(namedAlert())('%s', (_name, endpoint) => {
  const ask = (of: Partial<Parameters<typeof callAlert>[2]> = {}) =>
    callAlert(testApp, endpoint, { held, ...of })

  function expectDocumented(status: number, reply: TestResponse<unknown>): void {
    expect([status, reply.text.slice(0, 300)]).toEqual([reply.status, expect.any(String)])
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(faultOf(endpoint.path, status, reply.body, endpoint.method)).toBeUndefined()
  }

  test('returns 401 without a valid key or session before any other check', async () => {
    for (const made of [endpoint.sample, ...endpoint.malformed]) {
      for (const [of, code] of [
        [{}, 'API_KEY_REQUIRED'],
        [{ as: 'unknown' }, 'INVALID_API_KEY'],
      ] as const) {
        const reply = await ask({ made, ...of })
        expectDocumented(401, reply)
        expect(reply.body.error.code).toBe(code)
      }
    }
  })

  test('succeeds with a key and with a session, without a cost, also with an exhausted quota', async () => {
    const mine = await createHeldAlerts(testApp, 'exhausted_pro')
    const byKey = await ask({ held: mine, as: 'exhausted_pro' })
    expectDocumented(endpoint.status, byKey)
    expect(byKey.headers.get('cache-control')).toMatch(/no-store/)
    expect(byKey.headers.get('x-ratelimit-remaining')).toBe('0')
    const again = await createHeldAlerts(testApp, 'exhausted_pro')
    const by = await testApp.createSession('exhausted_pro')
    expectDocumented(endpoint.status, await ask({ held: again, session: by }))
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
    test('returns 404 for what another account has, as for an unknown one', async () => {
      const unknown = await ask({
        as: 'business',
        held: { alert: 'al_0', channel: 'ch_0', email: 'ch_0' },
      })
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
      const path = endpoint.path.replace('{id}', held.channel)
      const headers = { 'content-type': 'application/json' }
      const large = { session, headers, body: ' '.repeat(17_000) }
      expectDocumented(413, await testApp.client.ask(endpoint.method, path, large))
      const other = { session, headers: { 'content-type': 'image/png' }, body: '{}' }
      expectDocumented(415, await testApp.client.ask(endpoint.method, path, other))
    })
  }
})
