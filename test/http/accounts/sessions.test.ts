import { describe, expect, test } from 'bun:test'
import { sessionCookie } from '#rules/accounts/sessions.ts'
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

type Me = {
  email: string
  sessions: {
    id: string
    browser: string
    network: string
    created_at: string
    last_seen_at: string
    expires_at: string
    is_current: boolean
  }[]
}

const LOGIN = { email: emailOf('pro'), password: PASSWORD }

async function loggedIn(testApp: TestApp) {
  const browser = testApp.client.browser()
  expect((await browser.post('/v1/auth/login', LOGIN)).status).toBe(200)
  return browser
}

const meWith = ({ client }: TestApp, session: string | undefined) =>
  client.get<Me>('/v1/auth/me', { session })

const statusWith = async (testApp: TestApp, session: string | undefined) =>
  (await meWith(testApp, session)).status

describe('logging in', () => {
  test('returns the account and a session cookie', async () => {
    const testApp = await createTestApp()
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
    testApp.close()
  })

  test('ends the previous session of the same browser, and no other', async () => {
    const testApp = await createTestApp()
    const other = await testApp.createSession('pro')
    const browser = await loggedIn(testApp)
    const first = browser.session()
    await browser.post('/v1/auth/login', LOGIN)
    expect(browser.session()).not.toBe(first)
    expect(await statusWith(testApp, first)).toBe(401)
    expect(await statusWith(testApp, browser.session())).toBe(200)
    expect(await statusWith(testApp, other)).toBe(200)
    testApp.close()
  })

  test('as another account ends it too', async () => {
    const testApp = await createTestApp()
    const starter = await testApp.createSession('starter')
    const reply = await testApp.client.post('/v1/auth/login', LOGIN, { session: starter })
    expect(reply.status).toBe(200)
    expect(await statusWith(testApp, starter)).toBe(401)
    testApp.close()
  })

  test('with wrong credentials ends no session and sets no cookie', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const wrong = { ...LOGIN, password: 'wrong password' }
    const reply = await testApp.client.post('/v1/auth/login', wrong, { session })
    expect([reply.status, reply.body.error.code]).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(reply.headers.getSetCookie()).toEqual([])
    expect(await statusWith(testApp, session)).toBe(200)
    testApp.close()
  })

  test('never adopts a token that the browser sends', async () => {
    const testApp = await createTestApp()
    const planted = 'A'.repeat(43)
    const reply = await testApp.client.post('/v1/auth/login', LOGIN, { session: planted })
    expect(reply.headers.getSetCookie().join()).not.toContain(planted)
    expect(await statusWith(testApp, planted)).toBe(401)
    testApp.close()
  })

  test('is not part of registering', async () => {
    const testApp = await createTestApp()
    const json = { email: 'new@guests.example', password: PASSWORD }
    const reply = await testApp.client.post('/v1/auth/register', json)
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([201, []])
    testApp.close()
  })
})

describe('logging out', () => {
  test('ends this session and its cookie, and no other session', async () => {
    const testApp = await createTestApp()
    const other = await testApp.createSession('pro')
    const browser = await loggedIn(testApp)
    const session = browser.session()
    const reply = await browser.post('/v1/auth/logout')
    expect([reply.status, reply.body.data]).toEqual([200, { logged_out: true }])
    expect(reply.headers.getSetCookie()).toEqual([
      'session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
    ])
    expect(browser.session()).toBeUndefined()
    expect(await statusWith(testApp, session)).toBe(401)
    expect(await statusWith(testApp, other)).toBe(200)
    testApp.close()
  })

  test.each(['true', 'false'])('with all=%s ends every session, or only this one', async (all) => {
    const testApp = await createTestApp()
    const sessions = [
      await testApp.createSession('pro'),
      await testApp.createSession('pro'),
      await testApp.createSession('pro'),
    ]
    const someoneElse = await testApp.createSession('starter')
    await testApp.client.post(`/v1/auth/logout?all=${all}`, undefined, { session: sessions[1] })
    const statuses = await Promise.all(sessions.map((session) => statusWith(testApp, session)))
    expect(statuses).toEqual(all === 'true' ? [401, 401, 401] : [200, 401, 200])
    expect(await statusWith(testApp, someoneElse)).toBe(200)
    testApp.close()
  })

  test('returns 200 without a session, and clears the cookie', async () => {
    const testApp = await createTestApp()
    const ended = await testApp.createSession('pro')
    await testApp.client.post('/v1/auth/logout', undefined, { session: ended })
    for (const session of [undefined, ended, 'A'.repeat(43), 'no token']) {
      const reply = await testApp.client.post('/v1/auth/logout?all=true', undefined, { session })
      expect([reply.status, reply.body.data]).toEqual([200, { logged_out: false }])
      expect(reply.body.rate_limit).toBeUndefined()
      expect(reply.headers.getSetCookie().join()).toContain('Max-Age=0')
    }
    testApp.close()
  })
})

