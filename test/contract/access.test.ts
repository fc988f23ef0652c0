/** Access to each endpoint by the access table, and the order of refusals. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { hashSecret } from '#rules/accounts/credentials.ts'
import {
  ACCESS_POLICIES,
  isTierAtLeast,
  TIERS,
  type Tier,
  tierName,
} from '#rules/accounts/tiers.ts'
import type { TestApp } from '../support/test-app.ts'
import type { TestRequestOptions, TestResponse } from '../support/test-client.ts'
import {
  call,
  createContractApp,
  credentialsFor,
  expectAdmitted,
  expectReply,
  stateOf,
} from './calls.ts'
import { DOCUMENT, ENDPOINTS, type Endpoint, isCatalog, named, takesKey } from './endpoints.ts'
import { prepareHoldings } from './holdings.ts'
import { malformedRequests, unknownRequest } from './malformed.ts'

test('the access table has exactly the endpoints of the API document', () => {
  const documented = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(ENDPOINTS.map(({ name }) => name).sort()).toEqual(documented.sort())
})

const needsSession = ({ auth }: Endpoint) => auth === 'session' || auth === 'operator'

/** An app with a session, for credentials that resemble valid ones. */
type Place = { testApp: TestApp; token: string }

type Credentials = (place: Place) => TestRequestOptions
const header = (name: string, text: string) => () => ({ headers: { [name]: text } })
const cookie =
  (change: (token: string) => string) =>
  ({ token }: Place) => ({
    headers: { cookie: change(token) },
  })

