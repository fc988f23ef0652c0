import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type MailServer, startMailServer } from '../../support/mail/mail-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import {
  createTestApp,
  emailOf,
  FROZEN_TIME,
  PASSWORD,
  PUBLIC_URL,
  type TestApp,
} from '../../support/test-app.ts'

// New passwords and confirmed addresses by mail, through a real local SMTP server.

let mails: MailServer
let testApp: TestApp
beforeAll(async () => {
  mails = await startMailServer()
})
afterAll(() => mails.close())

async function openApp(env: Record<string, string> = {}) {
  const mail = { SMTP_URL: mails.url, MAIL_FROM: 'Cards <cards@shop.example>' }
  testApp = await createTestApp({ env: { ...mail, ...env } })
}

const NEW_PASSWORD = 'a new sentence of words'
const post = (path: string, json: object) => testApp.client.post(path, json)
const logIn = (email: string, password: string) => post('/v1/auth/login', { email, password })
const reset = (token: string, new_password = NEW_PASSWORD) =>
  post('/v1/auth/reset/password', { token, new_password })
const at = (ms: number) => testApp.setClock(new Date(Date.parse(FROZEN_TIME) + ms).toISOString())

/** Requests a mail, and returns the token of its link. */
async function tokenFor(path: string, email: string, page: string): Promise<string> {
  const known = mails.received.length
  expect((await post(path, { email })).status).toBe(202)
  const { text, html } = await mails.waitFor(
    (mail) =>
      mail.to === email && mail.text.includes(page) && mails.received.indexOf(mail) >= known,
  )
  const [, token = ''] =
    new RegExp(`^${PUBLIC_URL}/${page}#token=([\\w-]{43})$`, 'm').exec(text) ?? []
  expect(html).toContain(token)
  return token
}

const resetToken = (email: string) => tokenFor('/v1/auth/reset', email, 'reset-password')

describe('a reset of the password', () => {
  test('sets a new one, once, and ends all sessions', async () => {
    await openApp()
    const email = emailOf('pro')
    const sessions = [await testApp.createSession('pro'), await testApp.createSession('pro')]
    const token = await resetToken(email)
    expect((await reset(token, 'short')).status).toBe(400)
    const done = await reset(token)
    expect([done.status, done.body.data]).toEqual([
      200,
      {
        email,
        unlinked_logins: 0,
        login_provider: null,
        keys: [expect.objectContaining({ name: 'Default' })],
        channels: [],
        shared_collections: [],
      },
    ])
    for (const session of sessions) {
      expect((await testApp.client.get('/v1/auth/me', { session })).status).toBe(401)
    }
    expect((await logIn(email, PASSWORD)).status).toBe(401)
    expect((await logIn(email, NEW_PASSWORD)).status).toBe(200)
    expectRefusal(await reset(token, 'another sentence'), 404, 'LINK_INVALID')
    expect((await logIn(email, NEW_PASSWORD)).status).toBe(200)
  })

  test('works for an hour, and with the last two links, until one of them is used', async () => {
    await openApp()
    const email = emailOf('starter')
    const tokens = [await resetToken(email), await resetToken(email), await resetToken(email)]
    const [oldest = '', older = '', newer = ''] = tokens
    expect((await reset(oldest)).body.error.code).toBe('LINK_INVALID')
    at(3_600_000)
    for (const token of [older, newer]) {
      expect((await reset(token)).body.error.code).toBe('LINK_INVALID')
    }
    at(3_600_000 - 1)
    expect((await reset(older)).status).toBe(200)
    expect((await reset(newer)).body.error.code).toBe('LINK_INVALID')
  })

  test('does not reveal which addresses have an account, and sends no other mail', async () => {
    await openApp()
    const known = await post('/v1/auth/reset', { email: emailOf('pro') })
    const count = mails.received.length
    const unknown = await post('/v1/auth/reset', { email: 'nobody@guests.example' })
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    await mails.waitFor(
      (mail) => mail.to === emailOf('pro') && mails.received.indexOf(mail) >= count - 1,
    )
    expect(mails.received.some(({ to }) => to === 'nobody@guests.example')).toBe(false)
  })

  test('is limited to five mails an hour for an address, with or without an account', async () => {
    await openApp()
    for (const email of ['nobody@guests.example', emailOf('business')]) {
      for (let sent = 0; sent < 5; sent++) {
        expect((await post('/v1/auth/reset', { email })).status).toBe(202)
      }
      expectRefusal(await post('/v1/auth/reset', { email }), 429, 'TOO_MANY_ATTEMPTS')
    }
  })

  test('is stored as a hash, and not possible without a mail server', async () => {
    await openApp()
    const token = await resetToken(emailOf('hobby'))
    const account = await testApp.deps.ledger.accounts.getByEmail(emailOf('hobby'))
    const { personalData } = testApp.deps.ledger
    const rows = await Array.fromAsync(personalData.read('mailed_tokens', account?.id ?? 0, 10))
    expect(JSON.stringify(rows)).not.toContain(token)
    testApp = await createTestApp()
    const { status } = await post('/v1/auth/reset', { email: emailOf('pro') })
    expect(status).toBe(404)
  })

  test('that the mail server refuses has the same response, and is logged', async () => {
    const refusing = await startMailServer({ behave: () => ({ recipient: 550 }) })
    await openApp({ SMTP_URL: refusing.url })
    const { promise, resolve } = Promise.withResolvers<string>()
    testApp.deps.log.warn = resolve
    expect((await post('/v1/auth/reset', { email: emailOf('pro') })).status).toBe(202)
    expect(await promise).toBe('a mail to an account was not sent')
    await refusing.close()
  })
})

