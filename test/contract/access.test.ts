import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ACCESS_POLICIES, type AccessPolicy, TIERS, type Tier, tierName } from '#rules/tiers.ts'
import { type House, openHouse } from '../support/house.ts'
import type { Reply } from '../support/visitor.ts'
import { type Endpoint, KEYED, named, PUBLIC } from './endpoints.ts'

describe.each(ACCESS_POLICIES)('under the policy %s', (policy) => {
  let house: House

  beforeAll(async () => {
    house = await openHouse({ accessPolicy: policy })
  })
  afterAll(() => house.close())

  describe.each(named(PUBLIC))('%s is open:', (_path, { sample }) => {
    test('it answers without a key', async () => {
      expect((await house.visitor.get(sample)).status).toBe(200)
    })

    test.each(['unknown', 'deactivated', 'exhausted', 'free'] as const)(
      'it answers whoever sends a key (%s), and charges nobody',
      async (as) => {
        const { status, body, headers } = await house.visitor.get(sample, { as })
        expect(status).toBe(200)
        expect(body.rate_limit).toBeUndefined()
        expect(headers.has('x-ratelimit-limit')).toBe(false)
      },
    )
  })

  describe.each(named(KEYED))('%s needs a key:', (_path, endpoint) => {
    const needed = lowestOf(endpoint, policy)
    const { sample, malformed } = endpoint

    test('without one it answers 401 API_KEY_REQUIRED', async () => {
      const { get } = house.visitor
      expectRefusal(await get(sample), 401, 'API_KEY_REQUIRED')
      expectRefusal(await get(sample, { headers: { 'x-api-key': '' } }), 401, 'API_KEY_REQUIRED')
    })

    test('a key that is not sent in X-API-Key is none', async () => {
      const key = house.keys.business
      const { get } = house.visitor
      const inQuery = await get(`${sample}${sample.includes('?') ? '&' : '?'}api_key=${key}`)
      expectRefusal(inQuery, 401, 'API_KEY_REQUIRED')
      const asBearer = await get(sample, { headers: { authorization: `Bearer ${key}` } })
      expectRefusal(asBearer, 401, 'API_KEY_REQUIRED')
    })

    test.each([
      ['a word', 'secret'],
      ['the prefix alone', 'tcg_live_'],
      ['one of the right shape whose checksum is wrong', `tcg_live_${'A'.repeat(38)}`],
      ['a very long one', `tcg_live_${'A'.repeat(5_000)}`],
    ])('a malformed key (%s) is 401 INVALID_API_KEY', async (_kind, key) => {
      const reply = await house.visitor.get(sample, { headers: { 'x-api-key': key } })
      expectRefusal(reply, 401, 'INVALID_API_KEY')
    })

    test.each(['unknown', 'deactivated'] as const)(
      'a key that is %s is 401 INVALID_API_KEY',
      async (as) => {
        expectRefusal(await house.visitor.get(sample, { as }), 401, 'INVALID_API_KEY')
      },
    )

    test('one wrong character in a valid key is 401 INVALID_API_KEY', async () => {
      const key = house.keys.business
      const wrong = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21)
      const reply = await house.visitor.get(sample, { headers: { 'x-api-key': wrong } })
      expectRefusal(reply, 401, 'INVALID_API_KEY')
    })

    test.each(tiersFrom(needed))('the tier %s is served', async (as) => {
      const { status, body } = await house.visitor.get(sample, { as })
      expect(status).toBe(200)
      expect(body.data).toBeDefined()
    })

    test.each(tiersBelow(needed))('the tier %s is 403 TIER_REQUIRED', async (as) => {
      const reply = await house.visitor.get(sample, { as })
      expectRefusal(reply, 403, 'TIER_REQUIRED')
      expect(reply.body.error.message).toContain(tierName(needed))
      expect(reply.body.error.message).toContain(tierName(as))
    })

    test('who is unknown is told so before anything else: 401 before 400', async () => {
      if (malformed === undefined) return
      expectRefusal(await house.visitor.get(malformed.path), 401, 'API_KEY_REQUIRED')
      for (const as of ['unknown', 'deactivated'] as const) {
        expectRefusal(await house.visitor.get(malformed.path, { as }), 401, 'INVALID_API_KEY')
      }
    })

    test.each(tiersBelow(needed))('403 before 400 and 404 (%s)', async (as) => {
      for (const path of [malformed?.path, endpoint.unknown]) {
        if (path === undefined) continue
        expectRefusal(await house.visitor.get(path, { as }), 403, 'TIER_REQUIRED')
      }
    })

    test('403 before 429', async () => {
      if (needed === 'free') return
      expectRefusal(await house.visitor.get(sample, { as: 'exhausted' }), 403, 'TIER_REQUIRED')
    })

    test('400 before 429, and 429 before 404', async () => {
      const as = exhaustedAt(needed)
      if (as === undefined) return
      const { get } = house.visitor
      if (malformed !== undefined) {
        const reply = await get(malformed.path, { as })
        expectRefusal(reply, 400, 'VALIDATION_ERROR')
        expect(reply.body.error.message).toContain(`"${malformed.names}"`)
      }
      expectRefusal(await get(sample, { as }), 429, 'RATE_LIMIT_EXCEEDED')
      if (endpoint.unknown !== undefined) {
        expectRefusal(await get(endpoint.unknown, { as }), 429, 'RATE_LIMIT_EXCEEDED')
      }
    })

    test('what is malformed is 400 and names the field, what is not there is 404', async () => {
      const { get } = house.visitor
      if (malformed !== undefined) {
        const reply = await get(malformed.path, { as: 'business' })
        expectRefusal(reply, 400, 'VALIDATION_ERROR')
        expect(reply.body.error.message).toContain(`"${malformed.names}"`)
      }
      if (endpoint.unknown !== undefined) {
        expectRefusal(await get(endpoint.unknown, { as: 'business' }), 404, 'NOT_FOUND')
      }
    })

    test('only what was admitted is charged: 401, 403, 400 and 429 are free', async () => {
      const fresh = await openHouse({ accessPolicy: policy })
      const { get } = fresh.visitor
      const before = await get('/v1/sets', { as: 'business' })
      await get(sample)
      await get(sample, { as: 'unknown' })
      if (malformed !== undefined) await get(malformed.path, { as: 'business' })
      const after = await get('/v1/sets', { as: 'business' })
      expect(before.body.rate_limit.daily_remaining - after.body.rate_limit.daily_remaining).toBe(1)
      for (const as of tiersBelow(needed)) {
        const refused = await get(sample, { as })
        expect(refused.body.rate_limit.daily_remaining).toBe(refused.body.rate_limit.daily_limit)
      }
      fresh.close()
    })
  })
})

function expectRefusal(reply: Reply<unknown>, status: number, code: string): void {
  expect([reply.status, reply.body.error?.code]).toEqual([status, code])
  expect(reply.body.data).toBeUndefined()
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
