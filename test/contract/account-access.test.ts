/** Access of accounts: their data belongs to them alone, and requires their session, tier or role. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { emailOf, FROZEN_TIME, PASSWORD, type TestApp } from '../support/test-app.ts'
import { call, createContractApp, credentialsFor, expectReply, stateOf } from './calls.ts'
import { ENDPOINTS, named } from './endpoints.ts'
import { holdingsOf, keyIdOf, prepareHoldings } from './holdings.ts'
import { malformedRequests } from './malformed.ts'

const DAY_MS = 86_400_000

const SESSIONED = ENDPOINTS.filter(({ auth }) => auth === 'session' || auth === 'operator')

describe('an ended session', () => {
  /** Ways to end a session of `pro`. */
  const ENDS: [string, (testApp: TestApp, token: string) => Promise<unknown>][] = [
    [
      'by logging out',
      (testApp, session) => testApp.client.post('/v1/auth/logout', undefined, { session }),
    ],
    [
      'by logging out everywhere from elsewhere',
      async (testApp) => {
        const session = await testApp.createSession('pro')
        await testApp.client.post('/v1/auth/logout?all=true', undefined, { session })
      },
    ],
    [
      'by a password that was changed elsewhere',
      async (testApp) => {
        const session = await testApp.createSession('pro')
        const json = { current_password: PASSWORD, new_password: 'another of them' }
        const testResponse = await testApp.client.post('/v1/auth/password', json, { session })
        expect(testResponse.status).toBe(200)
      },
    ],
    ['by seven days without use', async (testApp) => testApp.setClock(after(7 * DAY_MS))],
    [
      'by thirty days of use',
      async (testApp, session) => {
        for (let day = 5; day < 30; day += 5) {
          testApp.setClock(after(day * DAY_MS))
          expect((await testApp.client.get('/v1/auth/me', { session })).status).toBe(200)
        }
        testApp.setClock(after(30 * DAY_MS - 1))
        expect((await testApp.client.get('/v1/auth/me', { session })).status).toBe(200)
        testApp.setClock(after(30 * DAY_MS))
      },
    ],
    [
      'by twenty newer ones',
      async (testApp) => {
        for (let more = 0; more < 20; more++) await testApp.createSession('pro')
      },
    ],
  ]

  test.each(ENDS)('%s: every endpoint for sessions returns 401', async (_how, end) => {
    const testApp = await createContractApp()
    await prepareHoldings(testApp)
    const session = await testApp.createSession('pro')
    expect((await testApp.client.get('/v1/auth/me', { session })).status).toBe(200)
    await end(testApp, session)
    const before = await stateOf(testApp)
    for (const endpoint of SESSIONED) {
      expectReply(endpoint, await call(testApp, endpoint, { session }), 401, 'SESSION_REQUIRED')
    }
    expect(await stateOf(testApp)).toBe(before)
  })
})

describe.each(named(({ auth, lowest }) => auth === 'session' && lowest !== undefined))(
  '%s',
  (_, endpoint) => {
    test('returns 403 TIER_REQUIRED before 400 and 404, and changes nothing', async () => {
      const testApp = await createContractApp()
      const session = await testApp.createSession('starter')
      const before = await stateOf(testApp)
      for (const request of [...malformedRequests(endpoint), endpoint.sample]) {
        for (const owner of ['starter', 'pro'] as const) {
          const refused = await call(testApp, endpoint, { session, request, owner })
          expectReply(endpoint, refused, 403, 'TIER_REQUIRED')
        }
      }
      expect(await stateOf(testApp)).toBe(before)
    })
  },
)

describe.each(named(({ auth }) => auth === 'operator'))('%s', (_, endpoint) => {
  test('returns 403 OPERATOR_REQUIRED before 400 for all other accounts, and changes nothing', async () => {
    const testApp = await createContractApp()
    await testApp.makeOperator('pro')
    const session = await testApp.createSession('business')
    const before = await stateOf(testApp)
    for (const request of [...malformedRequests(endpoint), endpoint.sample]) {
      const refused = await call(testApp, endpoint, { session, request })
      expectReply(endpoint, refused, 403, 'OPERATOR_REQUIRED')
      expect(Object.keys(refused.body)).toEqual(['error', 'rate_limit'])
    }
    expect(await stateOf(testApp)).toBe(before)
  })

  test('returns 403 from the first request after the account loses the operator role', async () => {
    const testApp = await createContractApp()
    const { session } = await credentialsFor(testApp, endpoint, 'pro')
    expectReply(endpoint, await call(testApp, endpoint, { session }), endpoint.status)
    await setOperator(testApp.deps, { email: emailOf('pro'), is_operator: false })
    expectReply(endpoint, await call(testApp, endpoint, { session }), 403, 'OPERATOR_REQUIRED')
  })
})

