import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import {
  ACCESS_POLICIES,
  isTierAtLeast,
  TIERS,
  type Tier,
  tierName,
} from '#rules/accounts/tiers.ts'
import { createAlertTestApp } from '../support/alerts/webhook-fixtures.ts'
import { createTestApp, emailOf, FROZEN_TIME, PASSWORD, type TestApp } from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'
import { call, enterFor, keyIdOf, pathFor, stateOf } from './account-calls.ts'
import { callCatalog } from './catalog-calls.ts'
import { KEYED, named, namedAccount, OPERATED, SESSIONED, TIERED } from './endpoints.ts'

// Access to account endpoints: only with a valid session, regardless of other credentials.

const DAY_MS = 86_400_000

/** `Cookie` headers that are no session, made of one that is. */
const NO_SESSION: [string, (token: string, testApp: TestApp) => string][] = [
  ['an empty cookie', () => 'session='],
  ['a word', () => 'session=secret'],
  ['one character too few', (token) => `session=${token.slice(0, -1)}`],
  ['one character too many', (token) => `session=${token}A`],
  ['one wrong character', (token) => `session=${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`],
  ['another case', (token) => `session=${swapCase(token)}`],
  ['characters that no token has', (token) => `session=${token.slice(0, -1)}+`],
  ['quotes around it', (token) => `session="${token}"`],
  ['a very long one', (token) => `session=${token.repeat(150)}`],
  ['a token that was never handed out', () => `session=${'A'.repeat(43)}`],
  ['the hash of the token', (token) => `session=${Buffer.from(hashSecret(token)).toString('hex')}`],
  [
    'the hash of the token, written as a token',
    (token) => `session=${Buffer.from(hashSecret(token)).toString('base64url')}`,
  ],
  ['an API key', (_, testApp) => `session=${testApp.keys.business}`],
  ['the cookie twice', (token) => `session=${token}; session=${token}`],
  ['the cookie and another value', (token) => `session=${token}; a=b; session=${'A'.repeat(43)}`],
  ['two headers that were joined', (token) => `session=${token}, session=${token}`],
  ['a cookie of another name', (token) => `sid=${token}`],
  ['a name in capitals', (token) => `Session=${token}`],
  ['a name with a prefix', (token) => `__Host-session=${token}; xsession=${token}`],
  ['a name with a space', (token) => `session =${token}`],
  ['a value of something else', (token) => `a=session=${token}`],
]

describe('without a session', () => {
  let testApp: TestApp
  let before: string
  let token: string

  beforeAll(async () => {
    testApp = await createAlertTestApp()
    token = await testApp.createSession('pro')
    before = await stateOf(testApp)
  })
  afterAll(() => testApp.close())

  describe.each(namedAccount(SESSIONED))('%s', (_name, endpoint) => {
    test('returns 401 SESSION_REQUIRED with a hint to log in, without a quota', async () => {
      await expectStranger(testApp, await call(testApp, endpoint))
    })

    test.each(NO_SESSION)('returns 401 SESSION_REQUIRED with %s', async (_kind, cookieOf) => {
      const headers = { cookie: cookieOf(token, testApp) }
      await expectStranger(testApp, await call(testApp, endpoint, { headers }))
    })

    test('returns 401 SESSION_REQUIRED with an API key', async () => {
      for (const as of ['business', 'deactivated'] as const) {
        await expectStranger(testApp, await call(testApp, endpoint, { as }))
      }
      const bearer = { authorization: `Bearer ${token}` }
      await expectStranger(testApp, await call(testApp, endpoint, { headers: bearer }))
    })

    const malformed = [
      ...endpoint.malformed.map((made) => ({ made })),
      ...(endpoint.body === undefined ? [] : [{ body: 'x' }]),
    ]
    if (malformed.length > 0) {
      test('returns 401 before 400', async () => {
        for (const wrong of malformed) {
          const response =
            'made' in wrong
              ? await call(testApp, endpoint, wrong)
              : await testApp.client.request(endpoint.method, endpoint.path, wrong)
          await expectStranger(testApp, response)
        }
      })
    }
  })

  test('changes nothing', async () => {
    expect(await stateOf(testApp)).toBe(before)
    expect(testApp.log).toEqual([])
  })
})

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

  test.each(ENDS)('%s: every endpoint returns 401 SESSION_REQUIRED', async (_how, end) => {
    const testApp = await createAlertTestApp()
    const session = await testApp.createSession('pro')
    expect((await testApp.client.get('/v1/auth/me', { session })).status).toBe(200)
    await end(testApp, session)
    const before = await stateOf(testApp)
    for (const endpoint of SESSIONED) {
      await expectStranger(testApp, await call(testApp, endpoint, { session }))
    }
    expect(await stateOf(testApp)).toBe(before)
    testApp.close()
  })
})

