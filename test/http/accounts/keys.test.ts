import { beforeEach, describe, expect, test } from 'bun:test'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { DAILY_REQUESTS, TIERS } from '#rules/accounts/tiers.ts'
import type { CreatedApiKey, Usage } from '../../../src/client/endpoints.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, QUOTA_RESET, type TestApp, type TestUser } from '../../support/test-app.ts'
import type { TestResponse } from '../../support/test-client.ts'

// Keys and their usage, as shown to their owner.

const KEY = /tcg_live_[0-9A-Za-z]{38}/

let testApp: TestApp
beforeEach(async () => {
  testApp = await createTestApp()
})

async function owner(testAccount: 'free' | 'starter' | 'pro' | 'exhausted' = 'pro') {
  const session = await testApp.createSession(testAccount)
  const { get, post, delete: remove } = testApp.client
  return {
    session,
    keys: async () => (await get<CreatedApiKey[]>('/v1/keys', { session })).body.data,
    make: (json?: object) => post<CreatedApiKey>('/v1/keys', json, { session }),
    remove: (id: string) => remove<CreatedApiKey>(`/v1/keys/${id}`, { session }),
    usage: async () => (await get<Usage>('/v1/usage', { session })).body.data,
  }
}

const withKey = (key: string | undefined, path = '/v1/sets') =>
  testApp.client.get(path, { headers: { 'x-api-key': key ?? '' } })

test('keys are listed whole, or by page with per_page, oldest first', async () => {
  const { session, keys, make } = await owner()
  for (const name of ['C', 'B', 'A']) {
    testApp.advance(1)
    await make({ name })
  }
  const all = await keys()
  expect(all.map(({ name }) => name)).toEqual(['Default', 'C', 'B', 'A'])
  const path = '/v1/keys?per_page=3&page=2'
  const { body, headers } = await testApp.client.get<CreatedApiKey[]>(path, { session })
  expect(body.data).toEqual(all.slice(3))
  expect<object | undefined>(body.meta).toEqual({ total: 4, page: 2, per_page: 3, has_more: false })
  expect(headers.get('link')).toContain('page=1>; rel="prev"')
  expect((await testApp.client.get('/v1/keys?page=2', { session })).body.meta).toBeUndefined()
})

describe('creating a key', () => {
  test('returns the key, which works immediately', async () => {
    const { make } = await owner()
    const { status, body } = await make({ name: 'Shop window 🃏' })
    const { key = '', ...rest } = body.data
    expect(status).toBe(201)
    expect(key).toMatch(/^tcg_live_[0-9A-Za-z]{38}$/)
    expect(rest).toEqual({
      id: expect.stringMatching(/^[\w-]{8,64}$/),
      name: 'Shop window 🃏',
      key_prefix: key.slice(0, 13),
      last4: key.slice(-4),
      is_active: true,
      created_at: '2026-11-15T21:30:00.000Z',
      last_used_at: null,
      requests_today: 0,
      requests_total: 0,
    })
    expect((await withKey(key)).status).toBe(200)
  })

  test.each([[undefined], [{}], [{ else: 1 }]])('from %p names it Default', async (json) => {
    const { make } = await owner()
    const { status, body } = await make(json)
    expect([status, body.data.name]).toEqual([201, 'Default'])
  })

  test('with an existing name creates another key', async () => {
    const { make, keys } = await owner()
    const [one, two] = [await make({ name: 'Twin' }), await make({ name: 'Twin' })]
    expect(one.body.data.key).not.toBe(two.body.data.key)
    expect((await keys()).map(({ name }) => name)).toEqual(['Default', 'Twin', 'Twin'])
  })
})

describe('a key', () => {
  test('is shown once: no other response and no log line contains it or its hash', async () => {
    const { session, make, remove } = await owner()
    const { key = '', id } = (await make({ name: 'Secret' })).body.data
    const replies: TestResponse<unknown>[] = [
      await withKey(key),
      await testApp.client.get('/v1/keys', { session }),
      await testApp.client.get('/v1/usage', { session }),
      await testApp.client.get('/v1/auth/me', { session }),
      await remove(id),
      await withKey(key),
      await remove(id),
      await testApp.client.get('/v1/keys', { session }),
      await testApp.client.get('/metrics'),
    ]
    testApp.deps.catalog.close()
    const other = (await make()).body.data.key ?? ''
    replies.push(await withKey(other, '/v1/cards/900001'))
    expect(testApp.log).toHaveLength(1)

    const outputs = [
      ...replies.map(({ text, headers }) => text + JSON.stringify([...headers])),
      ...testApp.log.map(({ event, facts }) => event + Bun.inspect(facts)),
    ].join('\n')
    for (const secret of [key, other]) {
      const hash = Buffer.from(hashSecret(secret))
      for (const form of [
        secret,
        secret.slice(13, -4),
        hash.toString('hex'),
        hash.toString('base64'),
      ])
        expect(outputs).not.toContain(form)
    }
    expect(outputs).not.toMatch(KEY)
    testApp.deps.ledger.close()
  })

  test('is rejected immediately after its deletion, and remains in the list', async () => {
    const { make, remove, keys } = await owner()
    const { key, id } = (await make({ name: 'Old' })).body.data
    expect((await withKey(key)).status).toBe(200)
    const removed = await remove(id)
    expect([removed.status, removed.body.data.is_active]).toEqual([200, false])
    expectRefusal(await withKey(key), 401, 'INVALID_API_KEY')
    const listed = (await keys()).map(({ name, is_active }) => [name, is_active])
    expect(listed).toEqual([
      ['Default', true],
      ['Old', false],
    ])
    expect((await testApp.client.get('/v1/sets', { as: 'pro' })).status).toBe(200)
  })
})

