import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { documentOf, openBodyCheck } from './openapi.ts'
import { createDocumentedCheck, testBodyRefusals, testOwnedRefusals } from './owned-access.ts'
import {
  callScanSession,
  createHeldScanSession,
  type HeldScanSession,
  namedScanSession,
} from './scan-session-endpoints.ts'

// Access to the endpoints of scan sessions, and that their responses match the API document.

const UNKNOWN: HeldScanSession = { id: 'none', item: 'item_0', collection: 'col_0' }

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
  const access = {
    faultOf: () => faultOf,
    session: () => session,
    ask: (request: Partial<Parameters<typeof callScanSession>[2]> = {}) =>
      callScanSession(testApp, endpoint, { held, ...request }),
    unknown: UNKNOWN,
  }
  const expectDocumented = createDocumentedCheck(endpoint, access)
  testOwnedRefusals(endpoint, access)
  testBodyRefusals(endpoint, access, {
    send: (sent) => {
      const path = endpoint.path.replace('{id}', held.id).replace('{item}', held.item)
      return testApp.client.ask(endpoint.method, path, sent)
    },
    tooLong: 20_000,
  })

  test('succeeds with a key and with a session, also with an exhausted quota and in the lowest tier', async () => {
    for (const as of ['pro', 'session', 'free', 'exhausted_pro'] as const) {
      const owner = as === 'session' ? 'pro' : as
      const mine = await createHeldScanSession(testApp, owner)
      const made = withOwnId(endpoint.sample)
      const reply = await access.ask({
        held: mine,
        made,
        ...(as === 'session' ? { session } : { as }),
      })
      expectDocumented(endpoint.status, reply)
      expect(reply.headers.get('cache-control')).toMatch(/no-store/)
      if (as === 'exhausted_pro') expect(reply.headers.get('x-ratelimit-remaining')).toBe('0')
    }
  })

  test('returns 500 without details when the ledger fails', async () => {
    expectDocumented(500, await callScanSession(broken, endpoint, { held, as: 'pro' }))
  })
})

/** Gives a sample an id that no other call has. */
function withOwnId<Sample extends { json?: unknown }>(sample: Sample): Sample {
  const { json } = sample
  const hasId = typeof json === 'object' && json !== null && 'id' in json
  return hasId ? { ...sample, json: { ...json, id: crypto.randomUUID() } } : sample
}
