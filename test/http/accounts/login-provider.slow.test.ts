import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openLoginProvider } from '#outbound/accounts/login-provider.ts'
import { startLyingProvider } from '../../support/accounts/lying-provider.ts'
import { type OidcServer, startOidcServer } from '../../support/accounts/oidc-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import {
  createTestApp,
  emailOf,
  FROZEN_TIME,
  PASSWORD,
  PUBLIC_URL,
  type TestApp,
} from '../../support/test-app.ts'

// Login with a real OpenID Connect provider, and with one that lies.

let provider: OidcServer
let testApp: TestApp
beforeAll(async () => {
  provider = await startOidcServer(`${PUBLIC_URL}/auth/callback`)
})
afterAll(() => provider.close())

async function openApp(env: Record<string, string> = {}, settings = provider.settings) {
  testApp = await createTestApp({ env, loginProvider: openLoginProvider(settings) })
}

/** Opens a browser that keeps the cookies of service and provider. */
function openBrowser() {
  const jars = { service: new Map<string, string>(), provider: new Map<string, string>() }

  async function visit(url: URL, init: RequestInit = {}): Promise<Response> {
    const isService = url.origin === PUBLIC_URL
    const jar = isService ? jars.service : jars.provider
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'content-type': 'application/json', ...init.headers, cookie }
    const request = new Request(url, { ...init, headers, redirect: 'manual' })
    const response = isService ? await testApp.app.handle(request) : await fetch(request)
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  const post = (path: string, json: object) =>
    visit(new URL(path, PUBLIC_URL), { method: 'POST', body: JSON.stringify(json) })

  /** Begins a login at the service. @returns the provider's page */
  async function begin(json: object = {}): Promise<URL> {
    const response = await post('/v1/auth/provider', json)
    const { data } = await response.json()
    return new URL(data.url)
  }

  return {
    jars,
    visit,
    post,
    begin,
    /** Follows a login through the provider. @returns the final page of the browser, and the callback URL */
    async logIn(json: object = {}): Promise<{ page: string; callback: URL }> {
      let url = await begin(json)
      while (url.origin !== PUBLIC_URL) {
        const { headers } = await visit(url)
        url = new URL(headers.get('location') ?? '/lost', url)
      }
      return { page: await this.arrive(url), callback: url }
    },
    /** Returns to the service. @returns the page to which it redirects the browser */
    async arrive(callback: URL): Promise<string> {
      const response = await visit(callback)
      expect(response.status).toBe(303)
      return response.headers.get('location') ?? ''
    },
    async me() {
      const response = await visit(new URL('/v1/auth/me', PUBLIC_URL))
      return (await response.json()).data
    },
  }
}

const ANN = { sub: 'ann', email: 'ann@example.com', email_verified: true }

describe('logging in with a provider', () => {
  test('creates an account without a password, and later logs in to the same account', async () => {
    await openApp()
    provider.become(ANN)
    const browser = openBrowser()
    expect((await browser.logIn()).page).toBe('/login?entered=yes')
    const me = await browser.me()
    expect(me).toMatchObject({
      email: ANN.email,
      tier: 'free',
      has_password: false,
      login_provider: { label: 'Example Login', linked_at: FROZEN_TIME },
    })
    expect(browser.jars.service.has('login')).toBe(false)
    const other = openBrowser()
    // The person is what counts, not the address, which may change at the provider.
    provider.become({ ...ANN, email: 'ann@elsewhere.example' })
    await other.logIn()
    expect(await other.me()).toMatchObject({ id: me.id, email: ANN.email })
    const login = await browser.post('/v1/auth/login', { email: ANN.email, password: '' })
    expect(login.status).toBe(401)
  })

  test('never links an account of the same address; its owner links it with the password', async () => {
    await openApp()
    provider.become({ sub: 'pro', email: emailOf('pro'), email_verified: true })
    const browser = openBrowser()
    expect((await browser.logIn()).page).toBe('/login?problem=EMAIL_TAKEN')
    expect(browser.jars.service.has('session')).toBe(false)

    await browser.post('/v1/auth/login', { email: emailOf('pro'), password: PASSWORD })
    expect((await browser.logIn({ link: true })).page).toBe('/account/security?linked=yes')
    const { id } = await browser.me()
    const other = openBrowser()
    expect((await other.logIn()).page).toBe('/login?entered=yes')
    expect(await other.me()).toMatchObject({ id, has_password: true })

    const end = { method: 'DELETE' }
    const path = new URL('/v1/auth/provider', PUBLIC_URL)
    expect((await browser.visit(path, end)).status).toBe(200)
    expect((await openBrowser().logIn()).page).toBe('/login?problem=EMAIL_TAKEN')
  })

  test('links each person to one account, and only for the one that began', async () => {
    await openApp()
    provider.become(ANN)
    const [ann, pro] = [openBrowser(), openBrowser()]
    await ann.logIn()
    const unlink = await ann.visit(new URL('/v1/auth/provider', PUBLIC_URL), { method: 'DELETE' })
    expect(unlink.status).toBe(409)
    await pro.post('/v1/auth/login', { email: emailOf('pro'), password: PASSWORD })
    expect((await pro.logIn({ link: true })).page).toBe('/account/security?problem=IDENTITY_TAKEN')
    const begun = await pro.begin({ link: true })
    await pro.post('/v1/auth/login', { email: emailOf('starter'), password: PASSWORD })
    const back = new URL(
      `/auth/callback?code=x&state=${begun.searchParams.get('state')}`,
      PUBLIC_URL,
    )
    expect(await pro.arrive(back)).toBe('/account/security?problem=SESSION_REQUIRED')
    expect((await openBrowser().post('/v1/auth/provider', { link: true })).status).toBe(401)
  })

  test('follows the rules of registration', async () => {
    for (const [registration, problem] of [
      ['closed', 'REGISTRATION_CLOSED'],
      ['invite', 'INVITATION_REQUIRED'],
    ] as const) {
      await openApp({ REGISTRATION: registration })
      provider.become({ ...ANN, sub: registration })
      expect((await openBrowser().logIn()).page).toBe(`/login?problem=${problem}`)
    }
  })

  test.each([
    ['has no address', { sub: 'silent' }],
    ['has not confirmed the address', { ...ANN, sub: 'unsure', email_verified: false }],
    ['has an address that mail clients change', { ...ANN, sub: 'odd', email: 'ann@example.com>' }],
  ])('fails if the provider %s', async (_what, person) => {
    await openApp()
    provider.become(person)
    expect((await openBrowser().logIn()).page).toBe('/login?problem=LOGIN_FAILED')
  })
})