/** Credentials that belong to nobody. */
const NOBODY: readonly [string, Credentials][] = [
  ['none', () => ({})],
  ['an empty key', header('x-api-key', '')],
  ['an empty cookie', header('cookie', 'session=')],
  ['a session that does not exist', header('cookie', `session=${'A'.repeat(43)}`)],
  ['a password', header('authorization', 'Basic dXNlcjpwYXNzd29yZA==')],
  ['a token of another service', header('authorization', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln')],
  ['an empty bearer token', header('authorization', 'Bearer')],
]

/** Invalid keys. A session beside them makes no difference. */
const WRONG_KEYS: readonly [string, Credentials][] = [
  ['unknown', () => ({ as: 'unknown' })],
  ['revoked', () => ({ as: 'deactivated' })],
  ['revoked, with a session', ({ token }) => ({ as: 'deactivated', session: token })],
  ['unknown, as a bearer token', ({ testApp }) => bearer(testApp.keys.unknown)],
  ['revoked, as a bearer token', ({ testApp }) => bearer(testApp.keys.deactivated)],
  ['the prefix alone, as a bearer token', () => bearer('tcg_live_')],
  ['the prefix alone', header('x-api-key', 'tcg_live_')],
  ['a word', header('x-api-key', 'secret')],
  ['of the right shape, with a wrong checksum', header('x-api-key', `tcg_live_${'A'.repeat(38)}`)],
  ['very long', header('x-api-key', `tcg_live_${'A'.repeat(5_000)}`)],
  [
    'with one wrong character',
    ({ testApp: { keys } }) => {
      const key = keys.business
      const wrong = key[20] === 'a' ? 'b' : 'a'
      return { headers: { 'x-api-key': key.slice(0, 20) + wrong + key.slice(21) } }
    },
  ],
]

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

/** Credentials without a valid session: cookies that resemble one, and keys. */
const NO_SESSION: readonly [string, Credentials][] = [
  ['a word', cookie(() => 'session=secret')],
  ['one character too few', cookie((token) => `session=${token.slice(0, -1)}`)],
  ['one character too many', cookie((token) => `session=${token}A`)],
  [
    'one wrong character',
    cookie((token) => `session=${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`),
  ],
  ['another case', cookie((token) => `session=${swapCase(token)}`)],
  ['characters that no token has', cookie((token) => `session=${token.slice(0, -1)}+`)],
  ['quotes around it', cookie((token) => `session="${token}"`)],
  ['a very long one', cookie((token) => `session=${token.repeat(150)}`)],
  ['the hash of the token', cookie((token) => `session=${hashText(token, 'hex')}`)],
  ['the hash, written as a token', cookie((token) => `session=${hashText(token, 'base64url')}`)],
  ['an API key in the cookie', ({ testApp }) => ({ session: testApp.keys.business })],
  ['the cookie twice', cookie((token) => `session=${token}; session=${token}`)],
  [
    'the cookie and another value',
    cookie((token) => `session=${token}; a=b; session=${'A'.repeat(43)}`),
  ],
  ['two headers that were joined', cookie((token) => `session=${token}, session=${token}`)],
  ['a cookie of another name', cookie((token) => `sid=${token}`)],
  ['a name in capitals', cookie((token) => `Session=${token}`)],
  ['a name with a prefix', cookie((token) => `__Host-session=${token}; xsession=${token}`)],
  ['a name with a space', cookie((token) => `session =${token}`)],
  ['the value of another cookie', cookie((token) => `a=session=${token}`)],
  ['an API key', () => ({ as: 'business' })],
  ['a revoked key', () => ({ as: 'deactivated' })],
  ['the token as a bearer token', ({ token }) => bearer(token)],
]

/** Lists credentials that an endpoint refuses with 401, and the code of the refusal. */
function refusedBy(endpoint: Endpoint): [string, Credentials, string][] {
  const list = (credentials: readonly [string, Credentials][], code: string) =>
    credentials.map(([what, of]): [string, Credentials, string] => [what, of, code])
  if (needsSession(endpoint)) return list([...NOBODY, ...NO_SESSION], 'SESSION_REQUIRED')
  const session: [string, Credentials] = ['a session', ({ token }) => ({ session: token })]
  const alsoNobody = endpoint.auth === 'account' ? NOBODY : [...NOBODY, session]
  return [...list(alsoNobody, 'API_KEY_REQUIRED'), ...list(WRONG_KEYS, 'INVALID_API_KEY')]
}

describe('without valid credentials', () => {
  let place: Place
  let before: string

  beforeAll(async () => {
    const testApp = await createContractApp({ bulkFiles: true })
    place = { testApp, token: await testApp.createSession('pro') }
    await prepareHoldings(testApp)
    before = await stateOf(testApp)
  })

  describe.each(named((one) => takesKey(one) || needsSession(one)))('%s', (_, endpoint) => {
    test.each(refusedBy(endpoint))('refuses %s', async (_what, credentialsOf, code) => {
      const { testApp } = place
      const refused = await call(testApp, endpoint, credentialsOf(place))
      expectStranger(endpoint, refused, code)
      for (const key of Object.values(testApp.keys)) expect(refused.text).not.toContain(key)
    })

    const wrong = malformedRequests(endpoint).slice(0, 5)
    if (wrong.length === 0) return
    test('returns 401 before 400', async () => {
      for (const request of wrong) {
        for (const [, credentialsOf, code] of refusedBy(endpoint).slice(0, 10)) {
          const options = { ...credentialsOf(place), request }
          expectStranger(endpoint, await call(place.testApp, endpoint, options), code)
        }
      }
    })
  })

  test('nothing changes', async () => {
    expect(await stateOf(place.testApp)).toBe(before)
    expect(place.testApp.log).toEqual([])
  })
})

describe.each(ACCESS_POLICIES)('under the policy %s', (policy) => {
  let testApp: TestApp

  beforeAll(async () => {
    testApp = await createContractApp({ accessPolicy: policy, bulkFiles: true })
  })

  describe.each(named(({ auth }) => auth === 'key'))('%s', (_, endpoint) => {
    const lowest = endpoint.lowest?.[policy] ?? 'free'
    const [malformed] = malformedRequests(endpoint)
    const unknown = unknownRequest(endpoint)

    test.each(TIERS)('is for keys from its tier on: %s', async (as) => {
      const reply = await call(testApp, endpoint, { as })
      if (isTierAtLeast(as, lowest)) return expectReply(endpoint, reply, endpoint.status)
      for (const request of [endpoint.sample, malformed, unknown]) {
        if (request === undefined) continue
        const refused = await call(testApp, endpoint, { as, request })
        expectTierRequired(endpoint, refused, [as, lowest])
        expect(refused.body.rate_limit).toEqual(reply.body.rate_limit)
      }
    })

    if (lowest !== 'business') {
      test('returns 403 before 429, 400 before 429, and 429 before 404', async () => {
        const as = lowest === 'free' ? 'exhausted' : 'exhausted_pro'
        if (lowest !== 'free') {
          expectReply(
            endpoint,
            await call(testApp, endpoint, { as: 'exhausted' }),
            403,
            'TIER_REQUIRED',
          )
        }
        const refused = malformed && (await call(testApp, endpoint, { as, request: malformed }))
        if (refused !== undefined) expectReply(endpoint, refused, 400, 'VALIDATION_ERROR')
        for (const request of [endpoint.sample, unknown ?? endpoint.sample]) {
          expectReply(
            endpoint,
            await call(testApp, endpoint, { as, request }),
            429,
            'RATE_LIMIT_EXCEEDED',
          )
        }
      })
    }

    test('charges only accepted requests: 401, 403, 400 and 429 are free', async () => {
      const remaining = async () => {
        const { body } = await testApp.client.get('/v1/sets', { as: 'business' })
        return body.rate_limit.daily_remaining
      }
      const before = await remaining()
      await call(testApp, endpoint)
      await call(testApp, endpoint, { as: 'unknown' })
      if (malformed !== undefined) {
        await call(testApp, endpoint, { as: 'business', request: malformed })
      }
      expect(await remaining()).toBe(before - 1)
      await call(testApp, endpoint, { as: 'business' })
      if (unknown !== undefined) {
        const missing = await call(testApp, endpoint, { as: 'business', request: unknown })
        expectReply(endpoint, missing, 404, 'NOT_FOUND')
      }
      expect(await remaining()).toBe(before - (unknown === undefined ? 3 : 4))
    })
  })

  test.each(TIERS)(
    'accounts of the tier %s can call all other endpoints for them',
    async (tier) => {
      const own = await createContractApp({ accessPolicy: policy })
      const endpoints = ENDPOINTS.filter(
        (one) =>
          !isCatalog(one) && one.auth !== 'optional session' && !ENDS_ACCESS.includes(one.name),
      )
      for (const endpoint of endpoints) {
        // A free account may have only one collection.
        if (tier === 'free' && /^\/v1\/(collections|scan-sessions)/.test(endpoint.path)) continue
        const lowest = endpoint.lowest?.[policy] ?? 'free'
        const options = { owner: tier, ...(await credentialsFor(own, endpoint, tier)) }
        const reply = await call(own, endpoint, options)
        if (!isTierAtLeast(tier, lowest)) expectTierRequired(endpoint, reply, [tier, lowest])
        else expectAdmitted(endpoint, reply)
      }
    },
  )
})

/** Endpoints that end an account's access; tests of accounts call them. */
const ENDS_ACCESS = ['POST /v1/auth/delete', 'DELETE /v1/auth/access', 'DELETE /v1/keys/{id}']

function expectTierRequired(
  endpoint: Endpoint,
  refused: TestResponse<unknown>,
  [tier, lowest]: readonly [Tier, Tier],
): void {
  expectReply(endpoint, refused, 403, 'TIER_REQUIRED')
  expect(refused.body.error.message).toContain(tierName(lowest))
  expect(refused.body.error.message).toContain(tierName(tier))
  expect(Object.keys(refused.body)).toEqual(['error', 'rate_limit'])
}

/** Asserts that a response reveals nothing to an unknown caller, not even a quota. */
function expectStranger(endpoint: Endpoint, refused: TestResponse<unknown>, code: string): void {
  expectReply(endpoint, refused, 401, code)
  expect(Object.keys(refused.body)).toEqual(['error'])
  const { headers } = refused
  for (const name of ['x-ratelimit-limit', 'x-scans-remaining'])
    expect(headers.has(name)).toBe(false)
  expect(headers.getSetCookie()).toEqual([])
}

function hashText(token: string, encoding: 'hex' | 'base64url'): string {
  return Buffer.from(hashSecret(token)).toString(encoding)
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