describe('usage', () => {
  test('counts the requests of each key, by day and by group of endpoints', async () => {
    const { make, usage, keys } = await owner()
    const second = (await make({ name: 'Second' })).body.data.key
    const request = (path: string, as: TestUser = 'pro') => testApp.client.get(path, { as })
    await request('/v1/sets')
    await request('/v1/sets/90011')
    await request('/v1/sets/1')
    await request('/v1/cards/900001')
    await request('/v1/search?q=whisht')
    await withKey(second, '/v1/cards/900001')
    testApp.setClock('2026-11-16T00:00:00Z')
    await withKey(second, '/v1/cards/900002')

    const report = await usage()
    expect(report.days.slice(-2)).toEqual([
      { date: '2026-11-15', requests: 6, groups: { sets: 3, cards: 2, search: 1 } },
      { date: '2026-11-16', requests: 1, groups: { cards: 1 } },
    ])
    expect(report.account).toMatchObject({ today_requests: 1, daily_remaining: 9_999 })
    expect(report.keys.map(({ name, days }) => [name, days])).toEqual([
      ['Default', [{ date: '2026-11-15', requests: 5, groups: { sets: 3, cards: 1, search: 1 } }]],
      [
        'Second',
        [
          { date: '2026-11-15', requests: 1, groups: { cards: 1 } },
          { date: '2026-11-16', requests: 1, groups: { cards: 1 } },
        ],
      ],
    ])
    expect(
      (await keys()).map((key) => [key.requests_today, key.requests_total, key.last_used_at]),
    ).toEqual([
      [0, 5, '2026-11-15T23:59:59.999Z'],
      [1, 2, '2026-11-16T00:00:00.000Z'],
    ])
  })

  test('includes a deactivated key, up to its last request', async () => {
    const { make, remove } = await owner()
    const { id, key } = (await make({ name: 'Old' })).body.data
    expect((await withKey(key)).status).toBe(200)
    const { data } = (await remove(id)).body
    expect([data.requests_today, data.requests_total]).toEqual([1, 1])
  })

  test('counts 304 and 404 responses, as the quota does', async () => {
    const { usage } = await owner()
    const unchanged = { as: 'pro', headers: { 'if-none-match': '*' } } as const
    expect((await testApp.client.get('/v1/sets', unchanged)).status).toBe(304)
    expect((await testApp.client.get('/v1/sets/1', { as: 'pro' })).status).toBe(404)
    expect((await testApp.client.head('/v1/sets', { as: 'pro' })).status).toBe(200)
    const { account, days } = await usage()
    expect([account.today_requests, days.at(-1)?.requests]).toEqual([3, 3])
  })

  test('does not count rejected requests: 400, 401, 403, 405 and 429', async () => {
    const { get, request } = testApp.client
    expect((await get('/v1/sets?page=0', { as: 'free' })).status).toBe(400)
    expect((await get('/v1/sets', { as: 'deactivated' })).status).toBe(401)
    expect((await get('/v1/cards/900401/history', { as: 'free' })).status).toBe(403)
    expect((await request('POST', '/v1/sets', { as: 'free' })).status).toBe(405)
    expect((await get('/v1/sets', { as: 'exhausted' })).status).toBe(429)
    for (const testAccount of ['free', 'exhausted'] as const) {
      const { usage } = await owner(testAccount)
      const report = await usage()
      expect(report.days.filter(({ requests }) => requests > 0)).toEqual([])
      expect(report.keys[0]).toMatchObject({ requests_today: 0, last_used_at: null, days: [] })
    }
  })

  test('does not count internal errors, which are refunded', async () => {
    const { usage } = await owner()
    testApp.deps.catalog.close()
    expect((await testApp.client.get('/v1/cards/900001', { as: 'pro' })).status).toBe(500)
    const { account, days } = await usage()
    expect([account.today_requests, days.at(-1)?.requests]).toEqual([0, 0])
    testApp.deps.ledger.close()
  })

  test('works with an exhausted quota, as does creating a key', async () => {
    const { usage, make } = await owner('exhausted')
    expect((await make()).status).toBe(201)
    expect((await usage()).account).toEqual({
      tier: 'free',
      daily_limit: 100,
      today_requests: 100,
      daily_remaining: 0,
      daily_reset: QUOTA_RESET,
    } as never)
  })

  test('includes deleted keys', async () => {
    const { make, remove, usage } = await owner()
    const { key, id } = (await make({ name: 'Gone' })).body.data
    await withKey(key)
    await remove(id)
    const report = await usage()
    expect(report.days.at(-1)?.requests).toBe(1)
    expect(report.keys.map(({ name, requests_total }) => [name, requests_total])).toEqual([
      ['Default', 0],
      ['Gone', 1],
    ])
  })

  test.each(TIERS)('of the tier %s has its plan and its limit', async (tier) => {
    const session = await testApp.createSession(tier)
    const { body } = await testApp.client.get<Usage>('/v1/usage', { session })
    expect(body.data.account).toMatchObject({ tier, daily_limit: DAILY_REQUESTS[tier] })
    const status = tier === 'free' ? 'none' : 'active'
    expect(body.data.subscription).toEqual({ plan: tier, status, ...GIVEN })
  })
})

/** A tier granted by the operator has no period. */
const GIVEN = { current_period_end: null, cancel_at_period_end: false, next_plan: null }