describe.each(ACCESS_POLICIES)('under the policy %s', (policy) => {
  describe.each(TIERS)('the tier %s', (tier) => {
    test('can call every endpoint that its sessions may use', async () => {
      const testApp = await createAlertTestApp({ accessPolicy: policy })
      for (const endpoint of SESSIONED.filter(({ deletesAccount }) => !deletesAccount)) {
        const session = await enterFor(testApp, endpoint, tier)
        const testResponse = await call(testApp, endpoint, { session, keyOf: tier })
        if (endpoint.lowest !== undefined && !isTierAtLeast(tier, endpoint.lowest)) {
          expect([endpoint.path, testResponse.status]).toEqual([endpoint.path, 403])
          expectTierRequired(testResponse, tier, endpoint.lowest)
          continue
        }
        expect([endpoint.path, testResponse.status]).toEqual([endpoint.path, endpoint.status])
        if (endpoint.file) continue
        const members = endpoint.paged ? ['data', 'meta', 'rate_limit'] : ['data', 'rate_limit']
        expect(Object.keys(testResponse.body)).toEqual(members)
      }
      testApp.close()
    })
  })

  test.each(named(KEYED))(
    '%s returns 401 API_KEY_REQUIRED for a session',
    async (_path, endpoint) => {
      const testApp = await createTestApp({ accessPolicy: policy })
      const session = await testApp.createSession('business')
      const reply = await callCatalog(testApp, endpoint, { session })
      expect([reply.status, reply.body.error.code]).toEqual([401, 'API_KEY_REQUIRED'])
      expect(reply.body.rate_limit).toBeUndefined()
      testApp.close()
    },
  )
})

describe.each(namedAccount(TIERED))('%s', (_name, endpoint) => {
  test('returns 403 TIER_REQUIRED before 400 and 404, and changes nothing', async () => {
    const testApp = await createAlertTestApp()
    const session = await testApp.createSession('starter')
    const before = await stateOf(testApp)
    for (const made of [...endpoint.malformed, endpoint.sample]) {
      for (const keyOf of ['starter', 'pro'] as const) {
        const testResponse = await call(testApp, endpoint, { session, made, keyOf })
        expect(testResponse.status).toBe(403)
        expectTierRequired(testResponse, 'starter', endpoint.lowest ?? 'free')
      }
    }
    expect(await stateOf(testApp)).toBe(before)
    testApp.close()
  })
})

describe.each(namedAccount(OPERATED))('%s', (_name, endpoint) => {
  test('returns 403 OPERATOR_REQUIRED before 400 for all other accounts, and changes nothing', async () => {
    const testApp = await createAlertTestApp()
    await testApp.makeOperator('pro')
    const session = await testApp.createSession('business')
    const before = await stateOf(testApp)
    for (const made of [...endpoint.malformed, endpoint.sample]) {
      const testResponse = await call(testApp, endpoint, { session, made })
      expect([testResponse.status, testResponse.body.error.code]).toEqual([
        403,
        'OPERATOR_REQUIRED',
      ])
      expect(Object.keys(testResponse.body)).toEqual(['error', 'rate_limit'])
    }
    expect(await stateOf(testApp)).toBe(before)
    testApp.close()
  })

  test('returns 403 from the first request after the account loses the operator role', async () => {
    const testApp = await createAlertTestApp()
    const session = await enterFor(testApp, endpoint, 'pro')
    expect((await call(testApp, endpoint, { session })).status).toBe(endpoint.status)
    await setOperator(testApp.deps, { email: emailOf('pro'), is_operator: false })
    expect((await call(testApp, endpoint, { session })).status).toBe(403)
    testApp.close()
  })
})

const OF_WATCHES = SESSIONED.filter(({ path }) => path.includes('{webhook_id}'))

