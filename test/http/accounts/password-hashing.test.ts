// A password hash takes a core for some 50 ms, so each route that needs one first refuses what it can without.
import { afterAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { readSources } from '../../support/source-text.ts'
import { createTestApp, emailOf, PASSWORD, type TestApp } from '../../support/test-app.ts'

const hash = spyOn(Bun.password, 'hash')
const verify = spyOn(Bun.password, 'verify')
beforeEach(() => {
  hash.mockClear()
  verify.mockClear()
})
afterAll(() => {
  hash.mockRestore()
  verify.mockRestore()
})

const countHashes = () => hash.mock.calls.length + verify.mock.calls.length

const NEW_PASSWORD = 'a new sentence of words'
const EMAIL = 'ada@letters.example'

type Sent = { json: object; session?: string; headers?: Record<string, string> }

type Cheap = {
  what: string
  expected: [status: number, code: string]
  send: (testApp: TestApp) => Sent | Promise<Sent>
  env?: Record<string, string>
  /** True on a server that is not set up yet. */
  isNew?: boolean
  /** Number of equal requests before the refusal, which may hash. */
  before?: number
}

const asPro = async (testApp: TestApp, json: object) => ({
  json,
  session: await testApp.createSession('pro'),
})

/** Refusals of each route that need no hash. */
const CHEAP: Record<string, Cheap[]> = {
  '/v1/auth/register': [
    {
      what: 'an invalid address',
      expected: [400, 'VALIDATION_ERROR'],
      send: () => ({ json: { email: 'no address', password: PASSWORD } }),
    },
    {
      what: 'a short password',
      expected: [400, 'VALIDATION_ERROR'],
      send: () => ({ json: { email: EMAIL, password: 'short' } }),
    },
    {
      what: 'closed registration',
      expected: [403, 'REGISTRATION_CLOSED'],
      env: { REGISTRATION: 'closed' },
      send: () => ({ json: { email: EMAIL, password: PASSWORD } }),
    },
    {
      what: 'an unknown invitation',
      expected: [403, 'INVITATION_REQUIRED'],
      env: { REGISTRATION: 'invite' },
      send: () => ({ json: { email: EMAIL, password: PASSWORD, invitation: 'none' } }),
    },
    {
      what: 'a taken address',
      expected: [409, 'EMAIL_TAKEN'],
      send: () => ({ json: { email: emailOf('pro').toUpperCase(), password: PASSWORD } }),
    },
    {
      what: 'an address that looks like one',
      expected: [409, 'EMAIL_TAKEN'],
      send: () => ({ json: { email: emailOf('pro').replace('o', '\u043e'), password: PASSWORD } }),
    },
    {
      what: 'too many registrations',
      expected: [429, 'TOO_MANY_ATTEMPTS'],
      env: { REGISTRATIONS_PER_IP: '1' },
      before: 1,
      send: () => ({ json: { email: EMAIL, password: PASSWORD } }),
    },
  ],
  '/v1/auth/setup': [
    {
      what: 'a server that is set up',
      expected: [409, 'SETUP_DONE'],
      send: () => ({ json: { token: 'wrong', email: EMAIL, password: PASSWORD } }),
    },
    {
      what: 'a wrong token',
      expected: [401, 'SETUP_TOKEN_INVALID'],
      isNew: true,
      send: () => ({ json: { token: 'wrong', email: EMAIL, password: PASSWORD } }),
    },
  ],
  '/v1/auth/login': [
    {
      what: 'a password that is too long',
      expected: [401, 'INVALID_CREDENTIALS'],
      send: () => ({ json: { email: EMAIL, password: '🃏'.repeat(257) } }),
    },
    {
      what: 'too many wrong passwords',
      expected: [429, 'TOO_MANY_ATTEMPTS'],
      env: { LOGIN_FAILURES_PER_EMAIL_AND_IP: '1' },
      before: 1,
      send: () => ({ json: { email: EMAIL, password: PASSWORD } }),
    },
  ],
  '/v1/auth/password': [
    {
      what: 'nobody logged in',
      expected: [401, 'SESSION_REQUIRED'],
      send: () => ({ json: { current_password: PASSWORD, new_password: NEW_PASSWORD } }),
    },
    {
      what: 'a short new password',
      expected: [400, 'VALIDATION_ERROR'],
      send: (testApp) => asPro(testApp, { current_password: PASSWORD, new_password: 'short' }),
    },
    {
      what: 'too many wrong passwords',
      expected: [429, 'TOO_MANY_ATTEMPTS'],
      env: { LOGIN_FAILURES_PER_EMAIL_AND_IP: '1' },
      before: 1,
      send: (testApp) => asPro(testApp, { current_password: 'wrong', new_password: NEW_PASSWORD }),
    },
  ],
  '/v1/auth/delete': [
    {
      what: 'nobody logged in',
      expected: [401, 'SESSION_REQUIRED'],
      send: () => ({ json: { email: emailOf('pro'), password: PASSWORD } }),
    },
    {
      what: 'another address',
      expected: [401, 'INVALID_CREDENTIALS'],
      send: (testApp) => asPro(testApp, { email: EMAIL, password: PASSWORD }),
    },
    {
      what: 'too many wrong passwords',
      expected: [429, 'TOO_MANY_ATTEMPTS'],
      env: { LOGIN_FAILURES_PER_EMAIL_AND_IP: '1' },
      before: 1,
      send: (testApp) => asPro(testApp, { email: emailOf('pro'), password: 'wrong' }),
    },
  ],
  '/v1/auth/reset/password': [
    {
      what: 'a short password',
      expected: [400, 'VALIDATION_ERROR'],
      send: () => ({ json: { token: 'A'.repeat(43), new_password: 'short' } }),
    },
    {
      what: 'an unknown token',
      expected: [404, 'LINK_INVALID'],
      send: () => ({ json: { token: 'A'.repeat(43), new_password: NEW_PASSWORD } }),
    },
    {
      what: 'too many unknown tokens',
      expected: [429, 'TOO_MANY_ATTEMPTS'],
      before: 60,
      send: () => ({ json: { token: 'A'.repeat(43), new_password: NEW_PASSWORD } }),
    },
  ],
}

const post = (testApp: TestApp, path: string, { json, ...options }: Sent) =>
  testApp.client.post(path, json, options)

describe.each(Object.entries(CHEAP))('POST %s refuses without a hash', (path, refusals) => {
  test.each(refusals.map((refusal) => [refusal.what, refusal] as const))(
    '%s',
    async (_what, { expected, send, env = {}, isNew = false, before = 0 }) => {
      const testApp = await createTestApp({ env, isNew })
      const sent = await send(testApp)
      for (let earlier = 0; earlier < before; earlier++) await post(testApp, path, sent)
      const known = countHashes()
      expectRefusal(await post(testApp, path, sent), ...expected)
      expect(countHashes()).toBe(known)
    },
  )

  test('a request from another origin', async () => {
    const testApp = await createTestApp()
    const [first] = refusals
    if (first === undefined) throw new Error('no refusal')
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const sent = { ...(await first.send(testApp)), headers }
    const known = countHashes()
    expectRefusal(await post(testApp, path, sent), 403, 'CROSS_ORIGIN_REJECTED')
    expect(countHashes()).toBe(known)
  })
})

test('these are all routes that hash passwords', async () => {
  const found: string[] = []
  for (const { text } of await readSources('src/http/routes/**/*.ts')) {
    const [preamble = '', ...endpoints] = text.split(/\bendpoint\(\s*'POST /)
    const helpers = preamble
      .split(/\n {2}(?:async )?function /)
      .slice(1)
      .filter((helper) => helper.includes('passwords'))
      .map((helper) => /^\w+/.exec(helper)?.[0] ?? '')
    const uses = new RegExp(`\\b(${['passwords', ...helpers].join('|')})\\b`)
    for (const endpoint of endpoints) {
      const [, path = ''] = /^([^']+)'/.exec(endpoint) ?? []
      if (uses.test(endpoint)) found.push(path)
    }
  }
  expect(found.sort()).toEqual(Object.keys(CHEAP).sort())
})

describe('made-up tokens of new passwords', () => {
  test('do not keep anybody from logging in', async () => {
    const testApp = await createTestApp()
    const reset = () =>
      testApp.client.post('/v1/auth/reset/password', {
        token: 'A'.repeat(43),
        new_password: NEW_PASSWORD,
      })
    const known = countHashes()
    const flood = Array.from({ length: 200 }, reset)
    const login = { email: emailOf('pro'), password: PASSWORD }
    expect((await testApp.client.post('/v1/auth/login', login)).status).toBe(200)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(140)
    expect(countHashes()).toBe(known + 1)
  })

  test('do not keep the owner of a link from using it', async () => {
    const testApp = await createTestApp()
    const reset = (token: string) =>
      testApp.client.post('/v1/auth/reset/password', { token, new_password: NEW_PASSWORD })
    for (let tried = 0; tried < 61; tried++) await reset('A'.repeat(43))
    expect((await reset('A'.repeat(43))).status).toBe(429)
    const token = await createLink(testApp)
    expect((await reset(token)).status).toBe(200)
  })
})

test('a link that is used many times at once hashes one password', async () => {
  const testApp = await createTestApp()
  const token = await createLink(testApp)
  const known = countHashes()
  const resets = Array.from({ length: 40 }, () =>
    testApp.client.post('/v1/auth/reset/password', { token, new_password: NEW_PASSWORD }),
  )
  const statuses = (await Promise.all(resets)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, ...Array(39).fill(404)])
  expect(countHashes()).toBe(known + 1)
})

/** Creates a link to set a new password, as a mail has it. @returns its token */
async function createLink({ accountId, deps }: TestApp): Promise<string> {
  const token = 'B'.repeat(43)
  const link = { purpose: 'reset', token_hash: hashSecret(token), validMs: 3_600_000 } as const
  await deps.ledger.mailedTokens.create({ account_id: await accountId('pro'), ...link }, deps.now())
  return token
}