describe('an address that is not confirmed', () => {
  const OWNER = { email: 'owner@shop.example', password: PASSWORD }
  const EVE = { sub: 'eve', email: 'eve@strangers.example', email_verified: true }

  /** Lets the server send mail. @returns the tokens of the links in it */
  function sendMail(): string[] {
    const tokens: string[] = []
    testApp.deps.mailer = {
      host: 'mail.example:587',
      async send({ to, text }) {
        const [, token = ''] = /#token=([\w-]{43})$/m.exec(text) ?? []
        if (to === OWNER.email) tokens.push(token)
        return { kind: 'sent' }
      },
    }
    return tokens
  }

  /** Registers the address of somebody else, as anybody can. */
  async function registerAsStranger() {
    await openApp()
    provider.become(EVE)
    const stranger = openBrowser()
    await stranger.post('/v1/auth/register', OWNER)
    await stranger.post('/v1/auth/login', OWNER)
    return stranger
  }

  test('is confirmed by mail before a login is linked', async () => {
    const browser = await registerAsStranger()
    const tokens = sendMail()
    const refused = await browser.post('/v1/auth/provider', { link: true })
    expect(refused.status).toBe(403)
    expect((await refused.json()).error.code).toBe('EMAIL_UNCONFIRMED')
    while (tokens.length === 0) await Bun.sleep(1)
    expect((await browser.post('/v1/auth/confirm', { token: tokens[0] })).status).toBe(200)
    expect((await browser.logIn({ link: true })).page).toBe('/account/security?linked=yes')
    expect(tokens).toHaveLength(1)
    // A login is never refused for it.
    expect((await openBrowser().logIn()).page).toBe('/login?entered=yes')
  })

  test('is not linked by an attempt that began before the server sent mail', async () => {
    const browser = await registerAsStranger()
    let url = await browser.begin({ link: true })
    const tokens = sendMail()
    while (url.origin !== PUBLIC_URL) {
      url = new URL((await browser.visit(url)).headers.get('location') ?? '/lost', url)
    }
    expect(await browser.arrive(url)).toBe('/account/security?problem=EMAIL_UNCONFIRMED')
    expect((await browser.me()).login_provider.linked_at).toBeNull()
    while (tokens.length === 0) await Bun.sleep(1)
  })

  test('keeps nothing of a stranger after a reset by mail, and one request ends the rest', async () => {
    const stranger = await registerAsStranger()
    // Without mail, nothing can be confirmed.
    expect((await stranger.logIn({ link: true })).page).toBe('/account/security?linked=yes')
    const { id } = await stranger.me()
    const { data: key } = await (await stranger.post('/v1/keys', { name: 'mine' })).json()
    const channel = { kind: 'ntfy', address: 'https://ntfy.example/strangers-topic' }
    expect((await stranger.post('/v1/channels', channel)).status).toBe(201)
    const { data: collection } = await (
      await stranger.post('/v1/collections', { name: 'Box' })
    ).json()
    expect((await stranger.post(`/v1/collections/${collection.id}/share`, {})).status).toBe(201)

    const tokens = sendMail()
    const owner = openBrowser()
    await owner.post('/v1/auth/reset', { email: OWNER.email })
    while (tokens.length === 0) await Bun.sleep(1)
    const new_password = 'a sentence of the owner'
    const reset = await owner.post('/v1/auth/reset/password', { token: tokens[0], new_password })
    expect((await reset.json()).data).toEqual({
      email: OWNER.email,
      unlinked_logins: 1,
      login_provider: null,
      keys: [
        {
          id: key.id,
          name: 'mine',
          key_prefix: key.key_prefix,
          last4: key.last4,
          created_at: FROZEN_TIME,
        },
      ],
      channels: [
        {
          id: expect.stringMatching(/^ch_/),
          kind: 'ntfy',
          name: 'ntfy.example/strangers-topic',
          created_at: FROZEN_TIME,
        },
      ],
      shared_collections: [{ id: collection.id, name: 'Box', created_at: FROZEN_TIME }],
    })
    expect((await stranger.visit(new URL('/v1/auth/me', PUBLIC_URL))).status).toBe(401)
    await stranger.logIn()
    // The login has an account of its own now.
    expect(await stranger.me()).toMatchObject({ email: EVE.email })
    expect((await stranger.me()).id).not.toBe(id)

    const useKey = () =>
      testApp.client.get('/v1/cards/900101', { headers: { 'x-api-key': key.key } })
    expect((await useKey()).status).toBe(200)
    await owner.post('/v1/auth/login', { email: OWNER.email, password: new_password })
    const access = new URL('/v1/auth/access', PUBLIC_URL)
    const ended = await owner.visit(access, { method: 'DELETE' })
    expect((await ended.json()).data).toEqual({ keys: 1, channels: 1, shares: 1, logins: 0 })
    expectRefusal(await useKey(), 401, 'INVALID_API_KEY')
    const channels = await owner.visit(new URL('/v1/channels', PUBLIC_URL))
    expect((await channels.json()).data).toEqual([])
    expect((await owner.me()).id).toBe(id)
  })
})

