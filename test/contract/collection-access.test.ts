import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type TestAccount, type TestApp } from '../support/test-app.ts'
import {
  callCollection,
  createHeldCollection,
  type HeldCollection,
  namedCollection,
} from './collection-endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'
import { createDocumentedCheck, testBodyRefusals, testOwnedRefusals } from './owned-access.ts'

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
  const access = {
    faultOf: () => faultOf,
    session: () => session,
    ask: (request: Partial<Parameters<typeof callCollection>[2]> = {}) =>
      callCollection(testApp, endpoint, { held, ...request }),
    unknown: { id: 'col_0', item_id: 'item_0' },
  }
  const expectDocumented = createDocumentedCheck(endpoint, access)
  testOwnedRefusals(endpoint, access)
  testBodyRefusals(endpoint, access, {
    send: (sent) => {
      const path = endpoint.path.replace('{id}', held.id).replace('{item_id}', held.item_id)
      return testApp.client.ask(endpoint.method, path, sent)
    },
    tooLong: 22_000_000,
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

  test('returns 500 without details when the ledger fails', async () => {
    const own = await createTestApp()
    await own.client.get('/v1/collections', { as: 'pro' })
    own.deps.ledger.close()
    expectDocumented(500, await callCollection(own, endpoint, { held, as: 'pro' }))
    own.deps.catalog.close()
  })
})
