/** How requests send an API key, to endpoints that need one and to public ones. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { TestApp, TestUser } from '../support/test-app.ts'
import { call, createContractApp, expectAdmitted, expectReply } from './calls.ts'
import { isChange, named, takesKey } from './endpoints.ts'
import { withParameter } from './malformed.ts'

/** For requests that change nothing. */
const shared = await createContractApp({ bulkFiles: true })

describe.each(named(({ auth }) => auth === 'anyone'))('%s is public:', (_, endpoint) => {
  test.each([undefined, 'unknown', 'deactivated'] as const)(
    'the key %p makes no difference',
    async (as) => {
      const { status, text, headers } = await call(shared, endpoint, { as })
      expect([status, text]).toEqual([200, (await call(shared, endpoint)).text])
      expect(headers.has('x-ratelimit-limit')).toBe(false)
      expect(headers.get('cache-control')).toBe('public, no-cache')
    },
  )

  test.each(['exhausted', 'free', 'pro'] as const)(
    'the key %p gets its quota, uncharged',
    async (as) => {
      const key = shared.keys[as]
      for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
        const reply = await call(shared, endpoint, { headers })
        expectReply(endpoint, reply, 200)
        const { daily_limit, daily_remaining } = reply.body.rate_limit
        expect(daily_remaining).toBe(as === 'exhausted' ? 0 : daily_limit)
        expect(reply.headers.get('x-ratelimit-remaining')).toBe(String(daily_remaining))
        expect(reply.headers.get('cache-control')).toBe('private, no-cache')
        expect(reply.headers.get('vary')).toContain('X-API-Key, Authorization')
      }
    },
  )

  test('rejects two different keys with 400', async () => {
    const headers = twoKeys(shared, 'pro', 'free')
    expectReply(endpoint, await call(shared, endpoint, { headers }), 400, 'VALIDATION_ERROR')
  })
})

describe.each(named(takesKey))('%s takes a key', (_, endpoint) => {
  let testApp = shared
  if (isChange(endpoint)) {
    beforeAll(async () => {
      testApp = await createContractApp()
    })
  }
  const send = (headers: Record<string, string>) =>
    call(testApp, endpoint, { owner: 'business', headers })

  test.each(['Bearer ', 'bearer   ', 'Token ', ''])('as "Authorization: %s"', async (scheme) => {
    const reply = await send({ authorization: `${scheme}${testApp.keys.business}` })
    expectAdmitted(endpoint, reply)
  })

  test('beside other credentials, but not in the query', async () => {
    const key = testApp.keys.business
    for (const authorization of ['Basic dXNlcjpwYXNzd29yZA==', '']) {
      expectAdmitted(endpoint, await send({ 'x-api-key': key, authorization }))
    }
    const path = withParameter(endpoint.sample.path, { name: 'api_key', text: key })
    const refused = await call(testApp, endpoint, { request: { ...endpoint.sample, path } })
    expectReply(endpoint, refused, 401, 'API_KEY_REQUIRED')
  })

  test('twice if it is the same, and rejects two different ones with 400', async () => {
    const { business: key, pro } = testApp.keys
    expectAdmitted(endpoint, await send(twoKeys(testApp, 'business', 'business')))
    expectAdmitted(endpoint, await send({ 'x-api-key': `${key}, ${key}` }))
    for (const different of [
      twoKeys(testApp, 'business', 'pro'),
      { 'x-api-key': `${key}, ${pro}` },
      { 'x-api-key': 'secret', authorization: `Bearer ${key}` },
    ]) {
      expectReply(endpoint, await send(different), 400, 'VALIDATION_ERROR')
    }
  })
})

/** Headers with a key in each place. */
function twoKeys({ keys }: TestApp, first: TestUser, second: TestUser): Record<string, string> {
  return { 'x-api-key': keys[first], authorization: `Bearer ${keys[second]}` }
}