describe('changing the password', () => {
  test('ends every session, and continues here with a new cookie', async () => {
    const testApp = await createTestApp()
    const others = [await testApp.createSession('pro'), await testApp.createSession('pro')]
    const browser = await loggedIn(testApp)
    const before = browser.session()
    const json = { current_password: PASSWORD, new_password: OTHER_PASSWORD }
    const reply = await browser.post('/v1/auth/password', json)
    expect([reply.status, reply.body.data.email]).toEqual([200, LOGIN.email])
    expect(browser.session()).not.toBe(before)
    expect((await browser.get<Me>('/v1/auth/me')).body.data.sessions).toHaveLength(1)
    for (const session of [before, ...others]) expect(await statusWith(testApp, session)).toBe(401)

    const { post } = testApp.client
    expect((await post('/v1/auth/login', LOGIN)).status).toBe(401)
    const renewed = { ...LOGIN, password: OTHER_PASSWORD }
    expect((await post('/v1/auth/login', renewed)).status).toBe(200)
    testApp.close()
  })

  test('does not change the keys', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const json = { current_password: PASSWORD, new_password: OTHER_PASSWORD }
    await testApp.client.post('/v1/auth/password', json, { session })
    expect((await testApp.client.get('/v1/sets', { as: 'pro' })).status).toBe(200)
    testApp.close()
  })

  test('requires the current password; otherwise nothing changes', async () => {
    const testApp = await createTestApp()
    const [session, other] = [
      await testApp.createSession('pro'),
      await testApp.createSession('pro'),
    ]
    const json = { current_password: 'wrong password', new_password: OTHER_PASSWORD }
    const reply = await testApp.client.post('/v1/auth/password', json, { session })
    expect([reply.status, reply.body.error.code]).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(reply.body.rate_limit).toBeDefined()
    expect(reply.headers.getSetCookie()).toEqual([])
    expect(await statusWith(testApp, session)).toBe(200)
    expect(await statusWith(testApp, other)).toBe(200)
    expect((await testApp.client.post('/v1/auth/login', LOGIN)).status).toBe(200)
    testApp.close()
  })
})

describe('a session', () => {
  test('lasts as long as it is used, and at most thirty days', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const at = async (ms: number) => {
      testApp.setClock(after(ms))
      return statusWith(testApp, session)
    }
    for (let day = 6.9; day < 30; day += 6.9) {
      expect([day, await at(day * DAY_MS)]).toEqual([day, 200])
    }
    expect(await at(30 * DAY_MS - 1)).toBe(200)
    expect(await at(30 * DAY_MS)).toBe(401)
    testApp.close()
  })

  test('ends after seven days without use', async () => {
    const testApp = await createTestApp()
    const [used, unused] = [await testApp.createSession('pro'), await testApp.createSession('pro')]
    testApp.setClock(after(7 * DAY_MS - 1))
    expect(await statusWith(testApp, used)).toBe(200)
    testApp.setClock(after(7 * DAY_MS))
    expect(await statusWith(testApp, used)).toBe(200)
    expect(await statusWith(testApp, unused)).toBe(401)
    testApp.close()
  })

  test('is valid for a week after its last use, to within five minutes', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    testApp.setClock(after(5 * 60_000 - 1))
    expect(await statusWith(testApp, session)).toBe(200)
    testApp.setClock(after(7 * DAY_MS))
    expect(await statusWith(testApp, session)).toBe(401)
    testApp.close()
  })

  test('is extended by requests to public endpoints', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    testApp.setClock(after(6 * DAY_MS))
    const wrong = { ...LOGIN, password: 'wrong password' }
    await testApp.client.post('/v1/auth/login', wrong, { session })
    testApp.setClock(after(12 * DAY_MS))
    expect(await statusWith(testApp, session)).toBe(200)
    testApp.close()
  })

  test('is one of at most twenty: the least recently used ends first', async () => {
    const testApp = await createTestApp()
    const sessions: string[] = []
    for (let hour = 0; hour < 20; hour++) {
      testApp.setClock(after(hour * HOUR_MS))
      sessions.push(await testApp.createSession('pro'))
    }
    testApp.setClock(after(20 * HOUR_MS))
    // The oldest session is used now, so the second oldest becomes the least recently used.
    expect(await statusWith(testApp, sessions[0])).toBe(200)
    testApp.setClock(after(21 * HOUR_MS))
    const browser = await loggedIn(testApp)
    expect((await browser.get<Me>('/v1/auth/me')).body.data.sessions).toHaveLength(20)
    expect(await statusWith(testApp, sessions[0])).toBe(200)
    expect(await statusWith(testApp, sessions[1])).toBe(401)
    expect(await statusWith(testApp, sessions[2])).toBe(200)
    testApp.close()
  })

  test('of one account does not end those of another', async () => {
    const testApp = await createTestApp()
    const starter = await testApp.createSession('starter')
    for (let more = 0; more < 25; more++) await testApp.createSession('pro')
    expect(await statusWith(testApp, starter)).toBe(200)
    testApp.close()
  })
})