describe('an attempt', () => {
  test('counts once, in its own browser, within ten minutes', async () => {
    await openApp()
    provider.become({ ...ANN, sub: 'once' })
    const browser = openBrowser()
    const { callback } = await browser.logIn()
    expect(await browser.arrive(callback)).toBe('/login?problem=LOGIN_FAILED')
    expect(await openBrowser().arrive(callback)).toBe('/login?problem=LOGIN_FAILED')
    const late = openBrowser()
    const url = await late.begin()
    testApp.setClock(new Date(Date.parse(FROZEN_TIME) + 10 * 60_000 + 1).toISOString())
    const state = url.searchParams.get('state')
    const back = new URL(`/auth/callback?code=x&state=${state}`, PUBLIC_URL)
    expect(await late.arrive(back)).toBe('/login?problem=LOGIN_FAILED')
  })

  test('uses PKCE, state and nonce, new ones each time', async () => {
    await openApp()
    const [one, other] = [await openBrowser().begin(), await openBrowser().begin()]
    expect(one.searchParams.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
      expect(one.searchParams.get(name)).not.toBe(other.searchParams.get(name))
    }
  })

  test.each([
    ['error=access_denied&state={state}'],
    ['code=forged&state={state}'],
    ['code=x&state=another'],
    ['state={state}'],
    ['code=x&code=y&state={state}'],
    [''],
  ])('that comes back with "%s" logs nobody in', async (query) => {
    await openApp()
    const browser = openBrowser()
    const state = (await browser.begin()).searchParams.get('state') ?? ''
    const back = new URL(`/auth/callback?${query.replace('{state}', state)}`, PUBLIC_URL)
    expect(await browser.arrive(back)).toBe('/login?problem=LOGIN_FAILED')
    expect(browser.jars.service.size).toBe(0)
  })
})

describe('a provider', () => {
  test('that is down, or calls itself otherwise, is unavailable', async () => {
    const liar = await startLyingProvider()
    await openApp({}, liar.settings)
    liar.describeAs('https://accounts.example')
    const misstated = await openBrowser().post('/v1/auth/provider', {})
    expect([misstated.status, misstated.headers.get('retry-after')]).toEqual([503, '60'])
    liar.close()
    const down = await openBrowser().post('/v1/auth/provider', {})
    expect((await down.json()).error.code).toBe('LOGIN_PROVIDER_UNAVAILABLE')
  })

  test.each([
    ['reuses a nonce', { nonce: 'the nonce of an earlier login' }],
    ['states another issuer', { iss: 'https://accounts.example' }],
    ['issues a token for another service', { aud: 'another' }],
    ['issues a token that has expired', { exp: 1_000 }],
    ['does not sign its token', { unsigned: true as const }],
    ['names nobody', { sub: '' }],
    ['names nobody but a blank', { sub: ' ' }],
    ['issues a token in the future', { issuedIn: 60 }],
  ])('that %s logs nobody in', async (_what, lie) => {
    const liar = await startLyingProvider()
    await openApp({}, liar.settings)
    const logIn = async () => {
      const browser = openBrowser()
      const { searchParams } = await browser.begin()
      const query = `code=${searchParams.get('nonce')}&state=${searchParams.get('state')}`
      return browser.arrive(new URL(`/auth/callback?${query}`, PUBLIC_URL))
    }
    expect(await logIn()).toBe('/login?entered=yes')
    // Clocks may differ a little.
    liar.lieWith({ issuedIn: 20 })
    expect(await logIn()).toBe('/login?entered=yes')
    liar.lieWith(lie)
    expect(await logIn()).toBe('/login?problem=LOGIN_FAILED')
    liar.close()
  })
})