describe('with REQUIRE_CONFIRMED_EMAIL', () => {
  const EMAIL = 'carla@readers.example'

  test('an account can log in once its address is confirmed', async () => {
    await openApp({ REQUIRE_CONFIRMED_EMAIL: 'true' })
    const known = mails.received.length
    await post('/v1/auth/register', { email: EMAIL, password: PASSWORD })
    const mail = await mails.waitFor(
      (one) => one.to === EMAIL && mails.received.indexOf(one) >= known,
    )
    expectRefusal(await logIn(EMAIL, PASSWORD), 403, 'EMAIL_UNCONFIRMED')
    expect((await logIn(EMAIL, 'wrong password')).body.error.code).toBe('INVALID_CREDENTIALS')
    const [, first = ''] = /confirm-email#token=([\w-]{43})/.exec(mail.text) ?? []
    const token = await tokenFor('/v1/auth/confirmation', EMAIL, 'confirm-email')
    const confirm = (one: string) => post('/v1/auth/confirm', { token: one })
    expect((await confirm(token)).body.data).toEqual({ email: EMAIL })
    for (const used of [first, token]) {
      expect((await confirm(used)).body.error.code).toBe('LINK_INVALID')
    }
    expect((await logIn(EMAIL, PASSWORD)).status).toBe(200)
  })

  test('a reset confirms the address too, and accounts of the operator are confirmed', async () => {
    await openApp({ REQUIRE_CONFIRMED_EMAIL: 'true' })
    expect((await logIn(emailOf('pro'), PASSWORD)).status).toBe(200)
    await post('/v1/auth/register', { email: EMAIL, password: PASSWORD })
    expect((await reset(await resetToken(EMAIL))).status).toBe(200)
    expect((await logIn(EMAIL, NEW_PASSWORD)).status).toBe(200)
  })

  test('a token of one purpose does not serve the other', async () => {
    await openApp({ REQUIRE_CONFIRMED_EMAIL: 'true' })
    const token = await resetToken(emailOf('pro'))
    expect((await post('/v1/auth/confirm', { token })).body.error.code).toBe('LINK_INVALID')
    expect((await reset(token)).status).toBe(200)
  })
})
