import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  ACCESS_POLICIES,
  type AccessPolicy,
  TIERS,
  type Tier,
  tierName,
} from '#rules/accounts/tiers.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'
import { callCatalog, createAppFor } from './catalog-calls.ts'
import { type Endpoint, KEYED, named, PUBLIC } from './endpoints.ts'

describe.each(ACCESS_POLICIES)('under the policy %s', (policy) => {
  let testApp: TestApp

  beforeAll(async () => {
    testApp = await createTestApp({ accessPolicy: policy, bulkFiles: true })
  })
  afterAll(() => testApp.close())

  describe.each(named(PUBLIC))('%s is public:', (_path, endpoint) => {
    test('answers without a key', async () => {
      expect((await callCatalog(testApp, endpoint)).status).toBe(200)
    })

    test.each(['unknown', 'deactivated'] as const)(
      'answers with a key that is %s as without one',
      async (as) => {
        const { status, text, headers } = await callCatalog(testApp, endpoint, { as })
        expect([status, text]).toEqual([200, (await callCatalog(testApp, endpoint)).text])
        expect(headers.has('x-ratelimit-limit')).toBe(false)
        expect(headers.get('cache-control')).toBe('public, no-cache')
      },
    )

    test.each(['exhausted', 'free', 'pro'] as const)(
      'tells a known key (%s) its quota and charges nothing',
      async (as) => {
        const key = testApp.keys[as]
        for (const sent of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
          const { status, body, headers } = await callCatalog(testApp, endpoint, { headers: sent })
          expect(status).toBe(200)
          const { daily_limit, daily_remaining } = body.rate_limit
          expect(daily_remaining).toBe(as === 'exhausted' ? 0 : daily_limit)
          expect(headers.get('x-ratelimit-remaining')).toBe(String(daily_remaining))
          expect(headers.get('cache-control')).toBe('private, no-cache')
          expect(headers.get('vary')).toContain('X-API-Key, Authorization')
        }
      },
    )

    test('rejects two different keys with 400', async () => {
      const headers = twoKeys(testApp, 'pro', 'free')
      expectRefusal(await callCatalog(testApp, endpoint, { headers }), 400, 'VALIDATION_ERROR')
    })
  })

  describe.each(named(KEYED))('%s requires a key:', (_path, endpoint) => {
    const needed = lowestOf(endpoint, policy)
    const { sample, malformed, unknown } = endpoint
    const request = (of?: Parameters<typeof callCatalog>[2]) => callCatalog(testApp, endpoint, of)

    test('returns 401 API_KEY_REQUIRED without a key', async () => {
      expectRefusal(await request(), 401, 'API_KEY_REQUIRED')
      expectRefusal(await request({ headers: { 'x-api-key': '' } }), 401, 'API_KEY_REQUIRED')
    })

    test('ignores a key in the query', async () => {
      const key = testApp.keys.business
      const path = `${sample.path}${sample.path.includes('?') ? '&' : '?'}api_key=${key}`
      expectRefusal(await request({ made: { ...sample, path } }), 401, 'API_KEY_REQUIRED')
    })

    test.each(['Bearer ', 'bearer   ', 'Token ', ''])(
      'accepts a key as "Authorization: %s"',
      async (scheme) => {
        const authorization = `${scheme}${testApp.keys.business}`
        expect((await request({ headers: { authorization } })).status).toBe(200)
      },
    )

    test('accepts the same key twice, and rejects two different ones with 400', async () => {
      expect((await request({ headers: twoKeys(testApp, 'business', 'business') })).status).toBe(
        200,
      )
      const key = testApp.keys.business
      expect((await request({ headers: { 'x-api-key': `${key}, ${key}` } })).status).toBe(200)
      const different = await request({ headers: twoKeys(testApp, 'business', 'pro') })
      expectRefusal(different, 400, 'VALIDATION_ERROR')
      const repeated = { 'x-api-key': `${key}, ${testApp.keys.pro}` }
      expectRefusal(await request({ headers: repeated }), 400, 'VALIDATION_ERROR')
      const garbage = { 'x-api-key': 'secret', authorization: `Bearer ${key}` }
      expectRefusal(await request({ headers: garbage }), 400, 'VALIDATION_ERROR')
    })

    test.each(['Basic dXNlcjpwYXNzd29yZA==', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln', 'Bearer', ''])(
      'ignores other credentials (Authorization: %s)',
      async (authorization) => {
        expectRefusal(await request({ headers: { authorization } }), 401, 'API_KEY_REQUIRED')
        expect((await request({ as: 'business', headers: { authorization } })).status).toBe(200)
      },
    )

    test('rejects an unknown key in Authorization with 401 INVALID_API_KEY', async () => {
      for (const key of [testApp.keys.unknown, testApp.keys.deactivated, 'tcg_live_']) {
        const reply = await request({ headers: { authorization: `Bearer ${key}` } })
        expectRefusal(reply, 401, 'INVALID_API_KEY')
      }
    })

    test.each([
      ['a word', 'secret'],
      ['the prefix alone', 'tcg_live_'],
      ['one of the right shape whose checksum is wrong', `tcg_live_${'A'.repeat(38)}`],
      ['a very long one', `tcg_live_${'A'.repeat(5_000)}`],
    ])('rejects a malformed key (%s) with 401 INVALID_API_KEY', async (_kind, key) => {
      expectRefusal(await request({ headers: { 'x-api-key': key } }), 401, 'INVALID_API_KEY')
    })

    test.each(['unknown', 'deactivated'] as const)(
      'rejects a key that is %s with 401 INVALID_API_KEY',
      async (as) => expectRefusal(await request({ as }), 401, 'INVALID_API_KEY'),
    )

    test('rejects a key with one wrong character with 401 INVALID_API_KEY', async () => {
      const key = testApp.keys.business
      const wrong = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21)
      expectRefusal(await request({ headers: { 'x-api-key': wrong } }), 401, 'INVALID_API_KEY')
    })

    test.each(tiersFrom(needed))('accepts the tier %s', async (as) => {
      const { status, body, text } = await request({ as })
      expect(status).toBe(200)
      if (endpoint.file === undefined) expect(body.data).toBeDefined()
      else expect(text).not.toBe('')
    })

    test.each(tiersBelow(needed))('rejects the tier %s with 403 TIER_REQUIRED', async (as) => {
      const testResponse = await request({ as })
      expectRefusal(testResponse, 403, 'TIER_REQUIRED')
      expect(testResponse.body.error.message).toContain(tierName(needed))
      expect(testResponse.body.error.message).toContain(tierName(as))
    })

    if (malformed !== undefined) {
      test('returns 401 before 400', async () => {
        expectRefusal(await request({ made: malformed }), 401, 'API_KEY_REQUIRED')
        for (const as of ['unknown', 'deactivated'] as const) {
          expectRefusal(await request({ made: malformed, as }), 401, 'INVALID_API_KEY')
        }
      })
    }

    test.each(tiersBelow(needed))('returns 403 before 400 and 404 (%s)', async (as) => {
      for (const made of [malformed, unknown]) {
        if (made !== undefined) expectRefusal(await request({ made, as }), 403, 'TIER_REQUIRED')
      }
    })

    if (needed !== 'free') {
      test('returns 403 before 429', async () => {
        expectRefusal(await request({ as: 'exhausted' }), 403, 'TIER_REQUIRED')
      })
    }

    const exhausted = exhaustedAt(needed)
    if (exhausted !== undefined) {
      test('returns 400 before 429, and 429 before 404', async () => {
        const as = exhausted
        if (malformed !== undefined) expectMalformed(await request({ made: malformed, as }))
        expectRefusal(await request({ as }), 429, 'RATE_LIMIT_EXCEEDED')
        if (unknown !== undefined) {
          expectRefusal(await request({ made: unknown, as }), 429, 'RATE_LIMIT_EXCEEDED')
        }
      })
    }

    if (malformed !== undefined) {
      test('returns 400 for malformed input and names the field', async () => {
        expectMalformed(await request({ made: malformed, as: 'business' }))
      })
    }

    if (unknown !== undefined) {
      test('returns 404 for an unknown id', async () => {
        expectRefusal(await request({ made: unknown, as: 'business' }), 404, 'NOT_FOUND')
      })
    }

    test('charges only accepted requests: 401, 403, 400 and 429 are free', async () => {
      const fresh = await createAppFor(endpoint, { accessPolicy: policy })
      const callFresh = (of?: Parameters<typeof callCatalog>[2]) => callCatalog(fresh, endpoint, of)
      const used = async () => {
        const { body } = await fresh.client.get('/v1/sets', { as: 'business' })
        return body.rate_limit.daily_limit - body.rate_limit.daily_remaining
      }
      expect(await used()).toBe(1)
      await callFresh()
      await callFresh({ as: 'unknown' })
      if (malformed !== undefined) await callFresh({ made: malformed, as: 'business' })
      expect(await used()).toBe(2)
      await callFresh({ as: 'business' })
      if (unknown !== undefined) await callFresh({ made: unknown, as: 'business' })
      expect(await used()).toBe(unknown === undefined ? 4 : 5)
      for (const as of tiersBelow(needed)) {
        const { body } = await callFresh({ as })
        expect(body.rate_limit.daily_remaining).toBe(body.rate_limit.daily_limit)
      }
      fresh.close()
    })

    function expectMalformed(reply: TestResponse<unknown>): void {
      expectRefusal(reply, 400, 'VALIDATION_ERROR')
      expect(reply.body.error.message).toContain(`"${malformed?.names}"`)
    }
  })
})

/** Headers with a key in each place. */
function twoKeys({ keys }: TestApp, first: TestUser, second: TestUser): Record<string, string> {
  return { 'x-api-key': keys[first], authorization: `Bearer ${keys[second]}` }
}

function expectRefusal(testResponse: TestResponse<unknown>, status: number, code: string): void {
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([status, code])
  expect(testResponse.body.data).toBeUndefined()
}

function lowestOf({ path, lowest }: Endpoint, policy: AccessPolicy): Tier {
  if (lowest === undefined) throw new Error(`${path} needs no key`)
  return lowest[policy]
}

function tiersFrom(needed: Tier): Tier[] {
  return TIERS.slice(TIERS.indexOf(needed))
}

function tiersBelow(needed: Tier): Tier[] {
  return TIERS.slice(0, TIERS.indexOf(needed))
}

/** Somebody of a tier that reaches it, who has no request left. */
function exhaustedAt(needed: Tier) {
  if (needed === 'free') return 'exhausted'
  return needed === 'business' ? undefined : 'exhausted_pro'
}
