import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import {
  ALERT_APP,
  callAlert,
  createHeldAlerts,
  type HeldAlerts,
  namedAlert,
} from './alert-endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'
import { createDocumentedCheck, testBodyRefusals, testOwnedRefusals } from './owned-access.ts'

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
  const access = {
    faultOf: () => faultOf,
    session: () => session,
    call: (request: Partial<Parameters<typeof callAlert>[2]> = {}) =>
      callAlert(testApp, endpoint, { held, ...request }),
    unknown: { alert: 'al_0', channel: 'ch_0', email: 'ch_0' },
  }
  const expectDocumented = createDocumentedCheck(endpoint, access)
  testOwnedRefusals(endpoint, access)
  testBodyRefusals(endpoint, access, {
    send: (sent) =>
      testApp.client.request(endpoint.method, endpoint.path.replace('{id}', held.channel), sent),
    tooLong: 17_000,
  })

  test('succeeds with a key and with a session, without a cost, also with an exhausted quota', async () => {
    const mine = await createHeldAlerts(testApp, 'exhausted_pro')
    const byKey = await access.call({ held: mine, as: 'exhausted_pro' })
    expectDocumented(endpoint.status, byKey)
    expect(byKey.headers.get('cache-control')).toMatch(/no-store/)
    expect(byKey.headers.get('x-ratelimit-remaining')).toBe('0')
    const again = await createHeldAlerts(testApp, 'exhausted_pro')
    const by = await testApp.createSession('exhausted_pro')
    expectDocumented(endpoint.status, await access.call({ held: again, session: by }))
  })
})
