import { beforeEach, describe, expect, test } from 'bun:test'
import { sessionCookie } from '#rules/accounts/sessions.ts'
import type { CurrentAccount } from '../../../src/client/endpoints.ts'
import { expectRefusal } from '../../support/refusal.ts'
import {
  createTestApp,
  emailOf,
  FROZEN_TIME,
  PASSWORD,
  type TestApp,
} from '../../support/test-app.ts'

// Beginning and end of sessions, as seen by a browser.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const OTHER_PASSWORD = 'another of them'

let testApp: TestApp
beforeEach(async () => {
  testApp = await createTestApp()
})

const LOGIN = { email: emailOf('pro'), password: PASSWORD }

async function loggedIn() {
  const browser = testApp.client.browser()
  expect((await browser.post('/v1/auth/login', LOGIN)).status).toBe(200)
  return browser
}

const meWith = (session: string | undefined) =>
  testApp.client.get<CurrentAccount>('/v1/auth/me', { session })

const threeSessions = async (): Promise<[string, string, string]> => [
  await testApp.createSession('pro'),
  await testApp.createSession('pro'),
  await testApp.createSession('pro'),
]

const statusWith = async (session: string | undefined) => (await meWith(session)).status

describe('logging in', () => {
  test('returns the account and a session cookie', async () => {
    const browser = testApp.client.browser()
    const reply = await browser.post('/v1/auth/login', LOGIN)
    expect(reply.status).toBe(200)
    expect(reply.body.data).toEqual({
      id: expect.any(Number),
      email: LOGIN.email,
      tier: 'pro',
      is_operator: false,
      created_at: FROZEN_TIME,
    })
    expect(reply.headers.getSetCookie()).toEqual([sessionCookie(browser.session() ?? '', true)])
    expect(browser.session()).toMatch(/^[\w-]{43}$/)
    expect(reply.text).not.toContain(browser.session() ?? '')
    expect((await browser.get('/v1/auth/me')).status).toBe(200)
  })

  test('ends the previous session of the same browser, and no other', async () => {
    const other = await testApp.createSession('pro')
    const browser = await loggedIn()
    const first = browser.session()
    await browser.post('/v1/auth/login', LOGIN)
    expect(browser.session()).not.toBe(first)
    expect(await statusWith(first)).toBe(401)
    expect(await statusWith(browser.session())).toBe(200)
    expect(await statusWith(other)).toBe(200)
  })

  test('with wrong credentials ends no session and sets no cookie', async () => {
    const session = await testApp.createSession('pro')
    const wrong = { ...LOGIN, password: 'wrong password' }
    const reply = await testApp.client.post('/v1/auth/login', wrong, { session })
    expect([reply.status, reply.body.error.code]).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(reply.headers.getSetCookie()).toEqual([])
    expect(await statusWith(session)).toBe(200)
  })

  test('never adopts a token that the browser sends', async () => {
    const planted = 'A'.repeat(43)
    const reply = await testApp.client.post('/v1/auth/login', LOGIN, { session: planted })
    expect(reply.headers.getSetCookie().join()).not.toContain(planted)
    expect(await statusWith(planted)).toBe(401)
  })

  test('is not part of registering', async () => {
    const json = { email: 'new@guests.example', password: PASSWORD }
    const reply = await testApp.client.post('/v1/auth/register', json)
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([201, []])
  })
})

describe('logging out', () => {
  test('ends this session and its cookie, and no other session', async () => {
    const other = await testApp.createSession('pro')
    const browser = await loggedIn()
    const session = browser.session()
    const reply = await browser.post('/v1/auth/logout')
    expect([reply.status, reply.body.data]).toEqual([200, { logged_out: true }])
    expect(reply.headers.getSetCookie()).toEqual([
      'session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
    ])
    expect(browser.session()).toBeUndefined()
    expect(await statusWith(session)).toBe(401)
    expect(await statusWith(other)).toBe(200)
  })

  test.each(['true', 'false'])('with all=%s ends every session, or only this one', async (all) => {
    const sessions = await threeSessions()
    const someoneElse = await testApp.createSession('starter')
    await testApp.client.post(`/v1/auth/logout?all=${all}`, undefined, { session: sessions[1] })
    const statuses = await Promise.all(sessions.map((session) => statusWith(session)))
    expect(statuses).toEqual(all === 'true' ? [401, 401, 401] : [200, 401, 200])
    expect(await statusWith(someoneElse)).toBe(200)
  })

  test('returns 200 without a session, and clears the cookie', async () => {
    const ended = await testApp.createSession('pro')
    await testApp.client.post('/v1/auth/logout', undefined, { session: ended })
    for (const session of [undefined, ended, 'A'.repeat(43), 'no token']) {
      const reply = await testApp.client.post('/v1/auth/logout?all=true', undefined, { session })
      expect([reply.status, reply.body.data]).toEqual([200, { logged_out: false }])
      expect(reply.body.rate_limit).toBeUndefined()
      expect(reply.headers.getSetCookie().join()).toContain('Max-Age=0')
    }
  })
})

