import { describe, expect, spyOn, test } from 'bun:test'
import { createTestApp, emailOf, FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'
import type { TestResponse } from '../../support/test-client.ts'

// Registration and login, by their responses.

const NO_LIMITS = {
  LOGIN_FAILURES_PER_EMAIL_AND_IP: '0',
  LOGIN_FAILURES_PER_EMAIL: '0',
  LOGIN_FAILURES_PER_IP: '0',
  REGISTRATIONS_PER_IP: '0',
}

describe('POST /v1/auth/register', () => {
  test('201: creates an account of the Free tier and returns nothing of the password', async () => {
    const testApp = await createTestApp()
    const json = { email: 'New.Person@guests.example', password: '  byte for byte  ' }
    const testResponse = await testApp.client.post('/v1/auth/register', json)
    expect(testResponse.status).toBe(201)
    expect(testResponse.body).toEqual({
      data: {
        id: expect.any(Number),
        email: json.email,
        tier: 'free',
        is_operator: false,
        created_at: FROZEN_TIME,
      },
    } as never)
    expect(testResponse.text).not.toMatch(/password|argon2/i)
    expect((await testApp.client.post('/v1/auth/login', json)).status).toBe(200)
    const trimmed = { ...json, password: json.password.trim() }
    expect((await testApp.client.post('/v1/auth/login', trimmed)).status).toBe(401)
  })

  test('409: the address has an account, in any letter case', async () => {
    const testApp = await createTestApp({ env: NO_LIMITS })
    for (const email of [emailOf('pro'), emailOf('pro').toUpperCase()]) {
      const reply = await testApp.client.post('/v1/auth/register', {
        email,
        password: 'not theirs',
      })
      expectRefusal(reply, 409, 'EMAIL_TAKEN')
    }
    const theirs = { email: emailOf('pro'), password: PASSWORD }
    expect((await testApp.client.post('/v1/auth/login', theirs)).status).toBe(200)
  })
})

describe('POST /v1/auth/login', () => {
  test('401: identical for a wrong password and an unknown address', async () => {
    const testApp = await createTestApp({ env: NO_LIMITS })
    const replies = [
      await testApp.client.post('/v1/auth/login', { email: emailOf('pro'), password: 'wrong' }),
      await testApp.client.post('/v1/auth/login', { email: 'no@body.example', password: PASSWORD }),
      await testApp.client.post('/v1/auth/login', { email: 'no address', password: '' }),
      await testApp.client.post('/v1/auth/login', { email: 'a\0b@c.example', password: 'a\0b' }),
      await testApp.client.post('/v1/auth/login', {
        email: emailOf('pro'),
        password: '🃏'.repeat(257),
      }),
    ]
    for (const testResponse of replies) {
      expectRefusal(testResponse, 401, 'INVALID_CREDENTIALS')
      expect(testResponse.body).toEqual(replies[0]?.body as never)
    }
  })

  test('429: too many failures, with Retry-After; other addresses can log in', async () => {
    const env = { ...NO_LIMITS, LOGIN_FAILURES_PER_EMAIL_AND_IP: '3', TRUST_PROXY: '1' }
    const testApp = await createTestApp({ env })
    const request = (password: string, place: string) =>
      testApp.client.post(
        '/v1/auth/login',
        { email: emailOf('pro'), password },
        { headers: { 'x-forwarded-for': place } },
      )
    for (let tries = 0; tries < 3; tries++) {
      expectRefusal(await request('wrong', '192.0.2.1'), 401, 'INVALID_CREDENTIALS')
    }
    const refused = await request(PASSWORD, '192.0.2.1')
    expectRefusal(refused, 429, 'TOO_MANY_ATTEMPTS')
    expect(refused.headers.get('retry-after')).toBe('300')
    // The client's entries precede that of the trusted proxy.
    expect((await request(PASSWORD, '192.0.2.9, 192.0.2.1')).status).toBe(429)
    expect((await request(PASSWORD, '192.0.2.2')).status).toBe(200)
    testApp.setClock('2026-11-15T21:35:00.000Z')
    expect((await request(PASSWORD, '192.0.2.1')).status).toBe(200)
  })

  test('200: the right password, although others behind the same address have guessed', async () => {
    const testApp = await createTestApp({ env: { LOGIN_FAILURES_PER_IP: '5', TRUST_PROXY: '1' } })
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    const request = (email: string, password: string) =>
      testApp.client.post('/v1/auth/login', { email, password }, { headers })
    expect((await request(emailOf('pro'), PASSWORD)).status).toBe(200)
    const statuses: number[] = []
    for (let tries = 0; tries < 6; tries++) {
      statuses.push((await request(`${tries}@made.example`, 'wrong')).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await request(emailOf('pro'), PASSWORD)).status).toBe(200)
    expectRefusal(await request(emailOf('starter'), PASSWORD), 429, 'TOO_MANY_ATTEMPTS')
  })

  test('200: an account whose address is no longer accepted for new ones', async () => {
    const testApp = await createTestApp()
    const { accounts } = testApp.deps.ledger
    const email = '"ann" <ann@letters.example>'
    const { password_hash = '' } = (await accounts.getByEmail(emailOf('pro'))) ?? {}
    const context = { now: testApp.deps.now(), address: undefined }
    await accounts.create({ email, password_hash, tier: 'free' }, context)
    const login = { email, password: PASSWORD }
    expect((await testApp.client.post('/v1/auth/login', login)).status).toBe(200)
  })

  test('429 includes the quota for a browser with a session', async () => {
    const env = { ...NO_LIMITS, LOGIN_FAILURES_PER_EMAIL_AND_IP: '1' }
    const testApp = await createTestApp({ env })
    const session = await testApp.createSession('pro')
    const json = { current_password: 'wrong', new_password: 'another of them' }
    const request = () => testApp.client.post('/v1/auth/password', json, { session })
    expectRefusal(await request(), 401, 'INVALID_CREDENTIALS')
    const refused = await request()
    expectRefusal(refused, 429, 'TOO_MANY_ATTEMPTS')
    expect(refused.headers.get('retry-after')).toBe('900')
    expect(refused.body.rate_limit.daily_limit).toBe(10_000)
  })

  test('503: too many concurrent attempts, with Retry-After; later ones succeed', async () => {
    const testApp = await createTestApp({ env: NO_LIMITS })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const verify = spyOn(Bun.password, 'verify').mockImplementation(() => held.then(() => true))
    const request = () =>
      testApp.client.post('/v1/auth/login', { email: emailOf('pro'), password: PASSWORD })
    const many = Array.from({ length: 100 }, request)
    const refused = await Promise.race(many)
    release()
    const all = await Promise.all(many)
    verify.mockRestore()

    expectRefusal(refused, 503, 'UNAVAILABLE')
    expect(refused.headers.get('retry-after')).toBe('2')
    const statuses = new Set(all.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([200, 503])
    expect((await request()).status).toBe(200)
  })
})

describe('an internal error', () => {
  test('returns 500 without details and logs them without password, cookie or key', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    testApp.deps.ledger.close()
    const json = { email: emailOf('pro'), password: PASSWORD }
    const login = await testApp.client.post('/v1/auth/login', json)
    const me = await testApp.client.get('/v1/auth/me', { session })
    for (const testResponse of [login, me]) {
      expectRefusal(testResponse, 500, 'INTERNAL_ERROR')
      expect(testResponse.text).not.toMatch(/database|sqlite|\.ts/i)
    }
    expect(testApp.log.map(({ level }) => level)).toEqual(['error', 'error'])
    const logged = testApp.log.map(({ event, facts }) => event + Bun.inspect(facts)).join()
    expect(logged).toContain(me.headers.get('x-request-id') ?? 'no id')
    for (const secret of [PASSWORD, session, emailOf('pro')]) expect(logged).not.toContain(secret)
    testApp.deps.catalog.close()
  })
})

function expectRefusal(testResponse: TestResponse<unknown>, status: number, code: string): void {
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([status, code])
  expect(testResponse.body.data).toBeUndefined()
  expect(testResponse.headers.getSetCookie()).toEqual([])
}