describe.each(namedAccount(OF_WATCHES))('%s', (_name, endpoint) => {
  test('returns 404 for another account’s webhook, as for an unknown one', async () => {
    const testApp = await createAlertTestApp()
    const session = await testApp.createSession('business')
    const own = await pathFor(testApp, '{webhook_id} {delivery_id}', 'business')
    const [webhook = '', delivery = ''] = own.split(' ')
    const before = await stateOf(testApp)
    const { path, json } = endpoint.sample
    const options = { session, ...(json !== undefined && { json }) }
    const at = (one: string, another: string) =>
      path.replace('{webhook_id}', one).replace('{delivery_id}', another)
    const unknown = await testApp.client.request(endpoint.method, at('wh_0', 'msg_0'), options)
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND'])
    for (const testAccount of ['pro', 'starter'] as const) {
      const others = await pathFor(testApp, '{webhook_id} {delivery_id}', testAccount)
      const [theirs = '', theirDelivery = ''] = others.split(' ')
      for (const swapped of [at(theirs, theirDelivery), at(theirs, delivery)]) {
        const testResponse = await testApp.client.request(endpoint.method, swapped, options)
        expect([testResponse.status, testResponse.body]).toEqual([404, unknown.body])
      }
      if (!path.includes('{delivery_id}')) continue
      const reply = await testApp.client.request(
        endpoint.method,
        at(webhook, theirDelivery),
        options,
      )
      expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect(await stateOf(testApp)).toBe(before)
    testApp.close()
  })
})

describe('two accounts', () => {
  test('cannot see each other’s data, even with each other’s ids', async () => {
    const testApp = await createTestApp()
    const { get, post, delete: remove } = testApp.client
    const sessions = {
      starter: await testApp.createSession('starter'),
      pro: await testApp.createSession('pro'),
    }
    const marks = {
      starter: await marksOf(testApp, 'starter', sessions.starter),
      pro: await marksOf(testApp, 'pro', sessions.pro),
    }
    const pairs = [
      ['starter', 'pro'],
      ['pro', 'starter'],
    ] as const
    for (const [as] of pairs) await get('/v1/sets', { as })

    for (const [me, other] of pairs) {
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
    testApp.close()
  })

  test('cannot delete each other’s keys: 404, as for an unknown key', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('business')
    const before = await stateOf(testApp)
    const unknown = await testApp.client.delete(`/v1/keys/${crypto.randomUUID()}`, { session })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND'])
    for (const testAccount of ['free', 'pro', 'deactivated', 'exhausted'] as const) {
      const testResponse = await testApp.client.delete(
        `/v1/keys/${await keyIdOf(testApp, testAccount)}`,
        {
          session,
        },
      )
      expect([testResponse.status, testResponse.body]).toEqual([404, unknown.body])
    }
    expect(await stateOf(testApp)).toBe(before)
    expect((await testApp.client.get('/v1/sets', { as: 'pro' })).status).toBe(200)
    testApp.close()
  })

  test('can end only their own sessions', async () => {
    const testApp = await createTestApp()
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
    testApp.close()
  })
})

/** Data that would reveal an account in the response to another. */
async function marksOf(testApp: TestApp, testAccount: Tier, session: string) {
  const key = testApp.keys[testAccount]
  return [
    emailOf(testAccount),
    await keyIdOf(testApp, testAccount),
    key,
    key.slice(0, 13),
    session,
    Buffer.from(hashSecret(key)).toString('hex'),
    Buffer.from(hashSecret(session)).toString('hex'),
  ]
}

function expectTierRequired({ body }: TestResponse<unknown>, tier: Tier, lowest: Tier): void {
  expect(body.error).toEqual({
    code: 'TIER_REQUIRED',
    message: `Requires the ${tierName(lowest)} plan or higher (you have ${tierName(tier)}).`,
  })
  expect(Object.keys(body)).toEqual(['error', 'rate_limit'])
}

async function expectStranger(
  testApp: TestApp,
  testResponse: TestResponse<unknown>,
): Promise<void> {
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([401, 'SESSION_REQUIRED'])
  expect(Object.keys(testResponse.body)).toEqual(['error'])
  expect(testResponse.headers.has('x-ratelimit-limit')).toBe(false)
  expect(testResponse.headers.getSetCookie()).toEqual([])
  for (const key of Object.values(testApp.keys)) expect(testResponse.text).not.toContain(key)
}

function after(ms: number): string {
  return new Date(Date.parse(FROZEN_TIME) + ms).toISOString()
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
