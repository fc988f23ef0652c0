import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import {
  callList,
  createHeldList,
  type HeldList,
  insertHeld,
  isScanSession,
  LIST_ENDPOINTS,
  namedList,
} from './list-endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'
import { createDocumentedCheck, testBodyRefusals, testOwnedRefusals } from './owned-access.ts'

// Access to the endpoints of collections and scan sessions, and that their responses match the API document.

const UNKNOWN = { id: 'none', item: 'item_0', item_id: 'item_0', collection: 'col_0' }

let testApp: TestApp
/** Its ledger is closed. */
let broken: TestApp
let faultOf: ReturnType<typeof openBodyCheck>
let session: string
/** A list for each endpoint. */
const lists = new Map<boolean, HeldList>()

beforeAll(async () => {
  testApp = await createTestApp({ env: { CORS_ORIGINS: 'https://shop.example' } })
  faultOf = openBodyCheck(await documentOf(testApp))
  for (const endpoint of LIST_ENDPOINTS) {
    const isKnown = lists.has(isScanSession(endpoint))
    if (!isKnown) lists.set(isScanSession(endpoint), await createHeldList(testApp, endpoint, 'pro'))
  }
  session = await testApp.createSession('pro')
  broken = await createTestApp()
  await broken.client.get('/v1/collections', { as: 'pro' })
  broken.deps.ledger.close()
})
afterAll(() => {
  testApp.close()
  broken.deps.catalog.close()
})

describe.each(namedList())('%s', (_name, endpoint) => {
  const held = () => lists.get(isScanSession(endpoint)) ?? {}
  const access = {
    faultOf: () => faultOf,
    session: () => session,
    call: (request: Partial<Parameters<typeof callList>[2]> = {}) =>
      callList(testApp, endpoint, { held: held(), ...request }),
    unknown: UNKNOWN,
  }
  const expectDocumented = createDocumentedCheck(endpoint, access)
  testOwnedRefusals(endpoint, access)
  testBodyRefusals(endpoint, access, {
    send: (sent) =>
      testApp.client.request(endpoint.method, insertHeld(endpoint.path, held()), sent),
    tooLong: 22_000_000,
  })

  test('succeeds with a key and with a session, without a cost, also with an exhausted quota', async () => {
    for (const of of ['pro', 'session', 'exhausted_pro', 'free'] as const) {
      // A free account has room for one collection only.
      if (of === 'free' && !isScanSession(endpoint)) continue
      const own = await createTestApp()
      const as = of === 'session' ? 'pro' : of
      const mine = await createHeldList(own, endpoint, as)
      const who = of === 'session' ? { session: await own.createSession(as) } : { as }
      const reply = await callList(own, endpoint, { held: mine, ...who })
      expectDocumented(endpoint.status, reply)
      expect(reply.headers.get('cache-control')).toMatch(/no-store/)
      const remaining = { free: '100', exhausted_pro: '0', pro: '10000' }[as]
      expect(reply.headers.get('x-ratelimit-remaining')).toBe(remaining)
      own.close()
    }
  })

  test('returns 500 without details when the ledger fails', async () => {
    expectDocumented(500, await callList(broken, endpoint, { held: held(), as: 'pro' }))
  })
})