describe.each(named(({ auth }) => auth === 'account' || auth === 'payer'))('%s', (_, endpoint) => {
  // For a key with quota left, envelope.test.ts tests the same.
  const callers = [
    ['exhausted_pro', 'key', '0'],
    ['exhausted_pro', 'session', '0'],
    ['pro', 'session', '10000'],
  ] as const
  const takesSession = endpoint.auth === 'account'

  test.each(callers.filter(([, by]) => by === 'key' || takesSession))(
    'is free for the account %s by its %s',
    async (account, by, remaining) => {
      const testApp = await createContractApp()
      const credentials =
        by === 'key' ? { as: account } : { session: await testApp.createSession(account) }
      const reply = await call(testApp, endpoint, { owner: account, ...credentials })
      expectReply(endpoint, reply, endpoint.status)
      expect(reply.headers.get('cache-control')).toMatch(/no-store/)
      expect(reply.headers.get('x-ratelimit-remaining')).toBe(remaining)
    },
  )
})

/** Endpoints whose requests name an account's data. */
const OF_HOLDINGS = named(
  ({ auth, sample }) => auth !== 'optional session' && /\{\w+\}/.test(JSON.stringify(sample)),
)

describe('what another account has', () => {
  let testApp: TestApp

  beforeAll(async () => {
    testApp = await createContractApp()
  })

  test.each(OF_HOLDINGS)(
    '%s returns 404, as for an unknown id, and changes nothing',
    async (_, endpoint) => {
      const credentials = await credentialsFor(testApp, endpoint, 'business')
      const [theirs, own] = [
        await holdingsOf(testApp, endpoint.path, 'pro'),
        await holdingsOf(testApp, endpoint.path, 'business'),
      ]
      const used = [...JSON.stringify(endpoint.sample).matchAll(/\{(\w+)\}/g)].map(
        ([, name]) => name ?? '',
      )
      const before = await stateOf(testApp)
      const send = (held: Readonly<Record<string, string>>) =>
        call(testApp, endpoint, { owner: 'business', held, ...credentials })
      const unknown = Object.fromEntries(used.map((name) => [name, 'none_0']))
      const pairs = used.map((name) => [
        { ...own, [name]: 'none_0' },
        { ...own, [name]: theirs[name] ?? '' },
      ])
      for (const [missing = {}, held = {}] of [[unknown, theirs], ...pairs]) {
        const reply = await send(missing)
        expectReply(endpoint, reply, 404, 'NOT_FOUND')
        expect((await send(held)).body).toEqual(reply.body)
      }
      expect(await stateOf(testApp)).toBe(before)
    },
  )
})

describe('two accounts', () => {
  test('cannot see each other’s data, even with each other’s ids', async () => {
    const testApp = await createContractApp()
    const { get, post, delete: remove } = testApp.client
    const sessions = {
      starter: await testApp.createSession('starter'),
      pro: await testApp.createSession('pro'),
    }
    const marks = {
      starter: await marksOf(testApp, 'starter', sessions.starter),
      pro: await marksOf(testApp, 'pro', sessions.pro),
    }
    for (const [me, other] of [
      ['starter', 'pro'],
      ['pro', 'starter'],
    ] as const) {
      const session = sessions[me]
      const replies = [
        await get('/v1/auth/me', { session }),
        await get('/v1/keys', { session }),
        await get('/v1/usage', { session }),
        await post('/v1/keys', { name: 'Mine' }, { session }),
        await remove(`/v1/keys/${await keyIdOf(testApp, me)}`, { session }),
      ]
      for (const { status, text } of replies) {
        expect(status).toBeOneOf([200, 201])
        for (const mark of marks[other]) expect(text).not.toContain(mark)
      }
    }
  })

  test('can end only their own sessions', async () => {
    const testApp = await createContractApp()
    const { get, post } = testApp.client
    const [mine, other] = [
      await testApp.createSession('pro'),
      await testApp.createSession('starter'),
    ]
    await post('/v1/auth/logout?all=true', undefined, { session: mine })
    expect((await get('/v1/auth/me', { session: other })).status).toBe(200)
    const again = await testApp.createSession('pro')
    const json = { current_password: PASSWORD, new_password: 'another of them' }
    expect((await post('/v1/auth/password', json, { session: again })).status).toBe(200)
    expect((await get('/v1/auth/me', { session: other })).status).toBe(200)
  })
})

/** Returns data that would reveal an account in a response to another. */
async function marksOf(testApp: TestApp, account: Tier, session: string): Promise<string[]> {
  const key = testApp.keys[account]
  return [
    emailOf(account),
    await keyIdOf(testApp, account),
    key,
    key.slice(0, 13),
    session,
    Buffer.from(hashSecret(key)).toString('hex'),
    Buffer.from(hashSecret(session)).toString('hex'),
  ]
}

function after(ms: number): string {
  return new Date(Date.parse(FROZEN_TIME) + ms).toISOString()
}