describe('ending other sessions', () => {
  const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
  const idOf = async (testApp: TestApp, session: string) =>
    (await meWith(testApp, session)).body.data.sessions.find((one) => one.is_current)?.id ?? ''

  test('the list names browser and network of each, without address or version', async () => {
    const testApp = await createTestApp({ env: { TRUST_PROXY: '1' } })
    const headers = { 'user-agent': WINDOWS, 'x-forwarded-for': '203.0.113.77' }
    const browser = testApp.client.browser()
    await browser.post('/v1/auth/login', LOGIN, { headers })
    const reply = await browser.get<Me>('/v1/auth/me')
    expect(reply.body.data.sessions).toMatchObject([
      { browser: 'Firefox on Windows', network: '203.0.113.0/24', is_current: true },
    ])
    expect(reply.text).not.toContain('203.0.113.77')
    testApp.close()
  })

  test('one ends at once, and the others go on', async () => {
    const testApp = await createTestApp()
    const [mine, lost, other] = [
      await testApp.createSession('pro'),
      await testApp.createSession('pro'),
      await testApp.createSession('pro'),
    ]
    const path = `/v1/auth/sessions/${await idOf(testApp, lost)}`
    const reply = await testApp.client.delete(path, { session: mine })
    expect([reply.status, reply.body.data]).toEqual([200, { ended: 1 }])
    expect(await statusWith(testApp, lost)).toBe(401)
    expect(await statusWith(testApp, mine)).toBe(200)
    expect(await statusWith(testApp, other)).toBe(200)
    const again = await testApp.client.delete(path, { session: mine })
    expect([again.status, again.body.error.code]).toEqual([404, 'NOT_FOUND'])
    testApp.close()
  })

  test('all others end, and only those of the account', async () => {
    const testApp = await createTestApp()
    const mine = await testApp.createSession('pro')
    const others = [await testApp.createSession('pro'), await testApp.createSession('pro')]
    const stranger = await testApp.createSession('starter')
    const reply = await testApp.client.delete('/v1/auth/sessions', { session: mine })
    expect(reply.body.data).toEqual({ ended: 2 })
    for (const other of others) expect(await statusWith(testApp, other)).toBe(401)
    expect(await statusWith(testApp, mine)).toBe(200)
    expect(await statusWith(testApp, stranger)).toBe(200)
    testApp.close()
  })

  test('a session of another account is not found', async () => {
    const testApp = await createTestApp()
    const [mine, theirs] = [
      await testApp.createSession('pro'),
      await testApp.createSession('starter'),
    ]
    for (const id of [await idOf(testApp, theirs), '0', '-1', 'all', '9'.repeat(30)]) {
      const reply = await testApp.client.delete(`/v1/auth/sessions/${id}`, { session: mine })
      expect([id, reply.status, reply.body.error.code]).toEqual([id, 404, 'NOT_FOUND'])
    }
    expect(await statusWith(testApp, theirs)).toBe(200)
    testApp.close()
  })
})

describe('GET /v1/auth/me', () => {
  test('returns the account and its sessions, and marks the current one', async () => {
    const testApp = await createTestApp()
    await testApp.createSession('pro')
    testApp.setClock(after(HOUR_MS))
    const session = await testApp.createSession('pro')
    await testApp.createSession('starter')
    const { data } = (await meWith(testApp, session)).body
    expect(data).toEqual({
      id: expect.any(Number),
      email: LOGIN.email,
      tier: 'pro',
      is_operator: false,
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
    testApp.close()
  })

  test('omits ended sessions', async () => {
    const testApp = await createTestApp()
    await testApp.createSession('pro')
    const ended = await testApp.createSession('pro')
    await testApp.client.post('/v1/auth/logout', undefined, { session: ended })
    testApp.setClock(after(7 * DAY_MS))
    const session = await testApp.createSession('pro')
    expect((await meWith(testApp, session)).body.data.sessions).toHaveLength(1)
    testApp.close()
  })

  test('returns when a session ends: after a week, but never after thirty days', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    for (const day of [5, 10, 15, 20, 25]) {
      testApp.setClock(after(day * DAY_MS))
      const [only] = (await meWith(testApp, session)).body.data.sessions
      expect(only?.last_seen_at).toBe(after(day * DAY_MS))
      expect(only?.expires_at).toBe(after(Math.min(day + 7, 30) * DAY_MS))
    }
    testApp.close()
  })

  test('returns the current tier of the account', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const context = { now: new Date(FROZEN_TIME), address: undefined }
    await testApp.deps.ledger.accounts.updateTier(LOGIN.email, 'business', context)
    const { body } = await meWith(testApp, session)
    expect([body.data, body.rate_limit.daily_limit]).toMatchObject([{ tier: 'business' }, 50_000])
    testApp.close()
  })
})

function after(ms: number): string {
  return new Date(Date.parse(FROZEN_TIME) + ms).toISOString()
}
