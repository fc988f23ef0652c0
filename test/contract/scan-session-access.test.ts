import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'
import { documentOf, openBodyCheck } from './openapi.ts'
import {
  callScanSession,
  createHeldScanSession,
  type HeldScanSession,
  namedScanSession,
} from './scan-session-endpoints.ts'

// Access to the endpoints of scan sessions, and that their responses match the API document.

let testApp: TestApp
/** Its ledger is closed. */
let broken: TestApp
let faultOf: ReturnType<typeof openBodyCheck>
let held: HeldScanSession
let session: string

beforeAll(async () => {
  testApp = await createTestApp({ env: { CORS_ORIGINS: 'https://shop.example' } })
  faultOf = openBodyCheck(await documentOf(testApp))
  for (const owner of ['pro', 'free', 'exhausted_pro']) {
    const account = await testApp.deps.ledger.accounts.getByEmail(`${owner}@guests.example`)
    const grant = { account_id: account?.id ?? 0, n: 100, ref: owner }
    await testApp.deps.ledger.scans.grant(grant, { now: testApp.deps.now(), address: undefined })
  }
  held = await createHeldScanSession(testApp, 'pro')
  session = await testApp.createSession('pro')
  broken = await createTestApp()
  await broken.client.get('/v1/scan-sessions', { as: 'pro' })
  broken.deps.ledger.close()
})
afterAll(() => {
  testApp.close()
  broken.deps.catalog.close()
})

describe.each(namedScanSession())('%s', (_name, endpoint) => {
  const ask = (of: Partial<Parameters<typeof callScanSession>[2]> = {}) =>
    callScanSession(testApp, endpoint, { held, ...of })

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

  test('succeeds with a key and with a session, also with an exhausted quota and in the lowest tier', async () => {
    for (const as of ['pro', 'session', 'free', 'exhausted_pro'] as const) {
      const owner = as === 'session' ? 'pro' : as
      const mine = await createHeldScanSession(testApp, owner)
      const made = withOwnId(endpoint.sample)
      const reply = await ask({ held: mine, made, ...(as === 'session' ? { session } : { as }) })
      expectDocumented(endpoint.status, reply)
      expect(reply.headers.get('cache-control')).toMatch(/no-store/)
      if (as === 'exhausted_pro') expect(reply.headers.get('x-ratelimit-remaining')).toBe('0')
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
    test('returns 404 for the session of another account, as for an unknown one', async () => {
      const unknown = await ask({ as: 'business', held: UNKNOWN })
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

  if (endpoint.body !== undefined && endpoint.body !== 'photo') {
    test('returns 413 for a body that is too large, and 415 for another type', async () => {
      const path = endpoint.path.replace('{id}', held.id).replace('{item}', held.item)
      const large = { headers: { 'content-type': 'application/json' }, body: ' '.repeat(20_000) }
      const { client } = testApp
      expectDocumented(413, await client.ask(endpoint.method, path, { session, ...large }))
      const other = { headers: { 'content-type': 'image/png' }, body: '{}' }
      expectDocumented(415, await client.ask(endpoint.method, path, { session, ...other }))
    })
  }

  test('returns 500 without details when the ledger fails', async () => {
    expectDocumented(500, await callScanSession(broken, endpoint, { held, as: 'pro' }))
  })
})

const UNKNOWN: HeldScanSession = { id: 'none', item: 'item_0', collection: 'col_0' }

/** Gives a sample an id that no other call has. */
function withOwnId<Sample extends { json?: unknown }>(sample: Sample): Sample {
  const { json } = sample
  const hasId = typeof json === 'object' && json !== null && 'id' in json
  return hasId ? { ...sample, json: { ...json, id: crypto.randomUUID() } } : sample
}