describe('changing the password', () => {
  test('ends every session, and continues here with a new cookie', async () => {
    const others = [await testApp.createSession('pro'), await testApp.createSession('pro')]
    const browser = await loggedIn()
    const before = browser.session()
    const json = { current_password: PASSWORD, new_password: OTHER_PASSWORD }
    const reply = await browser.post('/v1/auth/password', json)
    expect([reply.status, reply.body.data.email]).toEqual([200, LOGIN.email])
    expect(browser.session()).not.toBe(before)
    expect((await browser.get<CurrentAccount>('/v1/auth/me')).body.data.sessions).toHaveLength(1)
    for (const session of [before, ...others]) expect(await statusWith(session)).toBe(401)

    const { post } = testApp.client
    expect((await post('/v1/auth/login', LOGIN)).status).toBe(401)
    const renewed = { ...LOGIN, password: OTHER_PASSWORD }
    expect((await post('/v1/auth/login', renewed)).status).toBe(200)
  })

  test('does not change the keys', async () => {
    const session = await testApp.createSession('pro')
    const json = { current_password: PASSWORD, new_password: OTHER_PASSWORD }
    await testApp.client.post('/v1/auth/password', json, { session })
    expect((await testApp.client.get('/v1/sets', { as: 'pro' })).status).toBe(200)
  })
})

describe('a session', () => {
  test('is extended by requests to public endpoints', async () => {
    const session = await testApp.createSession('pro')
    testApp.setClock(after(6 * DAY_MS))
    const wrong = { ...LOGIN, password: 'wrong password' }
    await testApp.client.post('/v1/auth/login', wrong, { session })
    testApp.setClock(after(12 * DAY_MS))
    expect(await statusWith(session)).toBe(200)
  })
})

describe('ending other sessions', () => {
  const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
  const idOf = async (session: string) =>
    (await meWith(session)).body.data.sessions.find((one) => one.is_current)?.id ?? ''

  test('the list names browser and network of each, without address or version', async () => {
    testApp = await createTestApp({ env: { TRUST_PROXY: '1' } })
    const headers = { 'user-agent': WINDOWS, 'x-forwarded-for': '203.0.113.77' }
    const browser = testApp.client.browser()
    await browser.post('/v1/auth/login', LOGIN, { headers })
    const reply = await browser.get<CurrentAccount>('/v1/auth/me')
    expect(reply.body.data.sessions).toMatchObject([
      { browser: 'Firefox on Windows', network: '203.0.113.0/24', is_current: true },
    ])
    expect(reply.text).not.toContain('203.0.113.77')
  })

  test('one ends immediately, and the others continue', async () => {
    const [mine, lost, other] = await threeSessions()
    const path = `/v1/auth/sessions/${await idOf(lost)}`
    const reply = await testApp.client.delete(path, { session: mine })
    expect([reply.status, reply.body.data]).toEqual([200, { ended: 1 }])
    expect(await statusWith(lost)).toBe(401)
    expect(await statusWith(mine)).toBe(200)
    expect(await statusWith(other)).toBe(200)
    expectRefusal(await testApp.client.delete(path, { session: mine }), 404, 'NOT_FOUND')
  })

  test('all others end, and only those of the account', async () => {
    const mine = await testApp.createSession('pro')
    const others = [await testApp.createSession('pro'), await testApp.createSession('pro')]
    const stranger = await testApp.createSession('starter')
    const reply = await testApp.client.delete('/v1/auth/sessions', { session: mine })
    expect(reply.body.data).toEqual({ ended: 2 })
    for (const other of others) expect(await statusWith(other)).toBe(401)
    expect(await statusWith(mine)).toBe(200)
    expect(await statusWith(stranger)).toBe(200)
  })
})

describe('GET /v1/auth/me', () => {
  test('returns the account and its sessions, and marks the current one', async () => {
    await testApp.createSession('pro')
    testApp.setClock(after(HOUR_MS))
    const session = await testApp.createSession('pro')
    await testApp.createSession('starter')
    const { data } = (await meWith(session)).body
    expect(data).toEqual({
      id: expect.any(Number),
      email: LOGIN.email,
      tier: 'pro',
      is_operator: false,
      is_unlimited: false,
      created_at: FROZEN_TIME,
      has_password: true,
      login_provider: null,
      sessions: [
        {
          id: expect.any(String),
          browser: '',
          network: '',
          created_at: after(HOUR_MS),
          last_seen_at: after(HOUR_MS),
          expires_at: after(HOUR_MS + 7 * DAY_MS),
          is_current: true,
        },
        {
          id: expect.any(String),
          browser: '',
          network: '',
          created_at: FROZEN_TIME,
          last_seen_at: FROZEN_TIME,
          expires_at: after(7 * DAY_MS),
          is_current: false,
        },
      ],
    } as never)
  })

  test('omits ended sessions', async () => {
    await testApp.createSession('pro')
    const ended = await testApp.createSession('pro')
    await testApp.client.post('/v1/auth/logout', undefined, { session: ended })
    testApp.setClock(after(7 * DAY_MS))
    const session = await testApp.createSession('pro')
    expect((await meWith(session)).body.data.sessions).toHaveLength(1)
  })

  test('returns when a session ends: after a week, but never after thirty days', async () => {
    const session = await testApp.createSession('pro')
    for (const day of [5, 10, 15, 20, 25]) {
      testApp.setClock(after(day * DAY_MS))
      const [only] = (await meWith(session)).body.data.sessions
      expect(only?.last_seen_at).toBe(after(day * DAY_MS))
      expect(only?.expires_at).toBe(after(Math.min(day + 7, 30) * DAY_MS))
    }
  })
})

function after(ms: number): string {
  return new Date(Date.parse(FROZEN_TIME) + ms).toISOString()
}
